/// The colours, 0xAARRGGBB.
enum Palette {
  static let background: Canvas.Color = 0xFFEE_F1F5
  static let card: Canvas.Color = 0xFFFF_FFFF
  static let cardEdge: Canvas.Color = 0xFFDD_E2EA
  static let title: Canvas.Color = 0xFF52_606D
  /// Where a picture is to be. No picture has a pixel of this colour in its middle but by an accident.
  static let placeholder: Canvas.Color = 0xFFCF_D6E1

  static let panel: Canvas.Color = 0xFF1F_2933
  static let panelLine: Canvas.Color = 0xFF32_3F4B
  static let heading: Canvas.Color = 0xFF7B_8794
  static let label: Canvas.Color = 0xFFCB_D2D9
  static let value: Canvas.Color = 0xFFF5_F7FA
  static let calm: Canvas.Color = 0xFF2C_B1BC
  static let lively: Canvas.Color = 0xFFF0_B429
  static let alarming: Canvas.Color = 0xFFEF_5350
  static let shadow: Canvas.Color = 0x8010_1820
  static let scrollBar: Canvas.Color = 0x6052_606D
}
