// JSONTests.
