import Bytes
import JSON

/// A selection, worked out for its object types: what to write in which order and where the
/// values come from. Fragments are put in, equal response names merged, conditions decided.
///
/// Sets that are reached in several ways are shared, so that documents whose fragments multiply
/// do not multiply here. Steps and sets are plain numbers: walking them counts no references.
///
/// Unchecked because of the buffers: they are filled before `init` ends, never changed after, and
/// freed with the plan, so that any thread that holds the plan may read them.
final class Plan: @unchecked Sendable {
    let steps: UnsafeBufferPointer<Step>
    let sets: UnsafeBufferPointer<StepSet>
    let fields: [PlannedField]
    /// The response names as they are written, `,"name":` each; for `__typename` with its value.
    let keys: UnsafeBufferPointer<UInt8>
    /// The root's set.
    let root: Int
    /// What it costs by estimate, unless that depends on variables.
    private(set) var fixedCost: Int?

    init(steps: [Step], sets: [StepSet], fields: [PlannedField], keys: [UInt8], root: Int) {
        self.steps = Self.copy(steps)
        self.sets = Self.copy(sets)
        self.fields = fields
        self.keys = Self.copy(keys)
        self.root = root
        if !PlanCost.dependsOnVariables(fields) {
            fixedCost = PlanCost.estimate(self) { _ in nil }
        }
    }

    deinit {
        steps.deallocate()
        sets.deallocate()
        keys.deallocate()
    }

    private static func copy<T: BitwiseCopyable>(_ items: [T]) -> UnsafeBufferPointer<T> {
        let buffer = UnsafeMutableBufferPointer<T>.allocate(capacity: items.count)
        _ = buffer.initialize(from: items)
        return UnsafeBufferPointer(buffer)
    }
}

/// The fields of one object type, in the order of the response.
struct StepSet {
    var type: TypeID
    /// Its steps in `Plan.steps`.
    var firstStep: Int
    var stepCount: Int
    /// How many of its steps ask or lead to asks.
    var linkCount: Int
    /// Levels of objects from here down.
    var height: Int

    var steps: Range<Int> { firstStep..<(firstStep + stepCount) }
}

/// One field to write.
struct Step {
    /// Where the value comes from.
    enum Source: UInt8 {
        /// Nowhere: the key holds the value.
        case typename
        /// `slot` of the parent.
        case slot
        /// A member of the parent.
        case member
        /// A data source.
        case ask
        /// Introspection's field `slot`.
        case meta
    }

    /// How a leaf is written.
    enum Leaf: UInt8 {
        case none
        case int
        case float
        case string
        case boolean
        case id
        case enumeration
        /// A scalar with an output coercion.
        case custom
        /// A scalar that is written as it is.
        case raw
    }

    /// The key in `Plan.keys`, its comma first.
    var keyStart: Int32
    var keyEnd: Int32
    /// The slot, or introspection's field.
    var slot: Int32
    /// The set of an object type; -1 for leaves and abstract types.
    var childSet: Int32
    /// The place among the set's links; -1 for steps without asks.
    var link: Int32
    var source: Source
    var leaf: Leaf
    var isNonNull: Bool
    var isList: Bool
}

/// What is rarely needed of a step; at the same place in `Plan.fields` as the step in `steps`.
struct PlannedField {
    var responseName: Text
    var field: FieldID
    var type: TypeUse
    var arguments: PlannedArguments
    /// How many items its list may have; nil if no argument says so.
    var page: PlannedPage?
    /// The sets of the possible types, for abstract types.
    var children: [TypeID: Int]
    /// Where the field is selected first, and where again.
    var offset: Int
    var otherOffsets: [Int]
    /// Names of the selected fields of its value.
    var selection: [Text]
    /// The name to read, for members.
    var member: Text
}

/// A field's arguments as far as they are known without variables.
enum PlannedArguments {
    /// Coerced already.
    case constant(JSONObject)
    /// Known to fail.
    case invalid(InputError)
    /// To be coerced with the variables of each request.
    case dynamic([Argument])
}
