// EndToEndTests.
