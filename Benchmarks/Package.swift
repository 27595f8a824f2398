// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "mainspring-benchmarks",
  dependencies: [.package(name: "mainspring", path: "..")],
  targets: [
    .target(name: "CHarness"),
    .executableTarget(
      name: "MainspringPeer",
      dependencies: ["CHarness", .product(name: "Mainspring", package: "mainspring")]),
    .target(name: "CAllocator"),
    .executableTarget(
      name: "Soak",
      dependencies: [
        "CAllocator",
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "CommandLineOptions", package: "mainspring"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
