// BrokerTests.
