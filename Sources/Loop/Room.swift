// The Loop room.
