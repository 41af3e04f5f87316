/// What an identity may do. Groups of subscriptions are keyed by it: two subscribers share one
/// execution of an event only under the same permit.
public enum Permit: Sendable, Hashable {
    /// Every operation on every model.
    case full
}
