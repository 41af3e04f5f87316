import Testing

@testable import Models

@Suite struct PluralTests {
    @Test(arguments: [
        ("Thread", "Threads"), ("Reply", "Replies"), ("UserThread", "UserThreads"),
        ("Note", "Notes"), ("Account", "Accounts"), ("Message", "Messages"),
        ("Category", "Categories"), ("Day", "Days"), ("Boy", "Boys"), ("Soliloquy", "Soliloquies"),
        ("Box", "Boxes"), ("Match", "Matches"), ("Class", "Classes"), ("Dish", "Dishes"),
        ("Buzz", "Buzzes"), ("Bus", "Buses"), ("Status", "Statuses"), ("Virus", "Viri"),
        ("Cactus", "Cacti"), ("Alias", "Aliases"), ("Atlas", "Atlases"), ("Gas", "Gases"),
        ("Iris", "Irises"), ("Axis", "Axes"), ("Testis", "Testes"), ("Analysis", "Analyses"),
        ("Hero", "Heroes"), ("Potato", "Potatoes"), ("Photo", "Photos"), ("Echo", "Echoes"),
        ("Knife", "Knives"), ("Wolf", "Wolves"), ("Leaf", "Leaves"), ("Chef", "Chefs"),
        ("Proof", "Proofs"), ("Roof", "Roofs"), ("Thief", "Thieves"), ("Matrix", "Matrices"),
        ("Index", "Indices"), ("Vertex", "Vertices"), ("Mouse", "Mice"), ("Spouse", "Spouses"),
        ("Person", "People"), ("SalesPerson", "SalesPeople"), ("Child", "Children"),
        ("GrandChild", "GrandChildren"), ("Man", "Men"), ("Woman", "Women"), ("Human", "Humans"),
        ("Datum", "Data"), ("Criterion", "Criteria"), ("Phenomenon", "Phenomena"),
        ("Alumna", "Alumnae"), ("Menu", "Menus"), ("Foot", "Feet"), ("Goose", "Geese"),
        ("Tooth", "Teeth"), ("Ox", "Oxen"), ("Die", "Dice"), ("Quiz", "Quizzes"),
        ("Schema", "Schemata"), ("UserSchema", "UserSchemas"), ("Canvas", "Canvases"),
        ("Sheep", "Sheep"), ("Fish", "Fish"), ("Series", "Series"), ("News", "News"),
        ("Equipment", "Equipment"), ("Information", "Information"), ("Chinese", "Chinese"),
        ("People", "People"), ("Replies", "Replies"), ("Messages", "Messages"), ("FAQ", "FAQS"),
        ("Money", "Monies"), ("Journey", "Journeys"), ("Key", "Keys"), ("Human", "Humans"),
        ("Todo", "Todos"), ("API", "APIS"), ("Baz2", "Baz2s"),
    ])
    func `a name's plural is that of npm's pluralize`(name: String, plural: String) {
        #expect(Plural.of(name) == plural)
    }
}
