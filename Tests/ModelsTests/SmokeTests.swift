import Testing
import Models

@Suite struct SmokeTests {
    @Test(arguments: Example.allCases) func `the schemas of the examples are read`(example: Example)
        throws
    {
        let models = try example.models()
        for s in models.operationsSummary() { print(s) }
    }
}
