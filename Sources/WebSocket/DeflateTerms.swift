/// The parameters of one permessage-deflate offer or answer as they were read (RFC 7692 §7.1).
struct DeflateTerms {
    /// Whether they stand in a client's offer or in a server's answer.
    let isAnswer: Bool
    /// False once something was read that obliges the reader to decline.
    private(set) var isLegal = true
    private(set) var hasServerNoContextTakeover = false
    private(set) var hasClientNoContextTakeover = false
    private(set) var serverMaxWindowBits: UInt8?
    private(set) var clientMaxWindowBits: UInt8?
    private var hasClientMaxWindowBits = false

    init(isAnswer: Bool) { self.isAnswer = isAnswer }

    /// Whether the name is this extension's.
    static func isNamed(_ name: UnsafeRawBufferPointer) -> Bool {
        equals(name, "permessage-deflate")
    }

    /// Takes one more parameter. What is unknown, has a wrong value or comes twice makes the
    /// terms illegal (§7).
    mutating func take(_ name: UnsafeRawBufferPointer, _ value: [UInt8]?) {
        if Self.equals(name, "server_no_context_takeover") {
            isLegal = isLegal && value == nil && !hasServerNoContextTakeover
            hasServerNoContextTakeover = true
        } else if Self.equals(name, "client_no_context_takeover") {
            isLegal = isLegal && value == nil && !hasClientNoContextTakeover
            hasClientNoContextTakeover = true
        } else if Self.equals(name, "server_max_window_bits") {
            let bits = value.flatMap(Self.windowBits)
            isLegal = isLegal && bits != nil && serverMaxWindowBits == nil
            serverMaxWindowBits = bits
        } else if Self.equals(name, "client_max_window_bits") {
            let bits = value.flatMap(Self.windowBits)
            // Without a value it says that the client knows the parameter: in offers (§7.1.2.2).
            let mayStand = bits != nil || value == nil && !isAnswer
            isLegal = isLegal && mayStand && !hasClientMaxWindowBits
            hasClientMaxWindowBits = true
            clientMaxWindowBits = bits
        } else {
            isLegal = false
        }
    }

    /// "a decimal integer value without leading zeroes between 8 to 15, inclusive" (§7.1.2.1)
    private static func windowBits(_ value: [UInt8]) -> UInt8? {
        let zero = UInt8(ascii: "0")
        switch value.count {
        case 1 where value[0] == zero + 8 || value[0] == zero + 9: return value[0] - zero
        case 2 where value[0] == zero + 1 && (zero...(zero + 5)).contains(value[1]):
            return 10 + value[1] - zero
        default: return nil
        }
    }

    private static func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        bytes.elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
