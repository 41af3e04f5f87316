import Bytes
import GraphQL
import JSON
import Models
import Testing

@Suite struct UnenforcedRuleTests {
    @Test func `a rule on a type is accepted, and reported as not enforced`() throws {
        let models = try Example.notes.models()
        #expect(
            models.unenforced == [
                UnenforcedRule(
                    directive: "auth", type: "Note", field: nil,
                    location: SourceLocation(line: 1, column: 18),
                    arguments: ["rules": [["allow": "owner"]]])
            ])
        #expect(
            models.unenforced.first?.sentence
                == "line 1: @auth on Note restricts access, which this server does not enforce "
                + "yet; it does not serve such a schema, because everybody could read and change "
                + "what the rule protects")
    }

    @Test func `schemas without rules have nothing unenforced`() throws {
        #expect(try Example.isolationNation.models().unenforced.isEmpty)
        #expect(try Example.cashFlow.models().unenforced.isEmpty)
    }

    @Test func `rules on fields, embedded types and for all models are reported too`() throws {
        let models = try ModelSchema(
            sdl: """
                input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }
                type A @model @aws_cognito_user_pools(cognito_groups: ["g"]) {
                  id: ID!
                  s: String @auth(rules: {allow: groups, groups: ["x"], operations: [read, update]})
                }
                type E @aws_api_key { x: Int @aws_iam }
                """)
        let places = models.unenforced.map { rule in
            "\(rule.directive) \(rule.type) \(rule.field?.string ?? "-") \(rule.location.line)"
        }
        #expect(
            Set(places) == [
                "auth AMPLIFY globalAuthRule 1", "aws_cognito_user_pools A - 2", "auth A s 4",
                "aws_api_key E - 6", "aws_iam E x 6",
            ])
    }

    @Test(arguments: ["owner", "groups", "private", "public", "custom"])
    func `every kind of rule is known`(kind: String) throws {
        let sdl = """
            type A @model @auth(rules: [{
              allow: \(kind), provider: userPools, ownerField: "o", identityClaim: "sub",
              groupClaim: "g", groupsField: "gs", operations: [create, read, list, listen]
            }]) { id: ID! }
            """
        #expect(try ModelSchema(sdl: Text(sdl)).unenforced.count == 1)
    }
}
