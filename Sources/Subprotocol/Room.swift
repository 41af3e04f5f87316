// The Subprotocol room.
