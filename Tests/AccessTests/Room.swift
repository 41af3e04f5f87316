// AccessTests.
