/// Questions about a type that are answered without taking the whole type out of the table.
extension Schema {
    /// Which kind of type.
    func kind(of type: TypeID) -> TypeKind { types[type].kind }

    /// Whether values are objects: object, interface or union.
    func isComposite(_ type: TypeID) -> Bool {
        switch kind(of: type) {
        case .object, .interface, .union: true
        case .scalar, .enumeration, .inputObject: false
        }
    }

    /// Whether it may stand as a type of arguments and variables.
    func isInput(_ type: TypeID) -> Bool {
        switch kind(of: type) {
        case .scalar, .enumeration, .inputObject: true
        case .object, .interface, .union: false
        }
    }
}
