import Bytes
import Glibc
import JSON

// The hub's own GraphQL for comparisons from outside: one case a line on standard input, its answer
// a line on standard output, until the input ends. `Case` says what a line holds.

var engine = Engine()
while let line = readLine() {
    let answer: JSONValue
    do throws(JSONError) {
        answer = engine.answer(to: Case(try JSONValue(parsing: line)))
    } catch {
        answer = .object(["fault": "the case is no JSON"])
    }
    var output = ByteQueue()
    output.append(json: answer)
    output.append("\n")
    output.withBytes { bytes in
        var sent = 0
        while sent < bytes.count {
            let count = write(STDOUT_FILENO, bytes.baseAddress! + sent, bytes.count - sent)
            guard count > 0 else { exit(1) }
            sent += count
        }
    }
}
