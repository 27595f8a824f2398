import Testing

@testable import StallReport

@Suite struct `Decoding errors` {
  /// What is said of the example with one text in the place of another.
  private func error(_ old: String, _ new: String) throws -> String? {
    let text = String(decoding: try ExampleFile.bytes(), as: UTF8.self)
    #expect(text.contains(old))
    let error = #expect(throws: Report.DecodingError.self) {
      try Report(json: Array(text.replacing(old, with: new).utf8))
    }
    return error?.description
  }

  @Test(
    arguments: [
      (
        #""stack": 1, "weight_ms": 50"#, #""stack": 3, "weight_ms": 50"#,
        "samples[1].stack: 3, but there are 3 stacks"
      ),
      (
        #""stack": 1, "weight_ms": 50"#, #""stack": -1, "weight_ms": 50"#,
        "samples[1].stack: -1, but there are 3 stacks"
      ),
      (#""stack": null"#, #""stack": 99"#, "threads[1].stack: 99, but there are 3 stacks"),
      (#""id": "f6", "img": 2"#, #""id": "f6", "img": 3"#, "frames[6].img: 3, but there are 3 images"),
      (
        #""inlined_into": "f4""#, #""inlined_into": "f9""#,
        #"frames[5].inlined_into: "f9", but there is no frame of this id"#
      ),
      (
        #""culprit": "f4""#, #""culprit": "x""#,
        #"fingerprint.culprit: "x", but there is no frame of this id"#
      ),
      (#"["f4", "f3""#, #"["f4", "f33""#, #"stacks[2][1]: "f33", but there is no frame of this id"#),
      (#""id": "f6""#, #""id": "f5""#, #"frames[6].id: "f5" is there twice"#),
      (#"{"i": 1,"#, #"{"i": 0,"#, #"images[1].i: "0" is not the image's place in the list, 1"#),
      (#""end": "0x562866400000""#, #""end": "0x1""#, "images[0].end: it lies before the start"),
      (#""off": "0x20f4""#, #""off": "20f4""#, #"frames[4].off: "20f4" is not 0x and hexadecimal digits"#),
      (
        #""off": "0x20f4""#, #""off": "0x11112222333344445""#,
        #"frames[4].off: "0x11112222333344445" is not 0x and hexadecimal digits"#
      ),
      (#""off": "0x20f4""#, #""off": 12"#, "frames[4].off: a number, but it should be a string"),
      (#""kind": "phase:timer""#, #""kind": "gap:-3""#, #"frames[3].kind: "gap:-3" is not known here"#),
    ] as [(String, String, String)])
  func `a table's entry that is not there, or not right, is named`(old: String, new: String, expected: String)
    throws
  {
    #expect(try error(old, new) == expected)
  }

  @Test(
    arguments: [
      (
        #""stall-report/1""#, #""stall-report/2""#,
        #"schema: schema "stall-report/2", but only stall-report/1 can be read"#
      ),
      (#""schema": "#, #""scheme": "#, "schema: missing"),
      (
        #""report_id": "0f"#, #""report_id": "xf"#,
        #"report_id: "xf6d1c3e9a5b4e0c8a61d1b0c2f4a7e9" is not 32 hexadecimal digits"#
      ),
      (#""kind": "stall""#, #""kind": "hang""#, #"kind: "hang" is not known here"#),
      (
        #""pid": 4121, "ppid""#, #""pid": 4121.5, "ppid""#,
        #"process.pid: "4121.5" is not a whole number of 64 bits"#
      ),
      (
        #""pid": 4121, "ppid""#, #""pid": 1e19, "ppid""#,
        #"process.pid: "1e19" is not a whole number of 64 bits"#
      ),
      (#""name": "maild", "version""#, #""version""#, "app.name: missing"),
      (#""duration_ms": 1712,"#, #""duration_ms": -1,"#, "time.duration_ms: it lies before the start"),
      (#""end_mono_ns": "8"#, #""end_mono_ns": "0"#, "time.end_mono_ns: it lies before the start"),
      (
        #""start_mono_ns": "86"#, #""start_mono_ns": "-86"#,
        #"time.start_mono_ns: "-86400123000000" is not a number of nanoseconds"#
      ),
      (
        #""threshold_ms": 250"#, #""threshold_ms": 1e14"#,
        #"time.threshold_ms: "1e14" is not a span of less than three hundred years"#
      ),
      (
        #""psi_cpu_some_avg10": 3.1"#, #""psi_cpu_some_avg10": 1e999"#,
        #"cost.psi_cpu_some_avg10: "1e999" is not a number of double precision"#
      ),
      (
        #""state": "R", "cpu_ms""#, #""state": "Run", "cpu_ms""#,
        #"threads[0].state: "Run" is not one letter"#
      ),
      (
        #"[[4130, 4121, "futex"]]"#, #"[[4130, 4121]]"#,
        #"waits.edges[0]: "2 values" is not thread, thread and kind of wait"#
      ),
      (#""tenant": "blue""#, #""tenant": 7"#, "annotations.tenant: a number, but it should be a string"),
      (#""tenant": "blue""#, #""request_id": "blue""#, #""request_id" is there twice"#),
      (#""16": 2"#, #""016": 2"#, #"passes.hist_ms: "016" is not a whole number of milliseconds"#),
      (#""hash": "2"#, #""hash": "../2"#, nil),
      (#""flags": []"#, #""flags": {}"#, "confidence.flags: an object, but it should be an array"),
    ] as [(String, String, String?)])
  func `a value that cannot be is named with its place`(old: String, new: String, expected: String?) throws {
    let error = try error(old, new)
    if let expected {
      #expect(error == expected)
    } else {
      #expect(error?.contains("not hexadecimal digits") == true)
    }
  }

  @Test func `whatever is in the text, the error is one line that moves no cursor`() throws {
    let hostile = "\u{1B}[2J\n\u{202E}" + String(repeating: "x", count: 9999)
    var report = Report.full()
    report.annotations[hostile] = "v"
    let text = report.json().replacing(#":"v""#, with: ":1").replacing(
      #""stall-report/1""#, with: #""stall-report/1""#)
    let error = #expect(throws: Report.DecodingError.self) { try Report(json: Array(text.utf8)) }
    let line = try #require(error?.description)
    #expect(line.count < 300)
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(line.hasSuffix(": a number, but it should be a string"))
  }
}
