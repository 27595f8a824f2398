/// Ends the program with a message where the caller got something wrong.
///
/// `precondition` says nothing in optimised programs, and its message is what tells the caller what to mend.
@inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { trap(message(), file: file, line: line) }
}

/// Ends the program with a message.
@inline(never)
package func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError(message, file: file, line: line)
}
