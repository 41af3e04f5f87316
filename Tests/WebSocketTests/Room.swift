// WebSocketTests.
