// Measures what preparing an operation costs that no cache knows, and what finding a known one
// costs.
//
//     PrepareBench SCHEMA.graphql DOCUMENT.graphql COUNT
//
// One line of JSON: nanoseconds of CPU time for each call.

import Bytes
import Glibc
import GraphQL
import Hub
import Models

func readFile(_ path: String) -> Text {
    guard let file = fopen(path, "r") else { fatalError("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
        bytes += part[..<count]
    }
    return Text(String(decoding: bytes, as: UTF8.self))
}

/// CPU time of this process, so that other work on the machine disturbs little.
func cpuNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

let words = CommandLine.arguments
guard words.count == 4, let count = Int(words[3]), count > 3 else {
    fatalError("usage: PrepareBench SCHEMA.graphql DOCUMENT.graphql COUNT")
}

/// What one call costs, in nanoseconds, once all is warm.
func cost(_ body: () -> Void) -> Double {
    for _ in 0..<(count / 4) { body() }
    let start = cpuNanoseconds()
    for _ in 0..<count { body() }
    return Double(cpuNanoseconds() - start) / Double(count)
}

let schema = try ModelSchema(sdl: readFile(words[1])).schema
let text = readFile(words[2])
let document = try Document(parsing: text)
if case .failure(let errors) = PreparedOperation.prepare(text, schema: schema) {
    fatalError("the document is not valid: \(errors.errors[0].message)")
}
let limits = Limits()
var cache = OperationCache(
    countMax: limits.preparedOperationsMax, bytesMax: limits.preparedBytesMax)

let parse = cost { _ = try? Document(parsing: text) }
let validation = cost { _ = validate(document, schema: schema) }
let total = cost { _ = PreparedOperation.prepare(text, schema: schema) }
let known = cost {
    _ = cache.operation(
        text, named: nil, schema: schema, limits: limits.document, ValidationOptions())
}
print(
    """
    {"bytes": \(text.byteCount), "parse": \(parse), "validate": \(validation), \
    "plan": \(total - parse - validation), "prepare": \(total), "look-up": \(known)}
    """)
