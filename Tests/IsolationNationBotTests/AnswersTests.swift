import Bytes
import Testing

@testable import IsolationNationBot

struct AnswersTests {
    /// Answers of a bot that has met Ada.
    private func answer(_ body: String, from name: String = "Ada") -> String {
        var answers = Answers(area: "SW1A")
        _ = answers.answer(to: "first", from: name)
        return answers.answer(to: body, from: name)
    }

    @Test func `a new neighbour is greeted once`() {
        var answers = Answers(area: "SW1A")
        #expect(
            answers.answer(to: "Hello!", from: "Ada")
                == "Welcome to SW1A, Ada. Hello Ada, good to hear from you.")
        #expect(answers.answer(to: "Hello!", from: "Ada") == "Hello Ada, good to hear from you.")
        #expect(answers.answer(to: "hi", from: "Bob").hasPrefix("Welcome to SW1A, Bob. "))
    }

    @Test(arguments: [
        ("Thanks a lot", "You are welcome, Ada."), ("THANK you!", "You are welcome, Ada."),
        ("goodnight", "Stay safe, Ada."),
        ("I need milk", "Who in SW1A is going to the shops and could bring something for Ada?"),
        ("can anyone help?", "Ada could do with a hand: who in SW1A is near?"),
        ("Is the park open?", "I do not know, Ada. Who in SW1A does?"),
        ("This is what I think", "Noted, Ada: that is your 2nd message."),
        ("", "Noted, Ada: that is your 2nd message."),
    ])
    func `the reply fits the message`(body: String, reply: String) {
        #expect(answer(body) == reply)
    }

    @Test func `messages and neighbours are counted`() {
        var answers = Answers(area: "M1")
        #expect(
            answers.answer(to: "How many of us?", from: "Ada")
                == "Welcome to M1, Ada. I have heard 1 message from 1 neighbour in M1.")
        _ = answers.answer(to: "x", from: "Bob")
        #expect(
            answers.answer(to: "and how many now", from: "Bob")
                == "I have heard 3 messages from 2 neighbours in M1.")
    }

    @Test func `ordinals are those of English`() {
        var answers = Answers(area: "M1")
        let replies = (1...23).map { _ in answers.answer(to: "so", from: "Ada") }
        for (number, ordinal) in [
            2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
            21: "21st", 22: "22nd", 23: "23rd",
        ] {
            #expect(replies[number - 1] == "Noted, Ada: that is your \(ordinal) message.")
        }
    }

    @Test(arguments: ["NAME", "AREA", "O'Neill of AREA"])
    func `a name that looks like a place to be filled in is left alone`(name: String) {
        #expect(answer("I need milk", from: name).hasSuffix("bring something for \(name)?"))
    }
}

struct BotArgumentsTests {
    @Test func `a postcode may come as one word or two`() throws {
        for words in [["SW1A 1AA"], ["SW1A", "1AA"], ["sw1a1aa"]] {
            #expect(try BotArguments(words).area.name == "SW1A")
        }
    }

    @Test func `options are read wherever they stand`() throws {
        let arguments = try BotArguments([
            "--name", "Rex", "M1", "--url", "ws://hub:1/graphql", "--api-key", "k",
        ])
        #expect(arguments.area.name == "M1")
        #expect(arguments.name == "Rex")
        #expect(arguments.url == "ws://hub:1/graphql")
        #expect(arguments.key == "k")
    }

    @Test(arguments: [
        ([], "which postcode?"), (["nonsense"], "that is no postcode"),
        (["M1", "--nam", "x"], "unknown option --nam"), (["M1", "--name"], "needs a value"),
    ])
    func `what cannot be read is told in a sentence`(words: [String], expected: String) {
        do throws(BotFailure) {
            _ = try BotArguments(words)
            Issue.record("was taken")
        } catch {
            #expect(error.code == 2)
            #expect(error.message.contains(expected))
        }
    }
}

struct RecentIDsTests {
    @Test func `an id is new once, until many others have come`() {
        var ids = RecentIDs()
        let attempts = [ids.insert("a"), ids.insert("a")]
        for number in 0..<RecentIDs.countMax { ids.insert(Text("\(number)")) }
        let later = ids.insert("a")
        #expect(attempts == [true, false])
        #expect(later)
    }
}
