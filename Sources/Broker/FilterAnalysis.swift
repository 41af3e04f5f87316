import JSON
import Records

/// One way to pass a filter that the index can look up: these fields have these values.
///
/// Empty is the term of filters that the index cannot help with.
struct IndexTerm: Hashable {
    /// The tested fields, in a fixed order; the values stand in the same order.
    var paths: [Filter.FieldPath] = []
    var values: [JSONValue] = []

    /// Both terms' tests together, or nil if they ask one field for two values.
    func joined(with other: IndexTerm) -> IndexTerm? {
        var result = self
        for (path, value) in zip(other.paths, other.values) {
            if let place = result.paths.firstIndex(of: path) {
                guard FieldOrder.equal(result.values[place], value) else { return nil }
                continue
            }
            let place = result.paths.firstIndex { path.sortsBefore($0) } ?? result.paths.count
            result.paths.insert(path, at: place)
            result.values.insert(value, at: place)
        }
        return result
    }
}

/// Takes a filter apart into what the index can look up and what must still be evaluated.
struct FilterAnalysis {
    /// A filter that spreads over more terms than this is indexed by less of itself.
    static let termsMax = 64

    /// The record must match one of these.
    let terms: [IndexTerm]
    /// What else it must pass; nil if matching a term says everything.
    let residue: Filter?

    init(_ filter: Filter) {
        let simple = filter.simplified
        let (terms, isExact) = Self.terms(of: simple)
        self.terms = terms
        residue = isExact ? nil : simple
    }

    private static func terms(of filter: Filter) -> (terms: [IndexTerm], isExact: Bool) {
        switch filter {
        case .all: return ([IndexTerm()], true)
        case .test(let path, .equal(let value)):
            return ([IndexTerm(paths: [path], values: [value.indexKey])], true)
        case .test(let path, .isIn(let values)) where values.count <= termsMax:
            let keys = Set(values.map(\.indexKey))
            return (keys.map { IndexTerm(paths: [path], values: [$0]) }, true)
        case .test, .not: return ([IndexTerm()], false)
        case .or(let parts):
            var all: [IndexTerm] = []
            var isExact = true
            for part in parts {
                let (terms, exact) = Self.terms(of: part)
                all += terms
                isExact = isExact && exact
                // One part that the index cannot narrow makes the whole list a scan.
                if all.count > termsMax || terms.contains(where: \.paths.isEmpty) {
                    return ([IndexTerm()], false)
                }
            }
            return (Array(Set(all)), isExact)
        case .and(let parts):
            var all = [IndexTerm()]
            var isExact = true
            for part in parts {
                let (terms, exact) = Self.terms(of: part)
                if terms.count * all.count > termsMax {
                    isExact = false
                    continue
                }
                isExact = isExact && exact
                all = all.flatMap { one in terms.compactMap { one.joined(with: $0) } }
            }
            return (Array(Set(all)), isExact)
        }
    }
}

extension Filter.FieldPath {
    /// A fixed order, so that the same set of fields has one form.
    func sortsBefore(_ other: Filter.FieldPath) -> Bool {
        if relations != other.relations {
            return relations.lexicographicallyPrecedes(other.relations)
        }
        return slot < other.slot
    }
}

extension JSONValue {
    /// The form in which equal numbers are equal keys: doubles without a fraction as integers.
    var indexKey: JSONValue {
        if case .double(let value) = self, let whole = Int64(exactly: value) { return .int(whole) }
        return self
    }
}
