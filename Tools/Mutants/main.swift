// Plants the faults of Tests/Mutants, all into one build, and sees whether the tests that cite a rule notice those
// against it. See Tools/mutants.sh.
import Foundation

/// A line, at once, also where the output is no terminal.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("mutants: \(text)\n".utf8))
  exit(1)
}

var only: Set<String> = []
var patience = 3.0
for argument in CommandLine.arguments.dropFirst() {
  if argument.hasPrefix("--only=") {
    only.formUnion(
      argument.dropFirst(7).split(separator: ",").map { rule in
        rule.hasPrefix("CF") ? "CF " + rule.dropFirst(2).drop { $0 == " " } : String(rule)
      })
  } else if argument.hasPrefix("--patience="), let seconds = Double(argument.dropFirst(11)), seconds > 0 {
    patience = seconds
  } else {
    FileHandle.standardError.write(
      Data("usage: Tools/mutants.sh [--only=M26,CF31] [--patience=SECONDS]\n".utf8))
    exit(64)
  }
}

let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
let work = root.appendingPathComponent(".build/mutants")
try Campaign(root: root, work: work, only: only, patience: patience).run()
