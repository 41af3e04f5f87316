public import Bytes
public import JSON

/// An operation parsed, validated and planned once; immutable and shared by all shards.
///
/// Whoever serves requests keeps prepared operations by their text: everything that does not
/// depend on variables has been done here.
public final class PreparedOperation: Sendable {
    /// A declared variable, resolved.
    struct Variable: Sendable {
        var name: Text
        var type: TypeUse
        var defaultValue: JSONValue?
        var offset: Int
    }

    /// Query, mutation or subscription.
    public let kind: OperationKind
    /// The operation's name, if it has one.
    public let name: Text?
    /// What it runs against.
    public let schema: Schema
    /// The limits it was prepared with.
    public let limits: DocumentLimits
    /// Whether errors may name what only the schema knows.
    let namesTypes: Bool

    let document: Document
    let variables: [Variable]
    private let variableNames: VariableNames
    private let definition: OperationDefinition
    private let fragments: [Text: FragmentDefinition]
    private let root: TypeID
    /// The plan, unless it depends on variables in `@skip` and `@include`.
    private let plan: Plan?

    private init(
        _ document: Document, _ definition: OperationDefinition,
        fragments: [Text: FragmentDefinition], schema: Schema, root: TypeID,
        limits: DocumentLimits, namesTypes: Bool, variables: [Variable]
    ) throws(PlanCompiler.Problem) {
        self.document = document
        self.definition = definition
        self.fragments = fragments
        self.schema = schema
        self.root = root
        self.limits = limits
        self.namesTypes = namesTypes
        self.variables = variables
        variableNames = VariableNames(variables.map(\.name))
        kind = definition.kind
        name = definition.name?.text
        if Self.hasVariableConditions(definition, fragments) {
            // Compiled once with all that its conditions may let in: no variables make it larger.
            _ = try Self.compile(definition, fragments, schema, root, limits, condition: nil)
            plan = nil
        } else {
            plan = try Self.compile(definition, fragments, schema, root, limits, condition: nil)
        }
    }

    /// Parses, validates and plans a request's document.
    ///
    /// `operationName` picks the operation; it may be nil if there is exactly one
    /// (GraphQL 6.1, GetOperation).
    public static func prepare(
        _ text: Text, operationName: Text? = nil, schema: Schema,
        limits: DocumentLimits = DocumentLimits(),
        options: ValidationOptions = ValidationOptions()
    ) -> Result<PreparedOperation, OperationErrors> {
        let document: Document
        do throws(GraphQLError) {
            document = try Document(parsing: text, limits: limits)
        } catch {
            return .failure(OperationErrors(stage: .syntax, errors: [error]))
        }
        let errors = validate(document, schema: schema, limits: limits, options: options)
        if !errors.isEmpty {
            return .failure(OperationErrors(stage: .validation, errors: errors))
        }
        do throws(GraphQLError) {
            let definition = try pick(operationName, from: document)
            return .success(
                try prepare(
                    definition, document, schema, limits, namesTypes: options.suggestsNames))
        } catch {
            return .failure(OperationErrors(stage: .operation, errors: [error]))
        }
    }

    private static func prepare(
        _ definition: OperationDefinition, _ document: Document, _ schema: Schema,
        _ limits: DocumentLimits, namesTypes: Bool
    ) throws(GraphQLError) -> PreparedOperation {
        let location = document.location(at: definition.offset)
        guard let root = schema.rootType(definition.kind) else {
            throw GraphQLError(
                "the schema has no \(definition.kind.rawValue) operations",
                locations: [location])
        }
        var fragments: [Text: FragmentDefinition] = [:]
        for case .fragment(let fragment) in document.definitions {
            fragments[fragment.name.text] = fragment
        }
        let variables = try resolve(
            definition.variables, document,
            InputCoercion(types: schema.types, namesTypes: namesTypes), schema)
        do throws(PlanCompiler.Problem) {
            return try PreparedOperation(
                document, definition, fragments: fragments, schema: schema, root: root,
                limits: limits, namesTypes: namesTypes, variables: variables)
        } catch {
            throw refusal(error, definition, document, limits)
        }
    }

    /// What is told of an operation that no plan is made for.
    private static func refusal(
        _ problem: PlanCompiler.Problem, _ definition: OperationDefinition, _ document: Document,
        _ limits: DocumentLimits
    ) -> GraphQLError {
        func error(_ message: String, at offset: Int) -> GraphQLError {
            GraphQLError(message, locations: [document.location(at: offset)])
        }
        return switch problem {
        case .tooDeep:
            error(
                "the operation is nested deeper than \(limits.depthMax) levels",
                at: definition.offset
            ).reaching(.depth, wayOut: "ask for what lies deeper by its id")
        case .tooLarge:
            error(
                "the operation selects more than \(limits.planFieldsMax) fields",
                at: definition.offset
            ).reaching(.planFields, wayOut: "use fewer fragments within each other")
        case .tooManyRootFields(let offset):
            error(
                "the operation selects more than \(limits.rootFieldsMax) fields of its root",
                at: offset
            ).reaching(.rootFields, wayOut: "ask in several requests")
        }
    }

