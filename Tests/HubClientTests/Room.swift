// HubClientTests.
