@main
struct MainspringCommand {
  static func main() {}
}