    private static func pick(
        _ name: Text?, from document: Document
    ) throws(GraphQLError) -> OperationDefinition {
        var found: OperationDefinition?
        for case .operation(let operation) in document.definitions {
            if let name {
                if operation.name?.text == name { return operation }
            } else if found == nil {
                found = operation
            } else {
                throw GraphQLError(
                    "Must provide operation name if query contains multiple operations.")
            }
        }
        if let found { return found }
        guard let name else { throw GraphQLError("Must provide an operation.") }
        let names = document.definitions.compactMap { definition -> Text? in
            if case .operation(let operation) = definition { operation.name?.text } else { nil }
        }
        throw GraphQLError(
            "Unknown operation named \"\(name)\"."
                + Suggestions.question(Suggestions.near(name, among: names)))
    }

    private static func resolve(
        _ definitions: [VariableDefinition], _ document: Document, _ coercion: InputCoercion,
        _ schema: Schema
    ) throws(GraphQLError) -> [Variable] {
        var variables: [Variable] = []
        variables.reserveCapacity(definitions.count)
        for definition in definitions {
            let locations = [definition.offset]
            guard let use = schema.use(of: definition.type), schema.types[use.named].isInput
            else {
                throw GraphQLError(
                    "Variable \"$\(definition.name.text)\" cannot be of type "
                        + "\"\(definition.type.text)\".",
                    locations: locations.map(document.location))
            }
            var variable = Variable(
                name: definition.name.text, type: use, offset: definition.offset)
            if let literal = definition.defaultValue {
                do throws(InputError) {
                    variable.defaultValue = try coercion.coerce(
                        literal, use, variables: { _ in nil })
                } catch {
                    throw GraphQLError(
                        "Variable \"$\(variable.name)\" has an invalid default: "
                            + error.message, locations: locations.map(document.location))
                }
            }
            variables.append(variable)
        }
        return variables
    }

    // MARK: Plans

    private static func compile(
        _ definition: OperationDefinition, _ fragments: [Text: FragmentDefinition],
        _ schema: Schema, _ root: TypeID, _ limits: DocumentLimits,
        condition: ((Text, Int) -> Bool)?
    ) throws(PlanCompiler.Problem) -> Plan {
        var compiler = PlanCompiler(
            schema: schema, fragments: fragments, limits: limits, condition: condition)
        return try compiler.compile(definition, root: root)
    }

    private static func hasVariableConditions(
        _ definition: OperationDefinition, _ fragments: [Text: FragmentDefinition]
    ) -> Bool {
        if definition.variables.isEmpty { return false }
        return hasVariableConditions(definition.selections)
            || fragments.values.contains { hasVariableConditions($0.selections) }
    }

    private static func hasVariableConditions(_ selections: [Selection]) -> Bool {
        selections.contains { selection in
            let isConditional = selection.directives.contains { directive in
                guard directive.name.text == "skip" || directive.name.text == "include" else {
                    return false
                }
                return directive.arguments.contains { $0.value.hasVariables }
            }
            if isConditional { return true }
            switch selection {
            case .field(let field): return hasVariableConditions(field.selections)
            case .spread: return false
            case .inline(let fragment): return hasVariableConditions(fragment.selections)
            }
        }
    }

    // MARK: Variables

    private var coercion: InputCoercion {
        InputCoercion(types: schema.types, namesTypes: namesTypes)
    }

    /// Coerces a request's variables (GraphQL 6.1.2, CoerceVariableValues). Unknown ones are
    /// passed over.
    public func coerce(variables given: JSONObject) -> Result<Variables, OperationErrors> {
        let values: [JSONValue?]
        switch coerceAll(given) {
        case .success(let coerced): values = coerced
        case .failure(let errors): return .failure(errors)
        }
        let names = variableNames
        let plan: Plan
        do throws(PlanCompiler.Problem) {
            let made = try self.plan(under: values)
            if let nullAt = made.nullAt {
                let error = GraphQLError(
                    "Argument \"if\" of type \"Boolean!\" must not be null.",
                    locations: [document.location(at: nullAt)])
                return .failure(OperationErrors(stage: .variables, errors: [error]))
            }
            plan = made.plan
        } catch {
            let error = Self.refusal(error, definition, document, limits)
            return .failure(OperationErrors(stage: .operation, errors: [error]))
        }
        let cost =
            plan.fixedCost
            ?? PlanCost.estimate(plan) { name in names.place(of: name).flatMap { values[$0] } }
        if cost > limits.costMax {
            return .failure(OperationErrors(stage: .operation, errors: [tooDear(cost)]))
        }
        return .success(Variables(names: names, values: values, plan: plan, cost: cost))
    }

