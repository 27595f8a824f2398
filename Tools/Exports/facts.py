"""What reports say, read from `stall-report/1` itself: what a tool should find in an export of them."""

import json
from collections import Counter

NO_STACK = "[no stack]"


def printable(text):
    """A name as exports write it: one line, nothing that moves a cursor, cut in the middle if it is very long."""
    if len(text) > 400:
        text = text[:200] + "…" + text[-200:]
    bad = lambda c: c < 0x20 or 0x7F <= c <= 0x9F or c in (0x200E, 0x200F) or 0x2028 <= c <= 0x202E or 0x2066 <= c <= 0x2069
    return "".join("\ufffd" if bad(ord(c)) else c for c in text)


class Facts:
    """Of one report."""

    def __init__(self, report):
        self.report = report
        self.frames = {frame["id"]: frame for frame in report["frames"]}
        self.duration = report["time"]["duration_ms"]
        self.stretches = self._stretches()
        self.total = sum(weight for _, weight in self.stretches)
        self.self_time = Counter()
        for names, weight in self.stretches:
            self.self_time[names[0]] += weight
        culprit = (report["fingerprint"] or {}).get("culprit")
        self.culprit = self.name(self.frames[culprit]) if culprit else None
        self.looks = [
            t for t in report["threads"] if not t["stalled"] and (t["stack"] is not None or t.get("waits_on"))
        ]

    def name(self, frame):
        kind = frame.get("kind") or ""
        if kind.startswith("gap:"):
            return f"[{kind[4:]} frames left out]"
        if frame["sym"]:
            return printable(frame["sym"])
        image = "[unknown]"
        if frame["img"] is not None:
            image = printable(self.report["images"][frame["img"]]["name"].split("/")[-1])
        return f"{image}+{frame['off']}" if frame["off"] else image

    def names(self, stack):
        """Of a stack's functions, leaf first, without the monitor's own."""
        if stack is None:
            return [NO_STACK]
        frames = [self.frames[frame] for frame in self.report["stacks"][stack]]
        own = [i for i, frame in enumerate(frames) if frame.get("kind") in ("signal", "monitor")]
        return [self.name(frame) for frame in frames[own[-1] + 1 if own else 0 :]] or [NO_STACK]

    def _stretches(self):
        samples = self.report["samples"]
        if not samples:
            stalled = [t for t in self.report["threads"] if t["stalled"]]
            return [(self.names(stalled[0]["stack"] if stalled else None), self.duration)]
        weights = [max(0, sample["weight_ms"]) for sample in samples]
        if not any(weights):
            weights = [self.duration / len(samples)] * len(samples)
        return [(self.names(sample["stack"]), weight) for sample, weight in zip(samples, weights)]


class Set:
    """The reports of one file."""

    def __init__(self, path):
        self.all = [Facts(json.loads(line)) for line in open(path, encoding="utf-8").read().split("\n") if line]
        self.total = sum(facts.total for facts in self.all)
        self.samples = sum(len(facts.report["samples"]) for facts in self.all)
        self.self_time = sum((facts.self_time for facts in self.all), Counter())

    def time_within(self, function):
        """The time of the stacks that have the function."""
        return sum(weight for facts in self.all for names, weight in facts.stretches if function in names)

    @property
    def top(self):
        """The function that most of the time was spent in itself."""
        return self.self_time.most_common(1)[0][0]
