package import Bytes
package import GraphQL

/// Operations that have been parsed, validated and planned once, by their text.
///
/// Bounded in number and in bytes of text; when full, the oldest goes first. An operation in use
/// by a subscription lives on with its group.
package struct OperationCache {
    private struct Key: Hashable {
        var text: Text
        var operationName: Text?
    }

    private var prepared: [Key: PreparedOperation] = [:]
    private var order: [Key] = []
    private var oldest = 0
    private var bytes = 0
    private let countMax: Int
    private let bytesMax: Int

    package init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    /// The operation behind the text; errors are not remembered.
    package mutating func operation(
        _ text: Text, named operationName: Text?, schema: Schema, limits: DocumentLimits,
        _ options: ValidationOptions
    ) -> Result<PreparedOperation, OperationErrors> {
        let key = Key(text: text, operationName: operationName)
        if let known = prepared[key] { return .success(known) }
        let result = PreparedOperation.prepare(
            text, operationName: operationName, schema: schema, limits: limits,
            options: options)
        if case .success(let operation) = result { remember(operation, under: key) }
        return result
    }

    private mutating func remember(_ operation: PreparedOperation, under key: Key) {
        guard key.text.byteCount <= bytesMax / 8 else { return }
        prepared[key] = operation
        order.append(key)
        bytes += key.text.byteCount
        while prepared.count > countMax || bytes > bytesMax {
            let first = order[oldest]
            oldest += 1
            bytes -= first.text.byteCount
            prepared[first] = nil
        }
        if oldest > order.count / 2 {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
