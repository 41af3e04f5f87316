import Bytes
import HubClient
import Loop

/// What the command line asks for.
enum EchoOptions {
    /// Wait for clients and send their messages back.
    case server(port: UInt16, identity: TLSServerIdentity?)
    /// Go through the cases of a fuzzing server.
    case client(FuzzingServer)
    /// Say how it is used.
    case help

    /// Why a command line is of no use, in a sentence.
    struct Fault: Error {
        var message: String
    }

    static let usage = """
        usage: websocket-echo [--port N] [--tls-cert FILE --tls-key FILE]
               websocket-echo --connect URL [--agent NAME] [--ca-file FILE]

        Sends every WebSocket message back as it came, for conformance suites; compressed where
        permessage-deflate was agreed on.

          --port N          listen on port N of 127.0.0.1; 0, the default, lets the system choose
          --tls-cert FILE   PEM file of a certificate and its chain; the port then speaks TLS only
          --tls-key FILE    its key
          --connect URL     be the client: go through all cases of the fuzzing server at URL
                            (ws://host:port; /getCaseCount, /runCase and /updateReports)
          --agent NAME      what the fuzzing server is to call it; heliograph if not given
          --ca-file FILE    PEM file of the authority to trust, for wss

        exit codes: 0 all cases were gone through (what became of them is the server's to say),
        2 wrong usage, 3 a listener that could not start, 4 a fuzzing server that is not there or
        goes away
        """

    private static let names: Set = [
        "--port", "--tls-cert", "--tls-key", "--connect", "--agent", "--ca-file",
    ]

    static func read(_ arguments: [String]) throws(Fault) -> EchoOptions {
        if arguments == ["--help"] || arguments == ["-h"] { return .help }
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard names.contains(name) else { throw Fault(message: "unknown option \(name)") }
            guard let value = rest.popFirst() else { throw Fault(message: "\(name) has no value") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Fault(message: "\(name) is given twice")
            }
        }
        guard let url = values["--connect"] else { return try server(values) }
        return try client(url, values)
    }

    private static func server(_ values: [String: String]) throws(Fault) -> EchoOptions {
        for name in ["--agent", "--ca-file"] where values[name] != nil {
            throw Fault(message: "\(name) goes with --connect")
        }
        let text = values["--port"] ?? "0"
        guard let port = UInt16(text) else {
            throw Fault(message: "--port: \(text) is no number from 0 to 65535")
        }
        switch (values["--tls-cert"], values["--tls-key"]) {
        case (nil, nil): return .server(port: port, identity: nil)
        case (let certificate?, let key?):
            let pair = TLSKeyPair(certificateFile: certificate, keyFile: key)
            return try .server(
                port: port,
                identity: orFault { () throws(TLSError) in try TLSServerIdentity([pair]) })
        default: throw Fault(message: "--tls-cert and --tls-key go together")
        }
    }

    private static func client(
        _ url: String, _ values: [String: String]
    ) throws(Fault) -> EchoOptions {
        for name in ["--port", "--tls-cert", "--tls-key"] where values[name] != nil {
            throw Fault(message: "\(name) does not go with --connect")
        }
        let endpoint: Endpoint
        do throws(EndpointError) {
            endpoint = try Endpoint(Text(url))
        } catch {
            throw Fault(message: "--connect: \(error)")
        }
        let agent = values["--agent"] ?? "heliograph"
        // It goes into a URL as it is.
        guard agent.utf8.allSatisfy(isPlain), !agent.isEmpty else {
            throw Fault(message: "--agent: only letters, digits, '-', '.' and '_' may stand in it")
        }
        var trust = TLSClientTrust.system
        if let file = values["--ca-file"] {
            trust = try orFault { () throws(TLSError) in
                try TLSClientTrust(authoritiesIn: file)
            }
        }
        return .client(FuzzingServer(endpoint: endpoint, agent: Text(agent), trust: trust))
    }

    private static func orFault<Value>(
        _ make: () throws(TLSError) -> Value
    ) throws(Fault) -> Value {
        do throws(TLSError) {
            return try make()
        } catch {
            throw Fault(message: "TLS: \(error)")
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
