import Bytes
import JSON
import Records

/// The scalars that fields of models may have: GraphQL's own and AppSync's (AppSync contract 5).
enum FieldScalar: String, CaseIterable, Sendable {
    case id = "ID"
    case string = "String"
    case int = "Int"
    case float = "Float"
    case boolean = "Boolean"
    case date = "AWSDate"
    case time = "AWSTime"
    case dateTime = "AWSDateTime"
    case timestamp = "AWSTimestamp"
    case email = "AWSEmail"
    case json = "AWSJSON"
    case url = "AWSURL"
    case phone = "AWSPhone"
    case ipAddress = "AWSIPAddress"

    /// AppSync's own scalars, which GraphQL does not know.
    static var added: [FieldScalar] { allCases.filter { $0.rawValue.hasPrefix("AWS") } }

    /// How values are stored.
    var kind: FieldKind {
        switch self {
        case .int, .timestamp: .integer
        case .float: .double
        case .boolean: .boolean
        default: .text
        }
    }

    /// Which family of filter inputs tests it: the `String` of `ModelStringInput`.
    var filterFamily: FilterFamily {
        switch self {
        case .id: .id
        case .int, .timestamp: .int
        case .float: .float
        case .boolean: .boolean
        default: .string
        }
    }

    /// The accepted form, for the type's description and for messages.
    var form: String {
        switch self {
        case .id, .string: "a text"
        case .int: "a whole number of 32 bits"
        case .float: "a number"
        case .boolean: "true or false"
        case .date: "a date such as 2026-03-01, with an optional offset such as Z or +05:30"
        case .time: "a time such as 12:30:24.500, with an optional offset such as Z or +05:30"
        case .dateTime:
            "a date and time with an offset, such as 2026-03-01T12:30:24.500Z or with +05:30"
        case .timestamp: "a whole number of seconds since 1970, negative before"
        case .email: "an email address such as someone@example.com"
        case .json: "a string that holds valid JSON"
        case .url: "a URL with its scheme, such as https://example.com/page"
        case .phone: "a telephone number of digits, spaces and hyphens, with + and the country code"
        case .ipAddress: "an IP address of version 4 or 6, with an optional /prefix length"
        }
    }

    /// Whether a JSON value is one of an added scalar's; GraphQL's own have their own rules.
    func accepts(_ value: JSONValue) -> Bool {
        if self == .timestamp { return value.integer != nil }
        guard let text = value.text else { return false }
        return switch self {
        case .date: CalendarText.isDate(text)
        case .time: CalendarText.isTime(text)
        case .dateTime: CalendarText.isDateTime(text)
        case .email: NetworkText.isEmail(text)
        // Why the text is not JSON does not matter here: the form says what is wanted.
        case .json: (try? JSONValue(parsing: text.string)) != nil
        case .url: NetworkText.isURL(text)
        case .phone: NetworkText.isPhone(text)
        case .ipAddress: NetworkText.isIPAddress(text)
        default: true
        }
    }
}

/// The families of filter inputs: `Model<family>Input` (AppSync contract 4.4).
enum FilterFamily: String, CaseIterable, Sendable {
    case string = "String"
    case id = "ID"
    case int = "Int"
    case float = "Float"
    case boolean = "Boolean"
}
