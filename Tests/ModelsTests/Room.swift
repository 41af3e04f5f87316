// ModelsTests.
