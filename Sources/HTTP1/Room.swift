// The HTTP1 room.