    /// The plan, or that under the conditions that these variables decide; and where the variable
    /// of a condition stands that is null.
    private func plan(
        under values: [JSONValue?]
    ) throws(PlanCompiler.Problem) -> (plan: Plan, nullAt: Int?) {
        if let plan { return (plan, nil) }
        let names = variableNames
        var nullAt: Int?
        let made = try Self.compile(definition, fragments, schema, root, limits) { name, offset in
            let value = names.place(of: name).flatMap { values[$0]?.boolean }
            // A default that is not null lets a nullable variable stand here, but what was given
            // may be null (GraphQL 6.4.1).
            if value == nil { nullAt = offset }
            return value ?? false
        }
        return (made, nullAt)
    }

    private func tooDear(_ cost: Int) -> GraphQLError {
        GraphQLError(
            "the operation costs \(cost) by estimate, over the limit of \(limits.costMax)",
            locations: [document.location(at: definition.offset)],
            extensions: [
                "heliograph": ["cost": ["estimate": .int(Int64(cost))]]
            ]
        ).reaching(.cost, wayOut: "give lists a smaller limit, or nest fewer in each other")
    }

    /// All values, or at most `limits.errorsMax` errors. The document is read once for the places
    /// of all of them.
    private func coerceAll(_ given: JSONObject) -> Result<[JSONValue?], OperationErrors> {
        let lookUp = MemberLookUp(given, wanted: variables.count)
        var values: [JSONValue?] = []
        var faults: [(message: String, offset: Int)] = []
        values.reserveCapacity(variables.count)
        for variable in variables where faults.count < limits.errorsMax {
            do throws(Fault) {
                values.append(try value(of: variable, given: lookUp[variable.name]))
            } catch {
                faults.append((error.message, variable.offset))
            }
        }
        if faults.isEmpty { return .success(values) }
        let places = LineMap(of: document.source, at: faults.map(\.offset))
        let errors = faults.map { fault in
            GraphQLError(
                fault.message, locations: places[fault.offset].map { [$0] } ?? [])
        }
        return .failure(OperationErrors(stage: .variables, errors: errors))
    }

    /// What is wrong with a variable's value.
    private struct Fault: Error {
        var message: String
    }

    private func value(
        of variable: Variable, given: JSONValue?
    ) throws(Fault) -> JSONValue? {
        guard let value = given else {
            if let value = variable.defaultValue { return value }
            if !variable.type.isNonNull { return nil }
            throw Fault(
                message: "Variable \"$\(variable.name)\" of required type "
                    + "\"\(variable.type.text(in: schema))\" was not provided.")
        }
        do throws(InputError) {
            return try coercion.coerce(value, variable.type)
        } catch {
            let place =
                error.path.isEmpty ? "" : " at \"\(error.pathText(from: variable.name))\""
            throw Fault(
                message: "Variable \"$\(variable.name)\" got an invalid value\(place): "
                    + error.message)
        }
    }

    /// The one root field of a subscription and its arguments
    /// (GraphQL 6.2.3.1, CreateSourceEventStream).
    ///
    /// - Precondition: this is a subscription.
    public func subscriptionRoot(
        _ variables: Variables
    ) -> Result<(field: FieldID, arguments: JSONObject), OperationErrors> {
        precondition(kind == .subscription, "only subscriptions have one root field")
        let plan = variables.plan
        let steps = plan.sets[plan.root].steps
        guard steps.count == 1 else {
            let error = GraphQLError(
                "a subscription must select exactly one field, not \(steps.count)",
                locations: [document.location(at: definition.offset)])
            return .failure(OperationErrors(stage: .operation, errors: [error]))
        }
        let field = plan.fields[steps.lowerBound]
        do throws(InputError) {
            return .success((field.field, try arguments(of: field, variables)))
        } catch {
            let error = GraphQLError(
                error.message,
                locations: [document.location(at: error.offset ?? field.offset)])
            return .failure(OperationErrors(stage: .variables, errors: [error]))
        }
    }

    /// A field's coerced arguments under the request's variables.
    func arguments(
        of field: PlannedField, _ variables: Variables
    ) throws(InputError) -> JSONObject {
        switch field.arguments {
        case .constant(let object): return object
        case .invalid(let error): throw error
        case .dynamic(let given):
            return try coercion.coerce(
                given, of: schema.fields[field.field].arguments,
                variables: { variables[$0] })
        }
    }
}
