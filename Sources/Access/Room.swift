// The Access room.
