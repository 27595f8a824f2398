import Glibc

/// A folder for what the tools write.
struct TemporaryFolder {
  let path: String

  init() throws(TextFile.Failure) {
    var template = Array("/tmp/mainspring-counts.XXXXXX".utf8CString)
    // SAFETY: the call changes the text in place, within its length.
    guard unsafe mkdtemp(&template) != nil else {
      throw TextFile.Failure(description: "no temporary folder can be made: error \(errno)")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Removes it with the files in it.
  func remove() {
    if let listing = unsafe opendir(path) {
      while let entry = unsafe readdir(listing) {
        // SAFETY: the entry's name ends in zero and is there until the next call.
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        }
        unsafe unlink("\(path)/\(name)")
      }
      unsafe closedir(listing)
    }
    unsafe rmdir(path)
  }
}
