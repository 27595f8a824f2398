// swift-tools-version: 6.3
import PackageDescription

/// The same strict settings as the package that is shown.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

// Loops and libraries of others on one Mainspring loop, as examples to be copied. What they need are the Debian packages
// of the set `bridges`: `Tools/deps.sh bridges` installs them.
let package = Package(
  name: "mainspring-bridges",
  dependencies: [.package(name: "mainspring", path: "..")],
  targets: [
    .systemLibrary(name: "CForeignLoops"),
    .target(
      name: "ForeignLoops",
      dependencies: ["CForeignLoops", .product(name: "Mainspring", package: "mainspring")],
      swiftSettings: strict),
    .systemLibrary(name: "CGtk"),
    .executableTarget(
      name: "GtkFrames",
      dependencies: [
        "CGtk", .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringGLib", package: "mainspring"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ForeignLoopsTests",
      dependencies: [
        "GtkFrames",
        "ForeignLoops", "CForeignLoops", .product(name: "Mainspring", package: "mainspring"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
