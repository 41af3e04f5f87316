@main struct BotCommand { static func main() {} }
