import Bytes
import JSON
import Records

/// A record by the names of its fields, nulls left out.
typealias Row = [Text: JSONValue]

/// One committed change as the checkers see it.
struct Commit {
    var offset: UInt64
    var kind: Change.Kind
    var model: Text
    /// The record itself, then what its relations lead to at that moment, step by step.
    var chain: [Row?]
    let id: Text
    /// The text that names the write that made the record what it is.
    let token: Text

    init(offset: UInt64, kind: Change.Kind, model: Text, chain: [Row?]) {
        self.offset = offset
        self.kind = kind
        self.model = model
        self.chain = chain
        let row = chain[0] ?? [:]
        id = row["id"]?.text ?? ""
        token = row[model == "Thread" ? "name" : "body"]?.text ?? ""
    }
}

/// Everything that the store has committed, with a picture of the records kept beside it.
///
/// The checkers' only source of truth. Relations are followed in its own picture, not in what
/// the store attached to the changes.
final class Journal {
    /// The belongs-to relation of each model: its foreign key and the model that it leads to.
    static let parents: [Text: (key: Text, model: Text)] = [
        "Message": ("messageThreadId", "Thread"), "Reply": ("replyMessageId", "Message"),
    ]

    private let layout: DataLayout
    private(set) var commits: [Commit] = []
    private var rows: [Text: [Text: Row]] = [:]
    private var present: [Text: [Text]] = [:]
    /// The places of the commits of each model's record.
    private var histories: [Text: [Int]] = [:]
    /// What is wrong with the log itself.
    private(set) var fault: String?

    init(layout: DataLayout) { self.layout = layout }

    /// The offset of the last commit.
    var end: UInt64 { UInt64(commits.count) }

    func add(_ changes: [Change]) {
        for change in changes { add(change) }
    }

    private func add(_ change: Change) {
        if change.offset != end + 1 {
            fault = fault ?? "offset \(change.offset) was committed after \(end)"
        }
        let model = layout.models[change.record.model]
        var row: Row = [:]
        for (field, value) in zip(model.fields, change.record.values) where !value.isNull {
            row[field.name] = value
        }
        let id = row["id"]?.text ?? ""
        if change.kind == .create, rows[model.name]?[id] == nil {
            present[model.name, default: []].append(id)
        }
        if change.kind == .delete { present[model.name]?.removeAll { $0 == id } }
        rows[model.name, default: [:]][id] = change.kind == .delete ? nil : row
        let commit = Commit(
            offset: change.offset, kind: change.kind, model: model.name,
            chain: chain(from: row, model.name))
        histories[key(commit.model, id), default: []].append(commits.count)
        commits.append(commit)
    }

    private func key(_ model: Text, _ id: Text) -> Text { Text("\(model)/\(id)") }

    private func chain(from row: Row, _ model: Text) -> [Row?] {
        var chain: [Row?] = [row]
        var model = model
        while let parent = Self.parents[model] {
            let id = chain.last??[parent.key]?.text
            chain.append(id.flatMap { rows[parent.model]?[$0] })
            model = parent.model
        }
        return chain
    }

    /// The first commit behind `offset` that passes.
    func first(after offset: UInt64, where passes: (Commit) -> Bool) -> Commit? {
        commits[min(Int(offset), commits.count)...].first(where: passes)
    }

    /// The tokens that the record had at any moment from `offset` until now; nil: it was absent.
    func tokens(of model: Text, _ id: Text, since offset: UInt64) -> Set<Text?> {
        var tokens: Set<Text?> = []
        var before: Text?
        for index in histories[key(model, id)] ?? [] {
            let commit = commits[index]
            if commit.offset > offset { tokens.insert(before) }
            before = commit.kind == .delete ? nil : commit.token
        }
        tokens.insert(before)
        return tokens
    }

    /// The ids of the records that are there now, in the order of their creation.
    func ids(of model: Text) -> [Text] { present[model] ?? [] }
}
