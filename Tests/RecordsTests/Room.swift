// RecordsTests.
