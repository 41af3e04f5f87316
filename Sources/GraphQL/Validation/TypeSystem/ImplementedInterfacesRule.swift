import Bytes

/// IsValidImplementation (GraphQL 3.6, 3.7): a type has all that its interfaces promise.
enum ImplementedInterfacesRule: TypeSystemRule {
    static func check(_ context: inout TypeSystemContext) {
        for type in context.ownTypes {
            for interface in type.interfaces {
                if interface == type.id {
                    reportItself(type, &context)
                } else {
                    let interface = context.schema.types[interface]
                    checkAncestors(of: type, interface, &context)
                    for field in interface.fields {
                        check(type, interface, context.schema.fields[field], &context)
                    }
                }
            }
        }
    }

    private static func reportItself(_ type: SchemaType, _ context: inout TypeSystemContext) {
        context.report(
            "Type \(type.name) cannot implement itself because it would create a circular "
                + "reference.",
            at: "\(type.name) implements \(type.name)")
    }

    private static func checkAncestors(
        of type: SchemaType, _ interface: SchemaType, _ context: inout TypeSystemContext
    ) {
        for ancestor in interface.interfaces where ancestor != interface.id {
            let name = context.schema.types[ancestor].name
            if ancestor == type.id {
                context.report(
                    "Type \(type.name) cannot implement \(interface.name) because it would "
                        + "create a circular reference.",
                    at: "\(interface.name) implements \(name)",
                    "\(type.name) implements \(interface.name)")
            } else if !type.interfaces.contains(ancestor) {
                context.report(
                    "Type \(type.name) must implement \(name) because it is implemented by "
                        + "\(interface.name).",
                    at: "\(interface.name) implements \(name)",
                    "\(type.name) implements \(interface.name)")
            }
        }
    }

    private static func check(
        _ type: SchemaType, _ interface: SchemaType, _ promised: SchemaField,
        _ context: inout TypeSystemContext
    ) {
        let schema = context.schema
        let promise = "\(interface.name).\(promised.name)"
        guard let id = schema.field(named: promised.name, on: type.id) else {
            context.report(
                "Interface field \(promise) expected but \(type.name) does not provide it.",
                at: promise, type.name.string)
            return
        }
        let field = schema.fields[id]
        let own = "\(type.name).\(field.name)"
        if !schema.isSubtype(field.type, of: promised.type) {
            context.report(
                "Interface field \(promise) expects type \(promised.type.text(in: schema)) but "
                    + "\(own) is type \(field.type.text(in: schema)).",
                at: "type of \(promise)", "type of \(own)")
        }
        if field.deprecationReason != nil, promised.deprecationReason == nil {
            context.report(
                "Interface field \(promise) is not deprecated, so implementation field \(own) "
                    + "must not be deprecated.",
                at: own, promise)
        }
        checkPromisedArguments(promised, promise, field, own, &context)
        checkOwnArguments(promised, promise, field, own, &context)
    }

    private static func checkPromisedArguments(
        _ promised: SchemaField, _ promise: String, _ field: SchemaField, _ own: String,
        _ context: inout TypeSystemContext
    ) {
        for argument in promised.arguments {
            let place = "\(promise)(\(argument.name):)"
            guard let given = field.argument(argument.name) else {
                context.report(
                    "Interface field argument \(place) expected but \(own) does not provide it.",
                    at: place, own)
                continue
            }
            if given.type == argument.type { continue }
            context.report(
                "Interface field argument \(place) expects type "
                    + "\(argument.type.text(in: context.schema)) but \(own)(\(argument.name):) "
                    + "is type \(given.type.text(in: context.schema)).",
                at: "type of \(place)", "type of \(own)(\(argument.name):)")
        }
    }

    private static func checkOwnArguments(
        _ promised: SchemaField, _ promise: String, _ field: SchemaField, _ own: String,
        _ context: inout TypeSystemContext
    ) {
        for argument in field.arguments where argument.isRequired {
            if promised.argument(argument.name) != nil { continue }
            context.report(
                "Argument \(own)(\(argument.name):) must not be required type "
                    + "\(argument.type.text(in: context.schema)) if not provided by the "
                    + "Interface field \(promise).",
                at: "\(own)(\(argument.name):)", promise)
        }
    }
}

extension Schema {
    /// IsValidImplementationFieldType (GraphQL 3.6): whether each value of a type is one of
    /// another.
    fileprivate func isSubtype(_ type: TypeUse, of other: TypeUse) -> Bool {
        if type == other { return true }
        if other.isNonNull {
            return type.isNonNull && isSubtype(type.nullable, of: other.nullable)
        }
        if type.isNonNull { return isSubtype(type.nullable, of: other) }
        switch (type.item, other.item) {
        case (let item?, let otherItem?): return isSubtype(item, of: otherItem)
        case (nil, nil):
            switch kind(of: other.named) {
            case .interface: return types[type.named].interfaces.contains(other.named)
            case .union: return types[other.named].possibleTypes.contains(type.named)
            default: return false
            }
        default: return false
        }
    }
}
