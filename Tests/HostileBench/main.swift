import Bytes
import Glibc
import GraphQL
import HostileDocuments
import JSON

/// Measures what documents of each hostile family cost until they are ready to run or refused:
/// at a server's limits, and without them at n, 2n and 4n, to see whether the cost grows faster
/// than the document. Ends with 1 if a family is dearer than it may be.
let bench = FamilyBench()
let rows = bench.run(filter: CommandLine.arguments.dropFirst().first)
for row in rows { print(row.line) }
let failures = rows.filter { !$0.isWithinBounds }
print("\(rows.count) families, \(failures.count) beyond \(FamilyBench.ratioMax)x the benign one")
exit(failures.isEmpty ? 0 : 1)
