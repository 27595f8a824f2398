/// Where the keys of a map stand, sorted by their bytes: found by halving, without a string for each.
struct KeyIndex {
  private let message: ParsedMessage
  /// The items of the keys; that of each value is behind.
  private let places: [Int]

  /// - Throws: if a key is no text, or there twice.
  init(of decoder: ValueDecoder) throws(DecodingError) {
    let message = decoder.message
    var places: [Int] = []
    places.reserveCapacity(Int(decoder.item.argument))
    var place = decoder.index + 1
    var isSorted = true
    while place < decoder.item.next {
      guard message.items[place].kind == .text else { throw decoder.corrupt("a key of a map is no text") }
      if let last = places.last, !message.precedes(last, place) { isSorted = false }
      places.append(place)
      place = message.items[place + 1].next
    }
    if !isSorted {
      places.sort { message.precedes($0, $1) }
      for (one, next) in zip(places, places.dropFirst()) where !message.precedes(one, next) {
        throw decoder.corrupt("a key of a map is there twice")
      }
    }
    self.message = message
    self.places = places
  }

  /// The keys' items, in their order.
  var keys: [Int] { places }

  /// The item of a key's value.
  func value(for key: String) -> Int? {
    let wanted = key.utf8
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if message.isBefore(places[middle], wanted) { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, message.content(of: places[low]).elementsEqual(wanted) else { return nil }
    return places[low] + 1
  }
}

extension ParsedMessage {
  fileprivate func precedes(_ one: Int, _ other: Int) -> Bool {
    let (first, second) = (content(of: one), content(of: other))
    return first.count == second.count ? first.lexicographicallyPrecedes(second) : first.count < second.count
  }

  fileprivate func isBefore(_ index: Int, _ key: String.UTF8View) -> Bool {
    let content = content(of: index)
    return content.count == key.count ? content.lexicographicallyPrecedes(key) : content.count < key.count
  }
}
