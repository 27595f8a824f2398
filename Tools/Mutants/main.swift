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
for argument in CommandLine.arguments.dropFirst() {
  guard argument.hasPrefix("--only=") else {
    FileHandle.standardError.write(Data("usage: Tools/mutants.sh [--only=M26,CF31]\n".utf8))
    exit(64)
  }
  only.formUnion(
    argument.dropFirst(7).split(separator: ",").map { rule in
      rule.hasPrefix("CF") ? "CF " + rule.dropFirst(2).drop { $0 == " " } : String(rule)
    })
}

let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
let work = root.appendingPathComponent(".build/mutants")
try Campaign(root: root, work: work, only: only).run()
