import Gzip
import LinuxKernel
import StallReport
import Symbols

/// The reports in one file: one, or several of one line each, packed or not.
struct ReportFile {
  let reports: [Report]
  /// The length of their text.
  let byteCount: Int

  /// The monitor's are a hundredth of this.
  private static let packedByteCountMax = 64 << 20
  private static let byteCountMax = 256 << 20

  /// The reports in the file on a path, which may lead over links.
  static func reports(atPath path: String) throws(ReportFileError) -> ReportFile {
    let bytes: [UInt8]
    do throws(KernelError) {
      // One more byte shows that there is more.
      bytes = try ReadOnlyFile.contents(ofPath: path, limit: packedByteCountMax + 1)
    } catch {
      throw .unreadable(error)
    }
    guard bytes.count <= packedByteCountMax else { throw .tooMuch(limit: packedByteCountMax) }
    return try ReportFile(bytes)
  }

  /// The reports in a file of an open folder. Links are not followed.
  static func reports(
    named name: String, in folder: borrowing OpenFolder
  ) throws(ReportFileError) -> ReportFile {
    let bytes: [UInt8]
    do throws(KernelError) {
      bytes = try folder.file(named: name).contents(limit: packedByteCountMax)
    } catch {
      throw error == .tooManyLinks ? .link : .unreadable(error)
    }
    return try ReportFile(bytes)
  }

  init(_ bytes: [UInt8]) throws(ReportFileError) {
    let text = try Self.unpacked(bytes)
    byteCount = text.count
    do throws(Report.DecodingError) {
      reports = [try Report(json: text)]
    } catch {
      let lines = text.split(separator: UInt8(ascii: "\n"))
      // The first line of one report in several lines is a bracket that is not closed.
      guard lines.count > 1, lines[0].first == UInt8(ascii: "{"), lines[0].last == UInt8(ascii: "}") else {
        throw .noReport(error)
      }
      reports = try Self.reports(lines)
    }
  }

  private static func reports(_ lines: [ArraySlice<UInt8>]) throws(ReportFileError) -> [Report] {
    var reports: [Report] = []
    for (index, line) in lines.enumerated() {
      do throws(Report.DecodingError) {
        reports.append(try Report(json: Array(line)))
      } catch {
        throw .noReportInLine(index + 1, error)
      }
    }
    return reports
  }

  /// Whatever the file is called: its first bytes say whether it is packed.
  private static func unpacked(_ bytes: [UInt8]) throws(ReportFileError) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    do throws(Gzip.Failure) {
      return try Gzip.decompress(bytes, limit: byteCountMax)
    } catch {
      throw .packing(error)
    }
  }
}

/// Why a file has no reports that can be read. One line without a full stop.
enum ReportFileError: Error, CustomStringConvertible {
  case unreadable(KernelError)
  case link
  case tooMuch(limit: Int)
  case packing(Gzip.Failure)
  case noReport(Report.DecodingError)
  case noReportInLine(Int, Report.DecodingError)

  var description: String {
    switch self {
    case .unreadable(.invalidArgument): "no file"
    case .unreadable(let error): "\(error)"
    case .link: "a symbolic link, which is not followed"
    case .tooMuch(let limit): "more than \(limit >> 20) MiB are not read"
    case .packing(.damaged): "the packed data is damaged"
    case .packing(.truncated): "the packed data ends too early"
    case .packing(.exceeds(let limit)): "unpacked it is more than \(limit >> 20) MiB"
    case .packing(.noMemory): "there is no memory to unpack it"
    case .noReport(let error): "no report: \(error)"
    case .noReportInLine(let line, let error): "line \(line) is no report: \(error)"
    }
  }
}
