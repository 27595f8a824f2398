import LinuxKernel

/// A folder in which this monitor has made sure that it can keep reports.
package struct ArchivePlace: Sendable {
  let folder: ArchiveFolder
  let sidecar: Sidecar

  package init(path: String) throws(StallMonitor.StartError) {
    folder = try ArchiveFolder(path: path)
    do throws(KernelError) { sidecar = try Sidecar.make(in: folder.open()) } catch {
      throw .folder(folder.path, reason: "\(error)")
    }
  }

  /// Nothing was kept, nor will be.
  func leave() {
    if let root = try? folder.openIfThere() { sidecar.remove(from: root) }
  }
}
