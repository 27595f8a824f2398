extension SentryEvent {
  func writeException(to json: inout JSONWriter, _ report: Report) {
    json.object { json in
      json.member("type", "Stall \(report.cost.verdict?.rawValue ?? report.kind.rawValue)")
      json.member("value", report.headline.exported)
      json.member("thread_id", report.loop.thread.tid)
      json.member("mechanism") { json in
        json.object { json in
          json.member("type", "AppHang")
          json.member("handled", report.state != .unrecovered)
          // Else the type would have a say in the grouping.
          json.member("synthetic", true)
          json.member("data") { json in
            json.object { json in
              json.member("duration_ms", milliseconds: report.time.duration)
              json.member("threshold_ms", milliseconds: report.time.threshold)
            }
          }
        }
      }
      writeStack(report.representativeStack, to: &json)
    }
  }

  /// No member at all without frames.
  private func writeStack(_ frames: [Int], to json: inout JSONWriter) {
    guard !frames.isEmpty else { return }
    json.member("stacktrace") { json in
      json.object { json in
        json.member("snapshot", true)
        // Addresses of callers lie within the calls already.
        json.member("instruction_addr_adjustment", "none")
        json.member("frames") { $0.array(of: frames, writeFrame) }
      }
    }
  }

  private func writeFrame(to json: inout JSONWriter, _ index: Int) {
    let frame = report.stacks.frames[index]
    let name = report.exportedName(ofFrame: index)
    json.object { json in
      json.member("function", name)
      json.memberIfKnown("symbol", frame.mangled?.exported)
      json.memberIfKnown("package", report.image(ofFrame: index)?.name.exported)
      json.memberIfKnown("filename", frame.location?.file.exported)
      json.memberIfKnown("lineno", frame.location?.line)
      json.member("in_app", frame.isInApp && frame.kind == nil)
      json.memberIfKnown("instruction_addr", report.address(ofFrame: index).map(Hexadecimal.address))
      json.memberIfKnown("image_addr", report.image(ofFrame: index).map { Hexadecimal.address($0.base) })
      guard name == culprit else { return }
      // What a frame of the list shows when it is opened.
      json.member("vars") { json in json.object { $0.member("stall", "culprit") } }
    }
  }

  /// All threads; the stalled one without a stack, which is the exception's.
  func writeThreads(to json: inout JSONWriter) {
    guard !report.threads.isEmpty else { return }
    json.member("threads") { json in
      Self.values(to: &json) { $0.array(of: report.threads, writeThread) }
    }
  }

  private func writeThread(to json: inout JSONWriter, _ thread: Report.Thread) {
    json.object { json in
      json.member("id", thread.name.tid)
      json.memberIfKnown("name", thread.name.name?.exported)
      json.member("crashed", false)
      json.member("current", thread.isStalled)
      json.member("main", thread.name.tid == report.process.pid)
      json.memberIfKnown("state", thread.state.map { String($0).exported })
      if let target = thread.waitsOn { writeLock(target, of: thread, to: &json) }
      guard !thread.isStalled, let stack = report.stack(of: thread) else { return }
      writeStack(
        StackPath.withoutMonitor(report.stacks.stacks[stack], report.stacks).reversed(), to: &json)
    }
  }

  /// The lock that the thread waits for, and who has it.
  private func writeLock(
    _ target: Report.WaitTarget, of thread: Report.Thread, to json: inout JSONWriter
  ) {
    let address = Hexadecimal.address(target.address ?? 0)
    json.member("held_locks") { json in
      json.object { json in
        json.member(address) { json in
          json.object { json in
            // 8: blocked by it.
            json.member("type", 8)
            json.member("address", address)
            json.member("class_name", target.kind.exported)
            json.memberIfKnown("thread_id", target.owner)
          }
        }
      }
    }
  }

  /// The images that can be told from others: without a build-id nobody finds their symbols.
  var debugImages: [Report.Image] {
    report.stacks.images.filter { $0.buildID.flatMap(DebugIdentifier.init) != nil }
  }

  static func write(_ json: inout JSONWriter, _ image: Report.Image) {
    json.object { json in
      json.member("type", "elf")
      json.member("code_id", image.buildID)
      json.member("code_file", image.name.exported)
      json.member("debug_id", image.buildID.flatMap(DebugIdentifier.init)?.grouped)
      json.member("image_addr", Hexadecimal.address(image.base))
      json.member("image_size") { json in
        json.literal(String(image.end > image.base ? image.end - image.base : 0))
      }
      json.member("image_vmaddr", Hexadecimal.address(image.textOffset))
    }
  }
}
