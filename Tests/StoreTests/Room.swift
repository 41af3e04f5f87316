// StoreTests.
