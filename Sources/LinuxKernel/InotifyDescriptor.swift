import CLinuxKernel
import Glibc

/// An inotify descriptor: readable while there is a change of a watched file or folder to tell.
package struct InotifyDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  package var number: CInt { descriptor.number }

  package init() throws(KernelError) {
    let made = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard made >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: made)
  }

  /// Watches what stands at a path, besides what it is watched for already; gives the number that its changes bear.
  ///
  /// - Precondition: the path has no zero byte.
  package func watch(_ path: String, for bits: UInt32) throws(KernelError) -> CInt {
    // SAFETY: reads the path's bytes up to the zero that ends them.
    let watch = unsafe inotify_add_watch(number, path, bits | InotifyBits.add)
    guard watch >= 0 else { throw .current }
    return watch
  }

  /// Ends a watch; what was found before may still be told.
  package func forget(_ watch: CInt) { _ = inotify_rm_watch(number, watch) }

  /// Takes what waits, as much as fits into a few pages; nothing if nothing waits.
  package func take() -> [InotifyEvent] {
    var bytes = [UInt8](repeating: 0, count: Self.bytesPerRead)
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe read(number, &bytes, bytes.count)
    return InotifyEvent.parse(bytes.prefix(max(0, count)))
  }

  /// Some 30 to 500 changes, by the length of names; the longest takes 272 bytes.
  private static let bytesPerRead = 8192
}

/// The bits of inotify, by the kernel's names.
package enum InotifyBits {
  package static let modified = UInt32(IN_MODIFY)
  package static let attributes = UInt32(IN_ATTRIB)
  package static let closedAfterWriting = UInt32(IN_CLOSE_WRITE)
  package static let movedFrom = UInt32(IN_MOVED_FROM)
  package static let movedTo = UInt32(IN_MOVED_TO)
  package static let created = UInt32(IN_CREATE)
  package static let deleted = UInt32(IN_DELETE)
  package static let selfDeleted = UInt32(IN_DELETE_SELF)
  package static let selfMoved = UInt32(IN_MOVE_SELF)
  package static let unmounted = UInt32(IN_UNMOUNT)
  package static let overflow = UInt32(IN_Q_OVERFLOW)
  package static let ignored = UInt32(IN_IGNORED)
  package static let isFolder = UInt32(IN_ISDIR)
  package static let doNotFollow = UInt32(IN_DONT_FOLLOW)
  static let add = UInt32(IN_MASK_ADD)
}
