import Bytes
import JSON

/// JSON text: what is taken is written and read back as the same value, and what tape and value
/// make of it agrees.
enum JSONFuzz {
    static func take(_ input: inout Input) {
        let depthMax = 1 + Int(input.decision() & 63)
        let bytes = input.restArray
        guard let value = parse(bytes, depthMax) else { return }
        let written = value.jsonBytes
        guard let again = parse(written, depthMax) else {
            fatalError("FOUND: what was written is not JSON: \(value)")
        }
        demand(again == value, "written and read, a value is another one: \(value) \(again)")
        demand(again.jsonBytes == written, "written twice, a value has two texts")
        demand(
            written.withUnsafeBytes { UTF8Check.isValid($0) }, "a text is written that is not UTF-8"
        )
        visit(bytes, depthMax, value)
    }

    private static func parse(_ bytes: [UInt8], _ depthMax: Int) -> JSONValue? {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes.span.bytes, depthMax: depthMax)
        } catch {
            demand(
                (0...bytes.count).contains(error.byteOffset), "an error lies outside of its text")
            return nil
        }
    }

    /// The members of an object by the tape are those of the value.
    private static func visit(_ bytes: [UInt8], _ depthMax: Int, _ value: JSONValue) {
        var tape = JSONTape()
        let span = bytes.span.bytes
        do throws(JSONError) {
            try tape.read(span, depthMax: depthMax)
        } catch {
            fatalError("FOUND: the tape refuses what the value takes: \(error)")
        }
        demand(tape.value(at: 0, in: span) == value, "tape and value differ")
        for name in ["id", "type", "payload", "query"] as [StaticString] {
            guard case .object(let object) = value else { return }
            let byTape = tape.member(name, of: 0, in: span).map { tape.value(at: $0, in: span) }
            demand(byTape == object[Text("\(name)")], "the member \(name) differs")
        }
    }
}
