import CommandLineOptions
import LinuxKernel
import StallReport
import Symbols

/// The reports of a file or folder.
struct ReportSource {
  /// Each once, in the latest state that was found, the oldest stall first.
  var reports: [Report] = []
  /// Whether it is a folder.
  private(set) var isFolder = false
  /// How many names in it are no reports, each of which was told.
  private(set) var skippedCount = 0
  /// Where each report is in ``reports``.
  private var indices: [Report.Identifier: Int] = [:]
  /// How many bytes of text were read.
  private var byteCount = 0

  /// All reports of a folder together, unpacked: as many as 64 MiB of packed ones can be at the usual ratio, and more.
  private static let byteCountMax = 512 << 20

  /// Reads what is at `path`.
  ///
  /// - Throws: If it cannot be read. A file in a folder that cannot be, or is no report, is told and left out.
  init(path: String) throws(Failure) {
    do throws(KernelError) {
      try readFolder(try OpenFolder(path: path), named: path)
      isFolder = true
    } catch {
      guard error == .notAFolder else { throw Failure(reason: "\(path): \(error)") }
      do throws(ReportFileError) {
        try add(try ReportFile.reports(atPath: path))
      } catch {
        throw Failure(reason: "\(path): \(error)")
      }
    }
    reports.sort { ($0.time.startUnix, "\($0.id)") < ($1.time.startUnix, "\($1.id)") }
  }

  /// Reads the folder and the folders of days in it.
  private mutating func readFolder(
    _ folder: borrowing OpenFolder, named path: String
  ) throws(KernelError) {
    for name in try folder.sortedNames {
      switch FolderEntry(name) {
      case .report: readFile(name, in: folder, path: path)
      case .day:
        do throws(KernelError) {
          let day = try folder.folder(named: name)
          for file in try day.sortedNames {
            switch FolderEntry(file) {
            case .report: readFile(file, in: day, path: "\(path)/\(name)")
            case .companion: break
            case .day, .stranger: skip("\(path)/\(name)/\(file)", "its name is not that of a report")
            }
          }
        } catch {
          skip(
            "\(path)/\(name)",
            error == .tooManyLinks || error == .notAFolder ? "no folder of its own" : "\(error)")
        }
      case .companion: break
      case .stranger: skip("\(path)/\(name)", "its name is not that of a report")
      }
    }
  }

  private mutating func readFile(_ name: String, in folder: borrowing OpenFolder, path: String) {
    do throws(ReportFileError) {
      try add(try ReportFile.reports(named: name, in: folder))
    } catch {
      skip("\(path)/\(name)", "\(error)")
    }
  }

  private mutating func add(_ file: ReportFile) throws(ReportFileError) {
    guard byteCount + file.byteCount <= Self.byteCountMax else {
      throw .tooMuch(limit: Self.byteCountMax)
    }
    byteCount += file.byteCount
    for report in file.reports {
      if let index = indices[report.id] {
        // A state that is over goes before one that is not, whatever their files are called.
        if reports[index].state == .ongoing { reports[index] = report }
      } else {
        indices[report.id] = reports.count
        reports.append(report)
      }
    }
  }

  private mutating func skip(_ path: String, _ reason: String) {
    skippedCount += 1
    StandardStream.error.writeLine("mainspring: \(path): \(reason)")
  }
}
