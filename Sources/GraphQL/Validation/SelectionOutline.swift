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
    private var names = NameNumbers()

    /// How many different response names there are.
    var namesCount: Int { names.count }

    /// Makes room for a set of so many entries, which follow.
    mutating func openSet(of count: Int) -> SetIndex {
        var set: [Entry] = []
        set.reserveCapacity(count)
        sets.append(set)
        return sets.count - 1
    }

    mutating func append(_ entry: Entry, to set: SetIndex) { sets[set].append(entry) }

    /// Adds a field whose selections follow, if it has any.
    mutating func append(
        _ selection: FieldSelection, on parent: TypeID?, isObject: Bool, type: TypeUse?,
        to set: SetIndex
    ) -> FieldIndex {
        let field = Field(
            responseName: names.number(of: selection.responseName), selection: selection,
            parent: parent, isOnObject: isObject, type: type)
        fields.append(field)
        sets[set].append(.field(fields.count - 1))
        return fields.count - 1
    }

    /// Says what a field selects.
    mutating func setSelections(of field: FieldIndex, to set: SetIndex) {
        fields[field].set = set
    }
}
