// The SQLiteStore room.
