// The WebSocket room.
