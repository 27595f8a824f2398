extension AppleLayout {
  /// The registers of the stalled thread, four a line.
  var registers: [String] {
    guard let index = threads.firstIndex(where: \.isStalled), let registers = threads[index].registers,
      !registers.isEmpty
    else { return [] }
    let known = Self.registerOrder.filter { registers[$0] != nil }
    let others = registers.keys.filter { !Self.registerOrder.contains($0) }.sorted()
    let cells = (known + others).map { name in
      name.printable.aligned(right: 6) + ": " + Self.address(registers[name] ?? 0)
    }
    let perLine = max(1, min(4, style.width / 27))
    let rows = stride(from: 0, to: cells.count, by: perLine).map { start in
      cells[start..<min(start + perLine, cells.count)].joined(separator: " ")
    }
    return [style.paint("Thread \(index) stalled with \(codeType ?? "unknown") Thread State:", .headline)]
      + rows
  }

  private static let registerOrder =
    ["rip", "rbp", "rsp", "rax", "rbx", "rcx", "rdx", "rdi", "rsi"] + (8...15).map { "r\($0)" }
    + ["rflags", "eflags", "cs", "fs", "gs", "pc", "lr", "sp", "fp"] + (0...30).map { "x\($0)" }

  var images: [String] {
    guard !report.stacks.images.isEmpty else { return [] }
    let rows = report.stacks.images.sorted { ($0.base, $0.name) < ($1.base, $1.name) }.map { image in
      let name = image.name.split(separator: "/").last.map(String.init) ?? image.name
      let range =
        Hexadecimal.address(image.base).aligned(right: 18) + " - "
        + Hexadecimal.address(max(image.base, image.end &- 1)).aligned(right: 18)
      let text =
        "\(image.isInApp ? "+" : " ")\(name.printable) \((report.host.arch ?? "???").printable)  "
        + "<\(image.buildID?.printable ?? "no build-id")>"
      let start = range + " " + text + " "
      return start + image.name.printable.elided(to: max(8, style.width - start.count))
    }
    return [style.paint("Binary Images:", .headline)] + rows
  }
}
