import Bytes
import GraphQL
import HostileDocuments
import JSON
import Testing

/// Every hostile family, at a size that reaches a server's limits: the steps that validation
/// counts grow no faster than the document, or their limit ends it.
struct HostileFamilyTests {
    private static let schema: Schema = {
        var builder = SchemaBuilder()
        do {
            builder.add(try Document(parsing: Text(HostileSchema.sdl), limits: .schema))
            return try builder.build()
        } catch {
            preconditionFailure("the hostile documents' schema is none: \(error)")
        }
    }()

    private func prepare(
        _ family: HostileFamily, _ n: Int, _ limits: DocumentLimits
    ) throws -> OperationErrors? {
        let text = Text(family.document(n))
        let name: Text? = text.string.contains("query Q0") ? "Q0" : nil
        let prepared = PreparedOperation.prepare(
            text, operationName: name, schema: Self.schema, limits: limits)
        let variables = try #require(try JSONValue(parsing: family.variables(n)).object)
        switch prepared {
        case .failure(let errors): return errors
        case .success(let operation):
            if case .failure(let errors) = operation.coerce(variables: variables) {
                return errors
            }
            return nil
        }
    }

    @Test(arguments: HostileFamily.all.indices)
    func `a document is answered by few errors or passes`(_ index: Int) throws {
        let family = HostileFamily.all[index]
        let (n, text) = family.document(bytes: 3_000)
        for limits in [DocumentLimits(), .lifted] {
            guard let errors = try prepare(family, n, limits) else { continue }
            var answer = ByteQueue()
            answer.append(json: errors.errors)
            #expect(errors.errors.count <= 100, "\(family.name)")
            #expect(answer.count <= 4 * text.utf8.count + 100_000, "\(family.name)")
        }
    }

    /// The least limit of steps under which a document is not refused for them, by halving.
    private func steps(_ family: HostileFamily, _ n: Int) throws -> Int {
        let document = try Document(parsing: Text(family.document(n)), limits: .lifted)
        var (low, high) = (0, 1 << 14)
        while high - low > 1 + high / 32 {
            let middle = (low + high) / 2
            let errors = validate(
                document, schema: Self.schema, options: ValidationOptions(stepsMax: middle))
            if errors.contains(where: { $0.limit == .steps }) {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }

    @Test(arguments: [
        "one field, again and again", "one field with a selection", "one field in inline fragments",
        "nested selections, twice", "a selection per type of a union", "a chain of fragments",
        "a chain that spreads the next twice", "fragments that double, in fields",
        "one fragment, spread again and again", "as many uses as variables",
        "as many fields as variables",
    ])
    func `twice the document takes about twice the steps`(_ name: String) throws {
        let family = try #require(HostileFamily.all.first { $0.name == name })
        let n = family.document(bytes: 1_000).n
        let counts = try [n, 2 * n, 4 * n].map { try steps(family, $0) }
        #expect(Double(counts[1]) < 2.3 * Double(counts[0]) + 50, "\(counts)")
        #expect(Double(counts[2]) < 2.3 * Double(counts[1]) + 50, "\(counts)")
    }
}
