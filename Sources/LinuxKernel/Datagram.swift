import CLinuxKernel

/// One message to a socket of this machine that has a name.
package enum Datagram {
  /// Sends it, or throws: `.wouldBlock` where the socket has no room.
  ///
  /// - Parameter isAbstract: whether the name is one of the kernel's own, and no path.
  package static func send(_ text: String, to name: String, isAbstract: Bool) throws(KernelError) {
    // SAFETY: reads as many bytes as both have.
    let result = unsafe ms_datagram_send(
      name, name.utf8.count, isAbstract ? 1 : 0, text, text.utf8.count)
    if result < 0 { throw KernelError(-result) }
  }
}
