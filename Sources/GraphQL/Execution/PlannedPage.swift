import Bytes
import JSON

/// A page's size as far as it is known without variables.
enum PlannedPage: Sendable {
    /// At most this many items.
    case fixed(Int)
    /// The value of a variable decides.
    case variable(Text, PageSize)

    init(_ size: PageSize, _ arguments: PlannedArguments) {
        switch arguments {
        case .constant(let object): self = .fixed(size.count(object[size.argument]))
        case .invalid: self = .fixed(0)
        case .dynamic(let given):
            switch given.first(where: { $0.name.text == size.argument })?.value.kind {
            case nil, .null: self = .fixed(size.usual)
            case .int(let digits):
                self = .fixed(size.count(.int(Int64(digits.string) ?? .max)))
            case .variable(let name): self = .variable(name, size)
            default: self = .fixed(size.max)
            }
        }
    }
}
