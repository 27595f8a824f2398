extension Report: JSONEncodable {
  /// Writes the report in the schema's order of keys.
  ///
  /// - Complexity: O(length of the text).
  public func encode(to json: inout JSONWriter) {
    json.object { json in
      json.member("schema", Self.schema)
      json.member("report_id", id)
      json.member("kind", kind)
      json.member("state", state)
      json.member("fingerprint", fingerprint)
      encodeCircumstances(to: &json)
      encodeEvidence(to: &json)
      encodeSurroundings(to: &json)
    }
  }

  private func encodeCircumstances(to json: inout JSONWriter) {
    json.member("app", app)
    json.member("host", host)
    json.member("device", device)
    json.member("process", process)
    json.member("loop", loop)
    json.member("phase", phase)
    json.member("time", time)
    json.member("cost", cost)
    json.member("shape", shape)
    json.member("confidence", confidence)
  }

  private func encodeEvidence(to json: inout JSONWriter) {
    stacks.encodeMembers(to: &json)
    json.member("samples") { $0.rows(samples) }
    json.member("samples_dropped", samplesDropped)
    json.member("threads") { $0.rows(threads) }
    json.member("waits", waits)
  }

  private func encodeSurroundings(to json: inout JSONWriter) {
    json.member("annotations") { json in
      json.object { json in
        for (key, value) in annotations.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
      }
    }
    json.member("breadcrumbs", breadcrumbs)
    json.member("passes", passes)
    json.member("links", links)
    json.member("sampling", sampling)
    json.member("monitor", monitor)
    json.member("redaction") { json in json.object { $0.member("applied", redactions) } }
  }
}
