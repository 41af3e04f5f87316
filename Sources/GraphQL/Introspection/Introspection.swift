import Bytes

/// Introspection's own types (GraphQL 4.2), as text.
enum Introspection {
    static let definitions: Text = """
        "What a schema is made of."
        type __Schema {
          description: String
          "All types, the built-in and introspection's own among them."
          types: [__Type!]!
          "Where queries begin."
          queryType: __Type!
          "Where mutations begin, if the schema has some."
          mutationType: __Type
          "Where subscriptions begin, if the schema has some."
          subscriptionType: __Type
          "All directives that documents may use."
          directives: [__Directive!]!
        }
        "A named type, or a list or non-null mark around another type."
        type __Type {
          kind: __TypeKind!
          name: String
          description: String
          specifiedByURL: String
          fields(includeDeprecated: Boolean! = false): [__Field!]
          interfaces: [__Type!]
          possibleTypes: [__Type!]
          enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
          inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
          ofType: __Type
          isOneOf: Boolean
        }
        "The kinds of types."
        enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
        "A field of an object or interface."
        type __Field {
          name: String!
          description: String
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
          type: __Type!
          isDeprecated: Boolean!
          deprecationReason: String
        }
        "An argument, or a field of an input object."
        type __InputValue {
          name: String!
          description: String
          type: __Type!
          "The default as GraphQL text."
          defaultValue: String
          isDeprecated: Boolean!
          deprecationReason: String
        }
        "A value of an enum."
        type __EnumValue {
          name: String!
          description: String
          isDeprecated: Boolean!
          deprecationReason: String
        }
        "A directive that documents may use."
        type __Directive {
          name: String!
          description: String
          isRepeatable: Boolean!
          locations: [__DirectiveLocation!]!
          args(includeDeprecated: Boolean! = false): [__InputValue!]!
        }
        "Where a directive may stand."
        enum __DirectiveLocation {
          QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
          VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE
          UNION ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
        }
        """
}
