// BytesTests.
