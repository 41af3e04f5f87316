import Bytes
import GraphQL
import HostileDocuments
import JSON

/// The measurements of all families.
struct FamilyBench {
    /// A hostile byte may cost this many times a benign one.
    static let ratioMax = 10.0
    /// The size of the documents at a server's limits.
    static let bytes = 262_144

    private let schema: Schema
    private let lifted = DocumentLimits(
        bytesMax: 1 << 26, tokensMax: 1 << 26, aliasesMax: 1 << 26, spreadsMax: 1 << 26,
        directivesMax: 1 << 26, directivesPerPlaceMax: 1 << 26, rootFieldsMax: 1 << 26,
        costMax: .max)

    init() {
        var builder = SchemaBuilder()
        do {
            builder.add(try Document(parsing: Text(HostileSchema.sdl), limits: .schema))
            schema = try builder.build()
        } catch {
            preconditionFailure("the hostile documents' schema is none: \(error)")
        }
    }

    /// Measures the families whose names contain the filter.
    func run(filter: String?) -> [FamilyRow] {
        let benign = nanosecondsPerByte(.benign, bytes: Self.bytes, limits: lifted).perByte
        let families = [HostileFamily.benign] + HostileFamily.all
        return families.filter { filter.map($0.name.contains) ?? true }.map { family in
            let within = nanosecondsPerByte(family, bytes: Self.bytes, limits: DocumentLimits())
            let sizes = [1, 2, 4].map {
                nanosecondsPerByte(family, bytes: Self.bytes / 4 * $0, limits: lifted)
            }
            return FamilyRow(
                name: family.name, milliseconds: within.perByte * Double(within.bytes) / 1e6,
                liftedMilliseconds: sizes[2].perByte * Double(sizes[2].bytes) / 1e6,
                growth: sizes[2].perByte / sizes[0].perByte,
                ratio: max(within.perByte, sizes[2].perByte) / benign, outcome: within.outcome,
                liftedOutcome: sizes[2].outcome)
        }
    }

    private func nanosecondsPerByte(
        _ family: HostileFamily, bytes: Int, limits: DocumentLimits
    ) -> (perByte: Double, bytes: Int, outcome: String) {
        let (n, text) = family.document(bytes: bytes)
        let document = Text(text)
        guard let variables = (try? JSONValue(parsing: family.variables(n)))?.object else {
            preconditionFailure("the variables of \(family.name) are no object")
        }
        var best = Double.infinity
        var outcome = ""
        let clock = ContinuousClock()
        for _ in 0..<3 {
            let taken = clock.measure {
                outcome = prepare(document, variables, limits)
            }
            let nanoseconds =
                Double(taken.components.seconds) * 1e9
                + Double(taken.components.attoseconds) / 1e9
            best = min(best, nanoseconds)
        }
        return (best / Double(text.utf8.count), text.utf8.count, outcome)
    }

    private func prepare(
        _ document: Text, _ variables: JSONObject, _ limits: DocumentLimits
    ) -> String {
        let name: Text? = document.string.contains("query Q0") ? "Q0" : nil
        switch PreparedOperation.prepare(
            document, operationName: name, schema: schema, limits: limits)
        {
        case .failure(let errors): return words(errors)
        case .success(let operation):
            switch operation.coerce(variables: variables) {
            case .failure(let errors): return words(errors)
            case .success: return "passes"
            }
        }
    }

    private func words(_ errors: OperationErrors) -> String {
        let first = errors.errors[0]
        if let limit = first.limit { return limit.rawValue }
        return errors.errors.contains { $0.message.hasPrefix("The document is too complex") }
            ? "too many steps" : "\(errors.errors.count) errors"
    }
}

/// What was measured of one family.
struct FamilyRow {
    var name: String
    /// For a document of 256 KiB at a server's limits, and without them.
    var milliseconds: Double
    var liftedMilliseconds: Double
    /// How much dearer a byte is in a document four times as long.
    var growth: Double
    /// How much dearer a byte is than a benign one.
    var ratio: Double
    var outcome: String
    var liftedOutcome: String

    var isWithinBounds: Bool { ratio <= FamilyBench.ratioMax }

    /// A row of a Markdown table.
    var line: String {
        "| \(name) | \(Self.text(milliseconds)) | \(outcome) | \(Self.text(liftedMilliseconds)) | "
            + "\(liftedOutcome) | \(Self.text(growth)) | \(Self.text(ratio)) |"
    }

    private static func text(_ number: Double) -> String {
        let tenths = (number * 10).rounded()
        return "\(Int(tenths) / 10).\(Int(tenths) % 10)"
    }
}
