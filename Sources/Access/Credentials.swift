public import Bytes
public import JSON

/// What a peer showed of itself in one place: the fields of an HTTP request, the payload of
/// `connection_init`, AppSync's `header` object or the `authorization` of a `start`.
///
///     var credentials = Credentials()
///     credentials.gather(name: "X-Api-Key", value: value)     // each field of the head
///     let closer = Credentials(startAuthorization)            // members of a JSON object
///     let permit = try policy.permit(for: credentials.overridden(by: closer))
///
/// Names are taken in any case: HTTP demands it, and AppSync's clients differ in the case of
/// JSON members too (AppSync contract 1.2). Printing shows which kinds were given, no values.
public struct Credentials: Sendable {
    /// The value of `x-api-key`, nil if it was not given. May be anything, also empty.
    public private(set) var apiKey: Text?

    /// The value of `Authorization`, nil if it was not given. May be anything, also empty.
    public private(set) var authorization: Text?

    /// What was given, in so many words.
    public init(apiKey: Text? = nil, authorization: Text? = nil) {
        self.apiKey = apiKey
        self.authorization = authorization
    }

    /// The credentials among the members of a JSON object.
    public init(_ object: JSONObject) {
        for member in object.members {
            // A member that is no string was given and opens nothing: as if it were empty.
            gather(name: member.name, value: member.value.text ?? "")
        }
    }

    /// Whether this place named no credentials at all.
    public var isEmpty: Bool { apiKey == nil && authorization == nil }

    /// Takes one field or member if it bears a credential; all others are passed over.
    ///
    /// A name given twice means its values joined by a comma (RFC 9110 §5.3). No key holds a
    /// comma, so a doubled key is refused even if both are right, never half believed.
    public mutating func gather(name: Text, value: Text) {
        if name.isEqualIgnoringCase("x-api-key") {
            apiKey = Self.joined(apiKey, value)
        } else if name.isEqualIgnoringCase("authorization") {
            authorization = Self.joined(authorization, value)
        }
    }

    /// The credentials of the place closer to the operation if it named any, else these.
    ///
    /// Nothing is mixed: a wrong key in a `start` is not healed by a right one in the handshake.
    public func overridden(by closer: Credentials) -> Credentials {
        closer.isEmpty ? self : closer
    }

    private static func joined(_ earlier: Text?, _ value: Text) -> Text {
        guard let earlier else { return value }
        return Text(earlier.string + "," + value.string)
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which kinds were given.
    public var description: String {
        let kinds = [apiKey.map { _ in "x-api-key" }, authorization.map { _ in "authorization" }]
        let given = kinds.compactMap(\.self)
        return "credentials: " + (given.isEmpty ? "none" : given.joined(separator: ", "))
    }
    /// The same words.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no values either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Text {
    /// Whether both are the same, the letters of ASCII in either case.
    fileprivate func isEqualIgnoringCase(_ lowerCase: StaticString) -> Bool {
        withBytes { bytes in
            guard bytes.count == lowerCase.utf8CodeUnitCount else { return false }
            return bytes.indices.allSatisfy { index in
                let byte = bytes[index]
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                return (isUpper ? byte | 0x20 : byte) == lowerCase.utf8Start[index]
            }
        }
    }
}
