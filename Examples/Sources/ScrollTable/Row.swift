import Foundation
import ScrollDriver

/// A line of the table: a figure of each way, the middle one of its runs and, where they differ, the least and the most.
struct Row: Sendable {
  let name: String
  let value: @Sendable (Result) -> Double?
  let unit: String
  var decimals = 0

  static let all = [
    Row(name: "first full screen", value: { $0.firstScreenMs.map(Double.init) }, unit: " ms"),
    Row(name: "left empty at first", value: { Double($0.emptyAtFirst) }, unit: ""),
    Row(name: "frames while scrolling", value: { Double($0.frames.total) }, unit: ""),
    Row(name: "missed, loop busy", value: { 100 * $0.frames.busyShare }, unit: " %", decimals: 1),
    Row(name: "missed, no processor", value: { 100 * $0.frames.starvedShare }, unit: " %", decimals: 1),
    Row(
      name: "longest without a look", value: { Double($0.frames.longestBusyUs) / 1000 }, unit: " ms",
      decimals: 1),
    Row(name: "pictures loaded", value: { Double($0.loaded) }, unit: ""),
    Row(name: "loaded in vain", value: { Double($0.inVain) }, unit: ""),
    Row(name: "left empty at last", value: { Double($0.emptyAtLast) }, unit: ""),
    Row(name: "time scrolled", value: { Double($0.scrolledMs) / 1000 }, unit: " s", decimals: 1),
    Row(
      name: "clock, default mode", value: { Double($0.clockInDefaultModeMs) / 1000 }, unit: " s", decimals: 1),
    Row(
      name: "clock, common modes", value: { Double($0.clockInCommonModesMs) / 1000 }, unit: " s", decimals: 1),
  ]

  func text(_ results: [Result]) -> String {
    let values = results.compactMap(value).sorted()
    guard values.count == results.count, let least = values.first, let most = values.last else {
      return "never"
    }
    let middle = text(values[values.count / 2]) + unit
    return text(least) == text(most) ? middle : "\(middle) (\(text(least))–\(text(most)))"
  }

  private func text(_ value: Double) -> String { String(format: "%.\(decimals)f", value) }
}
