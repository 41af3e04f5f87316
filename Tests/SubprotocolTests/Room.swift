// SubprotocolTests.
