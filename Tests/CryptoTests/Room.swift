// CryptoTests.
