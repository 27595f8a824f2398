/// The condition itself: `#expect` takes calls apart and cannot hold a value that is not copyable.
func holds(_ condition: Bool) -> Bool { condition }
