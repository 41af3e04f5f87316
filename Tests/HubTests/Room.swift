// HubTests.
