@main struct HeliographCommand { static func main() {} }
