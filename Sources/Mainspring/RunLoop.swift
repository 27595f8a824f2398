public final class RunLoop: Sendable {
}
