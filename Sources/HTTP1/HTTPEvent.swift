/// What an `HTTPReader` has read.
public enum HTTPEvent {
    /// A message begins.
    case head(HTTPHead)
    /// The client waits for leave to send the body (RFC 9110 §10.1.1): answer with
    /// `HTTPWriter.appendContinue`, or with a final response. Comes once, before the body.
    case continueExpected
    /// The next part of the body, lent until the reader is next called.
    case body(UnsafeRawBufferPointer)
    /// The message is whole.
    case end
}
