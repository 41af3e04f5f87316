// SQLiteStoreTests.
