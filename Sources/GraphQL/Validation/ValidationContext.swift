import Bytes

/// What all rules of one validation share: document, schema, fragments by name, the outline that
/// the walk makes, and the errors found.
final class ValidationContext {
    let document: Document
    let schema: Schema
    let options: ValidationOptions

    /// All fragments, in the order of the text; of equal names the first one is meant.
    let fragments: [FragmentDefinition]
    /// All operations, in the order of the text.
    let operations: [OperationDefinition]
    private let fragmentNames: NameNumbers
    /// The first fragment of each name.
    private let fragmentIndices: [Int]

    // Exclusivity is not checked on what the walk fills: only the walk writes, before the rules
    // read, and no reader is lent to a writer.

    /// Complete after the walk.
    @exclusivity(unchecked) var outline = SelectionOutline()
    /// Complete after the walk.
    @exclusivity(unchecked) var graph: FragmentGraph
    /// The selection sets of the operations and of the fragments, by their indices.
    var operationSets: [Int] = []
    var fragmentSets: [Int] = []
    /// Variables used in the operations themselves and in the fragments themselves.
    var operationUses: [[VariableUse]] = []
    var fragmentUses: [[VariableUse]] = []

    private let stepsMax: Int
    /// Which types have objects in common, as far as it was asked.
    var overlaps = TypeOverlaps()
    /// The first operation of each name, if there are several operations.
    private let firstOperations: (names: NameNumbers, indices: [Int])

    @exclusivity(unchecked) private(set) var findings: Findings
    private var stepsLeft: Int

    init(
        _ document: Document, _ schema: Schema, _ limits: DocumentLimits,
        _ options: ValidationOptions
    ) {
        self.document = document
        self.schema = schema
        self.options = options
        var fragments: [FragmentDefinition] = []
        var operations: [OperationDefinition] = []
        var names = NameNumbers()
        var indices: [Int] = []
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): operations.append(operation)
            case .fragment(let fragment):
                if names.insert(fragment.name.text) { indices.append(fragments.count) }
                fragments.append(fragment)
            default: break
            }
        }
        self.fragments = fragments
        self.operations = operations
        fragmentNames = names
        fragmentIndices = indices
        firstOperations = Self.firsts(of: operations)
        graph = FragmentGraph(fragmentsCount: fragments.count)
        findings = Findings(options, errorsMax: limits.errorsMax)
        stepsMax = options.stepsMax ?? limits.stepsMax
        stepsLeft = stepsMax
    }

    /// The fragment of that name, as an index.
    func fragment(named name: Text) -> Int? {
        fragmentNames[name].map { fragmentIndices[$0] }
    }

    /// The first operation of that name, as an index. Not known of a lone operation.
    func operation(named name: Text) -> Int? {
        firstOperations.names[name].map { firstOperations.indices[$0] }
    }

    private static func firsts(
        of operations: [OperationDefinition]
    ) -> (names: NameNumbers, indices: [Int]) {
        var names = NameNumbers()
        var indices: [Int] = []
        if operations.count < 2 { return (names, indices) }
        for (index, operation) in operations.enumerated() {
            if let name = operation.name, names.insert(name.text) { indices.append(index) }
        }
        return (names, indices)
    }

    // MARK: Errors

    /// Whether there is no room for another error: all work may stop.
    var isFull: Bool { findings.isFull }

    /// Keeps an error.
    func report(_ message: String, at offsets: Int...) {
        findings.report(message, at: offsets)
    }

    /// Keeps an error that belongs to several places.
    func report(_ message: String, at offsets: [Int]) {
        findings.report(message, at: offsets)
    }

    /// Takes steps off the allowance; false if it is used up, which ends the validation.
    func spend(_ steps: Int) -> Bool {
        stepsLeft -= steps
        if stepsLeft >= 0 { return true }
        findings.stop(
            "The document is too complex to validate: comparing its fields and variables takes "
                + "more than \(stepsMax) steps (\(DocumentLimit.steps.rawValue)). Use fewer "
                + "fragments within each other.", reaching: .steps)
        return false
    }

    // MARK: Questions of rules

    /// How many operations the document has.
    var operationsCount: Int { operations.count }

    /// The input object whose literal may stand in a place, as such or as a list's only item.
    func inputObject(for place: ValuePlace) -> SchemaType? {
        guard let type = place.type?.named, schema.kind(of: type) == .inputObject else {
            return nil
        }
        return schema.types[type]
    }

    /// Where the selection set begins whose first entry is at `offset`.
    func braceOffset(before offset: Int) -> Int {
        document.source.withBytes { bytes in
            var index = min(offset, bytes.count) - 1
            while index > 0, bytes[index] != UInt8(ascii: "{"), bytes[index] <= 0x2c { index -= 1 }
            return index >= 0 && bytes[index] == UInt8(ascii: "{") ? index : offset
        }
    }

    // MARK: Words for messages

    /// Near spellings as the end of a message, unless that is switched off.
    func question(_ word: Text, among names: some Sequence<Text>) -> String {
        // Comparing spellings is dear, and nobody reads it when there is no room for the error.
        guard options.suggestsNames, !isFull else { return "" }
        return Suggestions.question(Suggestions.near(word, among: names))
    }

    /// Of a message's two forms the one that may be told: `hidden` names nothing of the schema
    /// that the document does not name itself.
    func words(_ full: @autoclosure () -> String, hidden: @autoclosure () -> String) -> String {
        options.suggestsNames ? full() : hidden()
    }

    /// A type's name.
    func name(of type: TypeID) -> Text { schema.types[type].name }

    /// A type as it is written.
    func text(of type: TypeUse) -> String { type.text(in: schema) }
}
