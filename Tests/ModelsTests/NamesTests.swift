import Testing

@testable import Models

@Suite struct NamesTests {
    @Test(arguments: [
        (["Message", "thread", "id"], "messageThreadId"),
        (["UserThread", "user", "id"], "userThreadUserId"),
        (["Post", "blog_post", "id"], "postBlogPostId"),
        (["status", "createdAt"], "statusCreatedAt"), (["X"], "x"), ([], ""),
    ])
    func `parts are joined in camel case`(parts: [String], name: String) {
        #expect(Names.camelCase(parts) == name)
    }

    @Test func `an index without a name is named after its model and fields`() {
        let name = Names.defaultIndex(model: "Todo", hash: "status", sort: ["createdAt"])
        #expect(name == "todosByStatusAndCreatedAt")
    }

    @Test(arguments: [
        ("Strin", "String"), ("modle", "model"), ("conection", "connection"),
        ("AWSDatetime", "AWSDateTime"),
    ])
    func `a name that is nearly right gets a suggestion`(name: String, meant: String) {
        let known = ["String", "model", "connection", "AWSDateTime", "AWSDate", "ID"]
        #expect(Names.nearest(to: name, among: known) == meant)
    }

    @Test func `a name that is like none gets no suggestion`() {
        #expect(Names.nearest(to: "Zebra", among: ["String", "ID"]) == nil)
        #expect(Names.nearest(to: "", among: ["a"]) == nil)
    }
}
