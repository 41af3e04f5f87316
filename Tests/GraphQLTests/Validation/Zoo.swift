import Bytes
import GraphQL

/// The schema that all tests of validation share: animals, and a field for every form of value.
enum Zoo {
    /// The schema, built once.
    static let schema: Schema = {
        var builder = SchemaBuilder()
        do {
            builder.add(try Document(parsing: sdl, limits: .schema))
            return try builder.build()
        } catch {
            preconditionFailure("the zoo is no schema: \(error)")
        }
    }()

    static let sdl: Text = """
        schema { query: Query mutation: Mutation subscription: Subscription }

        directive @note(text: String) on QUERY | MUTATION | SUBSCRIPTION | FIELD |
          FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION
        directive @tag(name: String!) repeatable on FIELD | QUERY
        directive @onQuery on QUERY
        directive @onMutation on MUTATION
        directive @onSubscription on SUBSCRIPTION
        directive @onFragment on FRAGMENT_DEFINITION
        directive @onSpread on FRAGMENT_SPREAD
        directive @onInline on INLINE_FRAGMENT
        directive @onVariable on VARIABLE_DEFINITION
        directive @onField on FIELD
        directive @limit(to: Int! = 3, by: Point) on FIELD

        scalar Moment

        interface Being { id: ID! name(surname: Boolean): String }
        interface Mammal implements Being { id: ID! name(surname: Boolean): String mother:
          Mammal father: Mammal }
        interface Pet implements Being { id: ID! name(surname: Boolean): String keeper: Keeper }
        interface Canine implements Being & Mammal { id: ID! name(surname: Boolean): String
          mother: Canine father: Canine }

        type Dog implements Being & Pet & Mammal & Canine {
          id: ID!
          name(surname: Boolean): String
          nickname: String
          barks: Boolean
          barkVolume: Int
          weight: Float
          knows(trick: Trick): Boolean
          trained(atOther: Boolean = true): Boolean
          keeper: Keeper
          mother: Dog
          father: Dog
          friends(first: Int = 10, kinds: [Species!]): [Pet!]
        }

        type Cat implements Being & Pet {
          id: ID!
          name(surname: Boolean): String
          nickname: String
          meows: Boolean
          meowVolume: Int
          weight: String
          colour: Colour
          keeper: Keeper
        }

        type Parrot { words: [String!]! wingspan: Int }
        type Keeper implements Being { id: ID! name(surname: Boolean): String pets: [Pet]
          relatives: [Keeper] since: Moment }

        union CatOrDog = Cat | Dog
        union DogOrKeeper = Dog | Keeper
        union CatOrParrot = Cat | Parrot

        enum Trick { SIT HEEL JUMP }
        enum Colour { BLACK WHITE GINGER }
        enum Species { DOG CAT PARROT }

        input Point { x: Float! y: Float! label: String = "here" }
        input Search {
          required: Boolean!
          defaulted: Boolean! = false
          int: Int
          text: String
          flag: Boolean
          list: [String]
          colours: [Colour!]
          point: Point
          and: [Search!]
        }
        input Pick @oneOf { byID: ID byName: String byPoint: Point }

        type Arguments {
          int(n: Int): String
          nonNullInt(n: Int!): String
          float(n: Float): String
          text(s: String): String
          flag(b: Boolean): String
          id(id: ID): String
          colour(c: Colour): String
          moment(m: Moment): String
          list(l: [String]): String
          listOfNonNull(l: [String!]): String
          nonNullList(l: [String]!): String
          matrix(m: [[Int]]): String
          two(a: Int!, b: Int!): String
          defaulted(a: Int = 0, b: Int = 0): String
          nonNullDefaulted(n: Int! = 0): String
          search(by: Search): String
          pick(by: Pick): String
          nonNullPick(by: Pick!): String
          point(p: Point! ): String
        }

        type Query {
          keeper(id: ID): Keeper
          pet: Pet
          being: Being
          dog: Dog
          cat: Cat
          parrot: Parrot
          catOrDog: CatOrDog
          dogOrKeeper: DogOrKeeper
          catOrParrot: CatOrParrot
          mammal: Mammal
          canine: Canine
          arguments: Arguments
          box: Box
        }

        interface Box { text: String }
        type IntBox implements Box { text: String value: Int deep: IntBox strings: [String]
          other: TextBox }
        type TextBox implements Box { text: String value: String deep: TextBox strings:
          [String!] number: Int! other: IntBox }
        type ListBox implements Box { text: String value: [String] deep: [ListBox] }

        type Mutation { feed(dog: ID!, portions: Int = 1): Dog rename(id: ID!, name:
          String!): Pet }
        type Subscription { dogBarked(keeper: ID, loud: Boolean): Dog catMeowed: Cat
          messages(room: ID!): String }
        """
}
