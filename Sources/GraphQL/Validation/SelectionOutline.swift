import Bytes

/// All selection sets of a document as flat tables, with the types that the walk has found.
///
/// The rules that look at whole documents (merging, cycles, unused fragments) read this and not
/// the tree: names are small numbers, fragments and sets are indices, nothing is looked up.
struct SelectionOutline {
    typealias FieldIndex = Int
    typealias SetIndex = Int
    typealias FragmentIndex = Int

    /// A selected field.
    struct Field {
        /// The response name's number.
        var responseName: Int
        /// The field as written.
        var selection: FieldSelection
        /// The type it is selected on, if known.
        var parent: TypeID?
        /// Whether that is an object type, so that no other object type is meant.
        var isOnObject: Bool
        /// What the schema says of the field, if it knows it.
        var type: TypeUse?
        /// What it selects.
        var set: SetIndex?
    }

    /// An entry of a selection set.
    enum Entry {
        case field(FieldIndex)
        case inline(SetIndex)
        case spread(FragmentIndex)
    }

    /// `...Name` of a fragment that exists.
    struct Spread {
        var fragment: FragmentIndex
        var offset: Int
    }

    /// All fields, in the order of the document.
    private(set) var fields: [Field] = []
    /// The entries of each set.
    private(set) var sets: [[Entry]] = []
    /// How many different response names there are.
    private(set) var namesCount = 0
    private var names: [Text: Int] = [:]

    /// Makes room for a set whose entries follow.
    mutating func openSet() -> SetIndex {
        sets.append([])
        return sets.count - 1
    }

    mutating func append(_ entry: Entry, to set: SetIndex) { sets[set].append(entry) }

    /// Adds a field whose selections follow, if it has any.
    mutating func append(
        _ selection: FieldSelection, on parent: TypeID?, isObject: Bool, type: TypeUse?,
        to set: SetIndex
    ) -> FieldIndex {
        let field = Field(
            responseName: number(of: selection.responseName), selection: selection,
            parent: parent, isOnObject: isObject, type: type)
        fields.append(field)
        sets[set].append(.field(fields.count - 1))
        return fields.count - 1
    }

    /// Says what a field selects.
    mutating func setSelections(of field: FieldIndex, to set: SetIndex) {
        fields[field].set = set
    }

    /// The number of a response name.
    private mutating func number(of name: Text) -> Int {
        if let number = names[name] { return number }
        names[name] = namesCount
        namesCount += 1
        return namesCount - 1
    }
}
