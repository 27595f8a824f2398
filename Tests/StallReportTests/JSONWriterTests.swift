import Foundation
import StallReport
import Testing

@Suite struct `JSON writer` {
  @Test func `every character below U+0300 and the line separators survive a foreign reader`() throws {
    let scalars = (0..<0x300).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{2029}", "😀"]
    for scalar in scalars {
      let text = ["a\(Character(scalar))b"].json()
      let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String]
      #expect(read == ["a\(Character(scalar))b"], "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func `quotation marks, backslashes, controls and line separators are escaped`() {
    #expect("\"\\\n\r\t\u{1}\u{7F}\u{9B}\u{2028}/é".json() == #""\"\\\n\r\t\u0001\u007f\u009b\u2028/é""#)
  }

  @Test(arguments: [
    (Duration.zero, "0"), (.milliseconds(268), "268"), (.microseconds(3100), "3.1"),
    (.microseconds(-430_500), "-430.5"), (.nanoseconds(499), "0"), (.nanoseconds(500), "0.001"),
    (.nanoseconds(-500), "-0.001"), (.seconds(Int64.max), "9223372036854775807000"),
  ])
  func `spans are milliseconds with at most three decimals`(span: Duration, expected: String) {
    var json = JSONWriter()
    json.object { $0.member("t_ms", milliseconds: span) }
    #expect(json.text == "{\"t_ms\":\(expected)}")
  }

  @Test(arguments: [
    (0.98, "0.98"), (1.0, "1"), (-0.0004, "0"), (1.0 / 3, "0.333"), (.nan, "null"), (.infinity, "null"),
    (-.infinity, "null"), (1e20, "1e+20"),
  ])
  func `numbers have at most three decimals and are never NaN or infinite`(value: Double, expected: String) {
    var json = JSONWriter()
    json.object { $0.member("x", number: value) }
    #expect(json.text == "{\"x\":\(expected)}")
  }

  @Test func `the pretty layout has one line a member and one line a row`() {
    var json = JSONWriter(layout: .pretty)
    json.object { json in
      json.member("a", 1)
      json.member("rows") { $0.rows([[1, 2], []]) }
      json.member("none") { $0.rows([Int]()) }
    }
    #expect(
      json.text == """
        {
          "a": 1,
          "rows": [
            [1, 2],
            []
          ],
          "none": []
        }
        """)
  }
}
