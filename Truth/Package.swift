// swift-tools-version: 6.3
import PackageDescription

/// The same strict settings as the package that is measured.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let options: Target.Dependency = .product(name: "CommandLineOptions", package: "mainspring")

let documents: Target.Dependency = .product(name: "Documents", package: "mainspring-comparison")

let package = Package(
  name: "mainspring-truth",
  products: [
    .executable(name: "truth-injector", targets: ["Injector"]),
    .executable(name: "truth-foreign", targets: ["ForeignInjector"]),
    .executable(name: "truth-score", targets: ["ScoreCommand"]),
    .executable(name: "truth-cost", targets: ["Cost"]),
  ],
  dependencies: [
    .package(name: "mainspring", path: ".."), .package(name: "mainspring-comparison", path: "../Comparison"),
  ],
  targets: [
    .target(name: "Grid", swiftSettings: strict),
    .target(name: "TruthLog", swiftSettings: strict),
    .target(name: "Goals", dependencies: [documents], swiftSettings: strict),
    .target(name: "Score", dependencies: ["Goals", "TruthLog", documents], swiftSettings: strict),
    .executableTarget(
      name: "ScoreCommand", dependencies: ["Goals", "Score", "TruthLog", options, documents],
      swiftSettings: strict),
    .target(name: "CHostility"),
    // A client of the public products: what it knows of the monitor is what any program knows.
    .target(
      name: "Injecting",
      dependencies: [
        "Grid", "TruthLog", "CHostility", options, .product(name: "StallMonitor", package: "mainspring"),
      ],
      // What blocks, faults and races is its business: it is not held to strict memory safety.
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "Injector",
      dependencies: [
        "Injecting", "Grid", "TruthLog", "CHostility",
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "StallMonitor", package: "mainspring"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The loops of others: its libraries are not to be in the process that Mainspring's are measured in.
    .executableTarget(
      name: "ForeignInjector",
      dependencies: [
        "Injecting", "Grid", "CHostility",
        .product(name: "StallMonitor", package: "mainspring"),
        .product(name: "StallMonitorDispatch", package: "mainspring"),
        .product(name: "StallMonitorFoundation", package: "mainspring"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "CCost"),
    .executableTarget(
      name: "Cost",
      dependencies: [
        "CCost", "Goals", options, documents,
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "StallMonitor", package: "mainspring"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(name: "GridTests", dependencies: ["Grid"], swiftSettings: strict),
    .testTarget(name: "GoalsTests", dependencies: ["Goals", documents], swiftSettings: strict),
    .testTarget(name: "ScoreTests", dependencies: ["Goals", "Score", "TruthLog"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
