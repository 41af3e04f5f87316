import Bytes

/// Lines and columns of some byte offsets, found in one pass.
struct LineMap {
    private var places: [Int: SourceLocation] = [:]

    init(of source: Text, at offsets: [Int]) {
        source.withBytes { bytes in
            var line = 1
            var column = 1
            var index = 0
            for offset in Set(offsets).sorted() where offset <= bytes.count {
                while index < offset {
                    let byte = bytes[index]
                    index += 1
                    if byte == 0x0a || byte == 0x0d {
                        if byte == 0x0d, index < bytes.count, bytes[index] == 0x0a { index += 1 }
                        line += 1
                        column = 1
                    } else if byte & 0xc0 != 0x80 {
                        column += 1
                    }
                }
                places[offset] = SourceLocation(line: line, column: column)
            }
        }
    }

    subscript(offset: Int) -> SourceLocation? { places[offset] }
}
