import Glibc
import LinuxKernel
import Testing

@Suite struct DescriptorTests {
  @Test func `an owned descriptor is closed with its owner, and not if it was given away`() throws {
    var number: CInt = -1
    do {
      let event = try EventDescriptor()
      number = event.number
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
    let given = try EventDescriptor().release()
    #expect(fcntl(given, F_GETFD) >= 0)
    close(given)
    #expect(number >= 0)
  }

  @Test func `adopting what is no descriptor is misuse`() async {
    await #expect(processExitsWith: .failure) { _ = OwnedDescriptor(adopting: -1) }
  }

  @Test func `the kernel says what a number stands for`() throws {
    let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    let folder = unsafe open("/", O_RDONLY | O_CLOEXEC)
    let event = try EventDescriptor()
    defer { for number in [file, folder] { close(number) } }
    #expect(try DescriptorKind.of(file) == .file)
    #expect(try DescriptorKind.of(folder) == .file)
    #expect(try DescriptorKind.of(event.number) == .pollable)
    #expect(throws: KernelError.badDescriptor) { try DescriptorKind.of(1 << 20) }
  }

  @Test func `an error says what it is in words and by number`() {
    #expect(KernelError(EBADF).description == "Bad file descriptor (errno 9)")
  }
}
