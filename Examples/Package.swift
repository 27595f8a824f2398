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

let options: Target.Dependency = .product(name: "CommandLineOptions", package: "mainspring")

// They need the Debian packages libjpeg62-turbo-dev and libpng-dev, ScrollList also libxcb1-dev, libxcb-shm0-dev and
// libcairo2-dev.
let package = Package(
  name: "mainspring-examples",
  dependencies: [.package(name: "mainspring", path: "..")],
  targets: [
    .target(name: "CPictures"),
    .target(name: "Pictures", dependencies: ["CPictures"], swiftSettings: strict),
    .executableTarget(
      name: "Thumbs",
      dependencies: [
        "Pictures", "Tables", options, .product(name: "Mainspring", package: "mainspring"),
        .product(name: "StallMonitor", package: "mainspring"),
      ], swiftSettings: strict),
    .target(name: "Tables", swiftSettings: strict),
    .target(name: "CWindow"),
    .executableTarget(
      name: "ScrollList",
      dependencies: [
        "Pictures", "CWindow", options, .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringDisplay", package: "mainspring"),
        .product(name: "StallMonitor", package: "mainspring"),
      ], swiftSettings: strict),
    .target(name: "ScrollDriver", dependencies: ["CWindow"], swiftSettings: strict),
    .executableTarget(
      name: "ScrollTable", dependencies: ["ScrollDriver", "Tables", options], swiftSettings: strict),
    .testTarget(name: "PicturesTests", dependencies: ["Pictures", "CPictures"], swiftSettings: strict),
    .testTarget(name: "TablesTests", dependencies: ["Tables"], swiftSettings: strict),
    .testTarget(
      name: "ScrollListTests", dependencies: ["ScrollList", "ScrollDriver", options], swiftSettings: strict),
    .testTarget(name: "ThumbsTests", dependencies: ["Thumbs", "Pictures", options], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
