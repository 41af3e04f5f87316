// HouseTests.
