// The Hub room.
