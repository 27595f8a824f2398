// swift-tools-version: 6.3
import PackageDescription

/// The same strict settings as the package that is compared.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let options: Target.Dependency = .product(name: "CommandLineOptions", package: "mainspring")

let package = Package(
  name: "mainspring-comparison",
  products: [
    // Loaded before a side's process, which then lives with another clock.
    .library(name: "ClockShift", type: .dynamic, targets: ["CClockShift"]),
    .library(name: "CoarseClock", type: .dynamic, targets: ["CCoarseClock"]),
    .executable(name: "Comparison", targets: ["Comparison"]),
    // What programs share that measure others and tell of it; for the benchmarks' sake, and for no other.
    .library(name: "Workbench", targets: ["Workbench"]),
    // What they write for tools; without Foundation, which some of them must not load.
    .library(name: "Documents", targets: ["Documents"]),
  ],
  dependencies: [.package(name: "mainspring", path: "..")],
  targets: [
    .target(name: "CClockShift"),
    .target(name: "CCoarseClock"),
    .target(name: "CProcess"),
    .target(name: "Documents", swiftSettings: strict),
    .target(name: "Workbench", dependencies: ["CProcess", options], swiftSettings: strict),
    .executableTarget(
      name: "Comparison",
      dependencies: ["Workbench", "CProcess", options, .product(name: "Mainspring", package: "mainspring")],
      swiftSettings: strict),
    .testTarget(
      name: "ComparisonTests", dependencies: ["Comparison", "Workbench", options], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
