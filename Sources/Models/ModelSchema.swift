public import Bytes
public import GraphQL
public import JSON
public import Records

/// An SDL with model directives, turned into everything the hub serves: the API's schema, the
/// store's layout, and for each field of the API what is asked of the store.
///
/// The room's central type, made once at start and shared by all shards.
///
///     let models = try ModelSchema(sdl: text)
///     switch models.plan(batch, context: &context) {
///     case .values(let values): …
///     case .ask(let requests, let reading):
///         let values = models.values(reading, answersOfTheStore)
///     }
public struct ModelSchema: Sendable {
    /// The API that clients see.
    public let schema: Schema
    /// What the store keeps.
    public let layout: DataLayout
    /// Rules that restrict access and that nothing enforces yet: not to be served.
    public let unenforced: [UnenforcedRule]

    let models: [ModelDefinition]
    /// How inputs of types without `@model` are stored.
    let embeddedForms: EmbeddedForms
    let options: ModelOptions
    /// What each field of the API does, by `FieldID`.
    let actions: [FieldAction?]
    /// The output type of each model, by `ModelID`.
    let recordTypes: [TypeID]
    /// The connection type of each model, by `ModelID`.
    let connectionTypes: [TypeID]

    /// Reads an SDL.
    ///
    /// - Throws: everything that is wrong with it, each with its place: the operator's fault.
    public init(sdl: Text, options: ModelOptions = ModelOptions()) throws(SchemaErrors) {
        var reader = SchemaReader(try Self.parse(sdl))
        reader.read()
        if let errors = reader.errors.errors { throw errors }
        var generator = APIGenerator(reader)
        (schema, actions) = try generator.generate()
        models = reader.models
        embeddedForms = EmbeddedForms(reader)
        self.options = options
        unenforced = reader.unenforced
        layout = DataLayout(models: models.map(\.layout))
        let schema = schema
        func typeID(_ name: String) -> TypeID {
            guard let id = schema.typeID(Text(name)) else {
                preconditionFailure("the generated API has no type \(name)")
            }
            return id
        }
        recordTypes = models.map { typeID($0.name) }
        connectionTypes = models.map { typeID(ModelTypes.connection($0.name)) }
    }

    private static func parse(_ sdl: Text) throws(SchemaErrors) -> Document {
        do throws(GraphQLError) {
            return try Document(parsing: sdl, limits: .schema)
        } catch {
            let place = error.locations.first ?? SourceLocation(line: 1, column: 1)
            throw SchemaErrors([SchemaError(error.message, location: place)], source: sdl)
        }
    }

    /// What the root field of an event of this change is: the whole record.
    public func eventValue(of change: Change) -> Resolved {
        .record(type: recordTypes[change.record.model], slots: change.record.values)
    }

    /// The model and kind of change that a subscription's root field hands on, with a predicate
    /// made of its arguments.
    ///
    /// An argument that was left out is no test; one that is null passes changes whose field is
    /// null. `filter` and the other arguments must all pass.
    ///
    /// - Throws: a `GraphQLError` about an argument.
    public func subscription(
        _ field: FieldID, _ arguments: JSONObject
    ) throws(GraphQLError) -> SubscriptionTarget {
        guard case .subscribe(let model, let kind)? = actions[field] else {
            preconditionFailure("\(schema.fields[field].name) is no field of Subscription")
        }
        var parts: [Filter] = []
        for member in arguments.members where member.name != "filter" {
            guard let slot = layout.models[model].slot(of: member.name) else { continue }
            parts.append(.test(Filter.FieldPath(slot: slot), .equal(member.value)))
        }
        let form = FilterForm(
            operatorsAreOred: options.subscriptionOperatorsAreOred,
            relationStepsMax: options.relationStepsMax)
        var compiler = FilterCompiler(layout: layout, form: form, argument: "filter")
        do throws(ArgumentFault) {
            parts.append(try compiler.compile(arguments["filter"], model: model))
        } catch {
            throw error.graphQL
        }
        return SubscriptionTarget(model: model, kind: kind, filter: .and(parts).simplified)
    }
}

/// What a subscription wants to be told.
public struct SubscriptionTarget: Sendable, Hashable {
    /// The model whose changes are meant.
    public var model: ModelID
    /// The kind of change.
    public var kind: Change.Kind
    /// What a change must pass.
    public var filter: Filter

    /// A target.
    public init(model: ModelID, kind: Change.Kind, filter: Filter) {
        self.model = model
        self.kind = kind
        self.filter = filter
    }
}

extension ArgumentFault {
    /// The fault as an error of the field that has the argument.
    var graphQL: GraphQLError { GraphQLError(message, errorType: "BadRequest") }
}
