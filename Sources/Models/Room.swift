// The Models room.
