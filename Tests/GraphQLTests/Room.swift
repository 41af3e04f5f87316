// GraphQLTests.
