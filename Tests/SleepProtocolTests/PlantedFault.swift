import Mainspring

/// A fault, the step that it is about, and the property by which it is found first.
struct PlantedFault: Sendable {
  let step: StepName
  let fault: Fault
  let property: Property

  private init(_ step: StepName, _ fault: Fault, _ property: Property) {
    self.step = step
    self.fault = fault
    self.property = property
  }

  private init(_ step: BellStep, _ fault: Fault, _ property: Property) {
    self.init(.bell(step), fault, property)
  }

  static let all: [PlantedFault] = ofSleeper + ofPoster + ofDoor + ofEnd

  private static let ofSleeper = [
    PlantedFault(.announceSleep, .skipped(.announceSleep), .trueReport),
    PlantedFault(.announceSleep, .announcedAfterLook, .noLostWakeUp),
    PlantedFault(.announceSleep, .announcedByStore, .noLostWakeUp),
    PlantedFault(.announceSleep, .split(.announceSleep), .noLostWakeUp),
    PlantedFault(.look, .lookSkipped, .noLostWakeUp),
    PlantedFault(.look, .lookIgnoresMode, .progress),
    PlantedFault(.wait, .futexDoesNotCompare, .noLostWakeUp),
    PlantedFault(.wait, .edgeForgotten, .noLostWakeUp),
    PlantedFault(.takeRings, .ringsTakenAfterLook, .noLostWakeUp),
    PlantedFault(.noticeRing, .skipped(.noticeRing), .trueReport),
    PlantedFault(.noticeRing, .noticedAfterRise, .trueReport),
    PlantedFault(.rise, .skipped(.rise), .noNeedlessRing),
    PlantedFault(.rise, .notRisenAfterLook, .noNeedlessRing),
    PlantedFault(.rise, .notRisenAfterWait, .noNeedlessRing),
    PlantedFault(.startPass, .inboxTakenTwice, .accounted),
  ]

  private static let ofPoster = [
    PlantedFault(.append, .appendedWithoutBarrier, .noLostWakeUp),
    PlantedFault(.append, .appendedToClosedInbox, .accounted),
    PlantedFault(.append, .refusalNotTold, .accounted),
    PlantedFault(.glance, .skipped(.glance), .noLostWakeUp),
    PlantedFault(.glance, .glancedBeforeAppend, .noLostWakeUp),
    PlantedFault(.glance, .masksIgnored, .noNeedlessRing),
    PlantedFault(.glance, .masksEmpty, .noLostWakeUp),
    PlantedFault(.claim, .skipped(.claim), .noLostWakeUp),
    PlantedFault(.claim, .unchecked(.claim), .noNeedlessRing),
    PlantedFault(.claim, .unswapped(.claim), .noLostWakeUp),
    PlantedFault(.claim, .split(.claim), .noNeedlessRing),
    PlantedFault(.wake, .skipped(.wake), .noLostWakeUp),
    PlantedFault(.ring, .skipped(.ring), .noLostWakeUp),
    PlantedFault(.ring, .rungOutsideDoor, .noWriteAfterClose),
  ]

  private static let ofDoor = [
    PlantedFault(.enterDoor, .doorIgnored, .noWriteAfterClose),
    PlantedFault(.enterDoor, .doorIgnoredWhenShut, .noWriteAfterClose),
    PlantedFault(.enterDoor, .skipped(.enterDoor), .noTrap),
    PlantedFault(.enterDoor, .split(.enterDoor), .noWriteAfterClose),
    PlantedFault(.leaveDoor, .skipped(.leaveDoor), .closedOnce),
    PlantedFault(.leaveDoor, .split(.leaveDoor), .closedOnce),
    PlantedFault(.retireAsLast, .skipped(.retireAsLast), .closedOnce),
    PlantedFault(.retireAsLast, .unchecked(.retireAsLast), .closedOnce),
    PlantedFault(.retireAsLast, .unswapped(.retireAsLast), .closedOnce),
    PlantedFault(.retireAsLast, .split(.retireAsLast), .closedOnce),
    PlantedFault(.closeAsLast, .skipped(.closeAsLast), .closedOnce),
  ]

  private static let ofEnd = [
    PlantedFault(.closeInbox, .inboxNotClosed, .accounted),
    PlantedFault(.shutDoor, .skipped(.shutDoor), .closedOnce),
    PlantedFault(.shutDoor, .split(.shutDoor), .closedOnce),
    PlantedFault(.retireAtEnd, .skipped(.retireAtEnd), .closedOnce),
    PlantedFault(.retireAtEnd, .unchecked(.retireAtEnd), .closedOnce),
    PlantedFault(.retireAtEnd, .unswapped(.retireAtEnd), .closedOnce),
    PlantedFault(.retireAtEnd, .split(.retireAtEnd), .closedOnce),
    PlantedFault(.closeAtEnd, .skipped(.closeAtEnd), .closedOnce),
  ]
}
