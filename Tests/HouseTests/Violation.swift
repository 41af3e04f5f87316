/// A place that breaks a rule of the house, and what to do instead.
struct Violation: Hashable, CustomStringConvertible {
    var path: String
    var line: Int
    var rule: String
    var instead: String

    var description: String { "\(path):\(line): \(rule); \(instead)" }
}
