import Mainspring

extension Operations {
  static let descriptors = [
    Operation("descriptor", "an event of a descriptor, which its handler reads and writes anew, and the pass")
    {
      let (loop, descriptor, countdown) = (RunLoop.current, EventDescriptor(), Countdown())
      try loop.add(
        RunLoop.DescriptorSource(descriptor.number) { _, _ in
          Callouts.note()
          descriptor.read()
          if countdown.isOver { loop.stop() } else { descriptor.write() }
        }, to: .default)
      return { times in
        Callouts.expect(times) {
          countdown.begin(times)
          descriptor.write()
          loop.run()
        }
      }
    },
    Operation("descriptor-add", "a source of a descriptor made, added beside another one, and invalidated") {
      let (other, descriptor) = (EventDescriptor(), EventDescriptor())
      try RunLoop.current.add(RunLoop.DescriptorSource(other.number) { _, _ in other.read() }, to: .default)
      return { times in try addAndInvalidate(descriptor, times) }
    },
    Operation("descriptor-alone", "the same where it is the only one of its loop") {
      let descriptor = EventDescriptor()
      return { times in try addAndInvalidate(descriptor, times) }
    },
    Operation("descriptor-interest", "the interest of a source widened to writing, and narrowed again") {
      let descriptor = EventDescriptor()
      let source = RunLoop.DescriptorSource(descriptor.number) { _, _ in descriptor.read() }
      try RunLoop.current.add(source, to: .default)
      return { times in
        for _ in 0..<times {
          source.interest = [.read, .write]
          source.interest = .read
        }
      }
    },
  ]

  private static func addAndInvalidate(_ descriptor: EventDescriptor, _ times: Int) throws {
    let loop = RunLoop.current
    for _ in 0..<times {
      let source = RunLoop.DescriptorSource(descriptor.number) { _, _ in descriptor.read() }
      try loop.add(source, to: .default)
      source.invalidate()
    }
  }
}
