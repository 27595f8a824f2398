// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target: the strictest that the toolchain has without unsafe flags.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The fuzzer links only where everything is built with `-sanitize=fuzzer`, as `Tools/fuzz.sh` does.
let fuzzer: [Target] =
  Context.environment["MAINSPRING_FUZZ"] == nil
  ? []
  : [
    .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzzer", dependencies: ["CFuzzer", "FuzzedParsers"], path: "Fuzz/Fuzzer", swiftSettings: strict),
  ]

let package = Package(
  name: "mainspring",
  products: [
    .library(name: "Mainspring", targets: ["Mainspring", "CMainspring"]),
    .library(name: "MainspringMainExecutor", targets: ["MainspringMainExecutor"]),
    .library(name: "MainspringTesting", targets: ["MainspringTesting"]),
    .library(name: "MainspringTestingMainActor", targets: ["MainspringTestingMainActor"]),
    .library(name: "MainspringDisplay", targets: ["MainspringDisplay"]),
    .library(name: "MainspringPorts", targets: ["MainspringPorts"]),
    .library(name: "MainspringWayland", targets: ["MainspringWayland"]),
    .library(name: "MainspringService", targets: ["MainspringService"]),
    .library(name: "MainspringGLib", targets: ["MainspringGLib"]),
    .library(name: "MainspringDispatch", targets: ["MainspringDispatch"]),
    .library(name: "MainspringFoundation", targets: ["MainspringFoundation"]),
    .library(name: "StallMonitor", targets: ["StallMonitor", "StallReport"]),
    .library(name: "StallUpload", targets: ["StallUpload"]),
    .library(name: "StallMonitorDispatch", targets: ["StallMonitorDispatch"]),
    .library(name: "StallMonitorFoundation", targets: ["StallMonitorFoundation"]),
    .library(name: "CommandLineOptions", targets: ["CommandLineOptions"]),
    .executable(name: "mainspring", targets: ["MainspringCommand"]),
  ],
  targets: [
    .target(name: "CLinuxKernel"),
    .target(name: "LinuxKernel", dependencies: ["CLinuxKernel"], swiftSettings: strict),
    .target(name: "CMainspring", dependencies: ["CLinuxKernel"]),
    .target(
      name: "Mainspring", dependencies: ["LinuxKernel", "CLinuxKernel", "CMainspring"], swiftSettings: strict),
    .target(
      name: "MainspringMainExecutor", dependencies: ["Mainspring", "LinuxKernel"], swiftSettings: strict),
    .target(name: "MainspringTesting", dependencies: ["Mainspring", "LinuxKernel"], swiftSettings: strict),
    .target(name: "CVirtualClock"),
    .target(
      name: "MainspringTestingMainActor",
      dependencies: [
        "MainspringTesting", "MainspringMainExecutor", "Mainspring", "LinuxKernel", "CVirtualClock",
      ],
      swiftSettings: strict),
    .systemLibrary(name: "CXcbPresent"),
    .target(
      name: "MainspringDisplay", dependencies: ["Mainspring", "LinuxKernel", "CXcbPresent"],
      swiftSettings: strict),
    .target(name: "MainspringPorts", dependencies: ["Mainspring"], swiftSettings: strict),
    .systemLibrary(name: "CWayland"),
    .target(
      name: "MainspringWayland", dependencies: ["Mainspring", "CWayland"], swiftSettings: strict),
    .target(name: "MainspringService", dependencies: ["Mainspring", "LinuxKernel"], swiftSettings: strict),
    .systemLibrary(name: "CGLib"),
    .target(name: "MainspringGLib", dependencies: ["Mainspring", "CGLib"], swiftSettings: strict),
    .systemLibrary(name: "CDispatchMainQueue"),
    .target(
      name: "MainspringDispatch", dependencies: ["Mainspring", "LinuxKernel", "CDispatchMainQueue"],
      swiftSettings: strict),
    .target(
      name: "MainspringFoundation", dependencies: ["Mainspring", "MainspringDispatch", "LinuxKernel"],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("Foundation")]),
    .target(name: "StallReport", swiftSettings: strict),
    .target(name: "CStackCapture"),
    .systemLibrary(name: "CZlib"),
    .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "Symbols", dependencies: ["LinuxKernel"], swiftSettings: strict),
    .target(
      name: "StallMonitor",
      dependencies: ["Mainspring", "LinuxKernel", "StallReport", "CStackCapture", "Symbols", "Gzip"],
      swiftSettings: strict),
    .systemLibrary(name: "CCurl"),
    .target(
      name: "StallUpload", dependencies: ["StallMonitor", "Mainspring", "LinuxKernel", "CCurl"],
      swiftSettings: strict),
    .target(
      name: "StallMonitorDispatch",
      dependencies: ["StallMonitor", "StallReport", "Mainspring", "LinuxKernel"], swiftSettings: strict),
    .target(
      name: "StallMonitorFoundation",
      dependencies: ["StallMonitor", "StallReport", "Mainspring", "LinuxKernel"], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("Foundation")]),
    .target(name: "CommandLineOptions", swiftSettings: strict),
    .executableTarget(
      name: "MainspringCommand",
      dependencies: ["CommandLineOptions", "StallReport", "Symbols", "LinuxKernel", "Gzip"],
      swiftSettings: strict),

    .testTarget(name: "LinuxKernelTests", dependencies: ["LinuxKernel"], swiftSettings: strict),
    .target(name: "CTestCalls", dependencies: ["CMainspring"], path: "Tests/CTestCalls"),
    .executableTarget(
      name: "LoopProgram",
      dependencies: ["Mainspring", "MainspringPorts", "CMainspring", "LinuxKernel", "CTestCalls"],
      path: "Tests/LoopProgram",
      swiftSettings: strict),
    .target(
      name: "ChildProcesses", dependencies: ["CLinuxKernel"], path: "Tests/ChildProcesses",
      swiftSettings: strict),
    .testTarget(
      name: "MainspringTests",
      dependencies: [
        "ChildProcesses",
        "Mainspring", "MainspringPorts", "MainspringTesting", "LinuxKernel", "CLinuxKernel", "LoopProgram",
        "CMainspring",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "MainActorProgram",
      dependencies: ["MainspringMainExecutor", "MainspringDispatch", "Mainspring", "LinuxKernel"],
      path: "Tests/MainActorProgram", swiftSettings: strict),
    .testTarget(
      name: "MainspringMainExecutorTests", dependencies: ["MainActorProgram"], swiftSettings: strict),
    .executableTarget(
      name: "VirtualMainProgram",
      dependencies: ["MainspringTestingMainActor", "MainspringTesting", "Mainspring", "LinuxKernel"],
      path: "Tests/VirtualMainProgram", swiftSettings: strict),
    .testTarget(
      name: "MainspringTestingMainActorTests", dependencies: ["VirtualMainProgram"], swiftSettings: strict),
    .testTarget(
      name: "MainspringPortsTests", dependencies: ["MainspringPorts", "MainspringTesting"],
      swiftSettings: strict),
    .executableTarget(
      name: "ServiceProgram", dependencies: ["MainspringService", "Mainspring"], path: "Tests/ServiceProgram",
      swiftSettings: strict),
    .testTarget(
      name: "MainspringServiceTests",
      dependencies: [
        "MainspringService", "Mainspring", "MainspringTesting", "LinuxKernel", "ServiceProgram",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "MainQueueProgram", dependencies: ["MainspringDispatch", "Mainspring", "LinuxKernel"],
      path: "Tests/MainQueueProgram", swiftSettings: strict),
    .testTarget(
      name: "MainspringDispatchTests", dependencies: ["MainQueueProgram"], swiftSettings: strict),
    .executableTarget(
      name: "XCTestProgram", dependencies: ["MainspringFoundation", "MainspringMainExecutor", "Mainspring"],
      path: "Tests/XCTestProgram", swiftSettings: strict),
    .testTarget(
      name: "MainspringFoundationTests", dependencies: ["FoundationProgram", "XCTestProgram"],
      swiftSettings: strict),
    .executableTarget(
      name: "FoundationProgram", dependencies: ["MainspringFoundation", "Mainspring", "LinuxKernel"],
      path: "Tests/FoundationProgram", swiftSettings: strict),
    .testTarget(
      name: "MainspringDisplayTests",
      dependencies: ["MainspringDisplay", "Mainspring", "LinuxKernel", "ChildProcesses"],
      swiftSettings: strict),
    .target(name: "CWaylandClient", dependencies: ["CWayland"], path: "Tests/CWaylandClient"),
    .testTarget(
      name: "MainspringWaylandTests",
      dependencies: ["MainspringWayland", "CWaylandClient", "Mainspring", "LinuxKernel", "ChildProcesses"],
      swiftSettings: strict),
    .testTarget(
      name: "MainspringGLibTests", dependencies: ["MainspringGLib", "Mainspring", "CGLib"],
      swiftSettings: strict),
    .target(
      name: "SimulationPrograms", dependencies: ["Mainspring", "MainspringTesting"],
      path: "Tests/SimulationPrograms", swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["SimulationPrograms", "MainspringTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "CoreFoundationTests", dependencies: ["SimulationPrograms", "MainspringTesting", "LinuxKernel"],
      swiftSettings: strict, linkerSettings: [.linkedLibrary("Foundation")]),
    .testTarget(name: "SleepProtocolTests", dependencies: ["Mainspring"], swiftSettings: strict),
    .testTarget(
      name: "StallReportTests", dependencies: ["StallReport", "MainspringTesting"],
      // Read where they are: what readers in other languages are tested with.
      exclude: ["Fixtures"], swiftSettings: strict),
    .executableTarget(
      name: "ExportSamples", dependencies: ["StallMonitor", "StallReport", "Mainspring"],
      path: "Tests/ExportSamples", swiftSettings: strict),
    .testTarget(name: "GzipTests", dependencies: ["Gzip", "MainspringTesting"], swiftSettings: strict),
    .testTarget(name: "SymbolsTests", dependencies: ["Symbols", "MainspringTesting"], swiftSettings: strict),
    .target(
      name: "FuzzedParsers", dependencies: ["Symbols", "StallMonitor", "StallReport", "MainspringPorts"],
      path: "Fuzz/FuzzedParsers",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzedParsers", "Symbols", "MainspringTesting"],
      swiftSettings: strict),
    .target(name: "CCaptureCalls", path: "Tests/CCaptureCalls"),
    .target(name: "CStressWork", path: "Tests/CStressWork"),
    .executableTarget(
      name: "CaptureStress",
      dependencies: ["StallMonitor", "Symbols", "CStressWork", "CCaptureCalls", "CommandLineOptions"],
      path: "Tests/CaptureStress", swiftSettings: strict),
    .executableTarget(
      name: "ArchiveProgram", dependencies: ["StallMonitor", "StallReport", "Mainspring", "LinuxKernel"],
      path: "Tests/ArchiveProgram", swiftSettings: strict),
    .testTarget(
      name: "StallMonitorTests",
      dependencies: [
        "StallMonitor", "StallReport", "ArchiveProgram", "Gzip", "Symbols", "Mainspring", "LinuxKernel",
        "CLinuxKernel", "CTestCalls",
        "CCaptureCalls", "CStackCapture", "MainspringTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StallUploadTests",
      dependencies: [
        "StallUpload", "StallMonitor", "StallReport", "Gzip", "Mainspring", "LinuxKernel",
        "MainspringTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StallMonitorDispatchTests",
      dependencies: ["StallMonitorDispatch", "StallMonitor", "StallReport", "Mainspring", "LinuxKernel"],
      swiftSettings: strict),
    .testTarget(
      name: "StallMonitorFoundationTests",
      dependencies: ["StallMonitorFoundation", "StallMonitor", "StallReport", "Mainspring", "LinuxKernel"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandLineOptionsTests", dependencies: ["CommandLineOptions"], swiftSettings: strict),
    .testTarget(
      name: "MainspringCommandTests",
      dependencies: ["MainspringCommand", "CommandLineOptions", "StallReport", "Gzip"],
      swiftSettings: strict),
  ] + fuzzer,
  swiftLanguageModes: [.v6]
)
