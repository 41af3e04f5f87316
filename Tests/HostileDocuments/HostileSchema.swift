/// The schema that hostile documents are written for.
public enum HostileSchema {
    /// Its definitions.
    public static let sdl = """
        schema { query: Query subscription: Subscription }

        directive @note(text: String) on FIELD
        directive @tag(name: String!) repeatable on FIELD

        interface Being { id: ID! name(surname: Boolean): String }
        interface Pet implements Being { id: ID! name(surname: Boolean): String keeper: Keeper }

        type Dog implements Being & Pet {
          id: ID!
          name(surname: Boolean): String
          nickname: String
          barks: Boolean
          barkVolume: Int
          weight: Float
          keeper: Keeper
          mother: Dog
          father: Dog
          friends(first: Int = 10, kinds: [Species!]): [Pet!]
        }

        type Cat implements Being & Pet {
          id: ID!
          name(surname: Boolean): String
          weight: String
          keeper: Keeper
        }

        type Keeper implements Being {
          id: ID!
          name(surname: Boolean): String
          pets: [Pet]
          since: String
        }

        enum Species { DOG CAT PARROT }

        input Point { x: Float! y: Float! }
        input Search {
          required: Boolean!
          int: Int
          text: String
          list: [String]
          colours: [Colour!]
          point: Point
          and: [Search!]
        }
        enum Colour { BLACK WHITE GINGER }

        type Arguments {
          int(n: Int): String
          float(n: Float): String
          text(s: String): String
          list(l: [String]): String
          matrix(m: [[Int]]): String
          two(a: Int!, b: Int!): String
          search(by: Search): String
        }

        type Query {
          keeper(id: ID): Keeper
          pet: Pet
          being: Being
          dog: Dog
          arguments: Arguments
        }

        type Subscription { dog: Dog }
        """
}
