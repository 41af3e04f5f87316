// The GraphQL room.
