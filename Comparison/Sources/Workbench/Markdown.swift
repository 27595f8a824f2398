import Foundation

/// A line of a table in Markdown, with the line feed.
public func markdownLine(_ cells: [String]) -> String {
  "| " + cells.map { $0.replacing("|", with: "\\|").replacing("<", with: "&lt;") }.joined(separator: " | ")
    + " |\n"
}
