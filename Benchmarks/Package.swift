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

/// The other loops that `Tools/bench.sh` has found what they need for: some need Debian packages, some the toolchain's
/// own headers. Nobody needs them who only builds and tests.
let found = Set((Context.environment["BENCHMARK_PEERS"] ?? "").split(separator: " ").map(String.init))
let toolchain = Context.environment["BENCHMARK_TOOLCHAIN"] ?? ""
let blocks: [CSetting] = [.unsafeFlags(["-fblocks", "-I\(toolchain)/lib/swift"])]
let glib: [CSetting] = [
  .unsafeFlags((Context.environment["BENCHMARK_GLIB"] ?? "").split(separator: " ").map(String.init))
]

func peer(_ name: String, links libraries: [String], _ settings: [CSetting] = []) -> Target {
  .executableTarget(
    name: name + "Peer", dependencies: ["CHarness"], path: "Peers/" + name, cSettings: settings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}
let peers: [Target] = [
  peer("Libuv", links: ["uv"]),
  peer("Libev", links: ["ev"]),
  peer("Libevent", links: ["event_core", "event_pthreads"]),
  peer("GLib", links: ["glib-2.0"], glib),
  peer("CoreFoundation", links: ["Foundation", "dispatch", "BlocksRuntime"], blocks),
  peer("Dispatch", links: ["dispatch", "BlocksRuntime"], blocks),
].filter { found.contains(String($0.name.dropLast("Peer".count))) }

let options: Target.Dependency = .product(name: "CommandLineOptions", package: "mainspring")
let documents: Target.Dependency = .product(name: "Documents", package: "mainspring-comparison")
let workbench: Target.Dependency = .product(name: "Workbench", package: "mainspring-comparison")

let package = Package(
  name: "mainspring-benchmarks",
  dependencies: [
    .package(name: "mainspring", path: ".."), .package(name: "mainspring-comparison", path: "../Comparison"),
  ],
  targets: [
    .target(name: "CHarness"),
    .executableTarget(
      name: "MainspringPeer",
      dependencies: ["CHarness", .product(name: "Mainspring", package: "mainspring")]),
    .executableTarget(name: "RawPeer", dependencies: ["CHarness"], path: "Peers/Raw"),
    .executableTarget(name: "SwiftPeer", dependencies: ["CHarness"], path: "Peers/Swift"),
    .executableTarget(name: "Bench", dependencies: [options, workbench], swiftSettings: strict),
    .testTarget(name: "BenchTests", dependencies: ["Bench", options, workbench], swiftSettings: strict),
    .target(name: "CAllocator"),
    .executableTarget(
      name: "Soak",
      dependencies: [
        "CAllocator",
        .product(name: "Mainspring", package: "mainspring"),
        options,
      ]),
    .target(name: "CCounts"),
    .executableTarget(
      name: "Counts",
      dependencies: [
        "CCounts",
        .product(name: "Mainspring", package: "mainspring"),
        options, documents,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "AdapterCosts",
      dependencies: [
        "CCounts",
        .product(name: "StallMonitor", package: "mainspring"),
        .product(name: "StallMonitorDispatch", package: "mainspring"),
        .product(name: "StallMonitorFoundation", package: "mainspring"),
      ]),
    .executableTarget(
      name: "PortCosts",
      dependencies: [
        .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringPorts", package: "mainspring"),
      ]),
    .target(name: "Hops", dependencies: [.product(name: "Mainspring", package: "mainspring")]),
    .executableTarget(name: "DefaultHops", dependencies: ["Hops"]),
    .executableTarget(
      name: "LoopHops",
      dependencies: [
        "Hops", .product(name: "Mainspring", package: "mainspring"),
        .product(name: "MainspringMainExecutor", package: "mainspring"),
      ]),
    .testTarget(name: "CountsTests", dependencies: ["Counts", options], swiftSettings: strict),
  ] + peers,
  swiftLanguageModes: [.v6]
)
