"""Has every export read by foreign tools, and compares what they found with what the reports say.

Usage: check.py SAMPLES RESULTS. Prints a table; fails if a tool found something else.
"""

import os
import sys
import traceback

import loops
import readers
from facts import Set

# Format, its file's ending, the tool, how to read, and what of it is compared, with how far the sum may be off, ms: some
# tools cut each weight to a whole number.
READERS = [
    ("collapsed", "folded", "inferno (pyinferno)", readers.collapsed_inferno, "total", 1),
    ("collapsed", "folded", "flamegraph-textual", readers.collapsed_textual, "total top", 1),
    ("speedscope", "speedscope.json", "flamegraph-textual", readers.speedscope_textual, "total top samples", 100),
    ("pprof", "pb", "go tool pprof", readers.pprof_go, "total top samples", 10),
    ("pprof", "pb", "flamegraph-textual", readers.pprof_textual, "total top", 1),
    ("chrome-trace", "trace.json", "flamegraph-textual", readers.trace_textual, "tracks", 100),
    ("chrome-trace", "trace.json", "trace-lanefix", readers.trace_lanefix, "", 0),
    ("firefox", "firefox.json", "columns of vmprof's converter", readers.firefox_columns, "total top samples", 1),
    ("otlp", "otlp.json", "opentelemetry-proto", readers.otlp_proto, "total top reports", 1),
    ("sentry", "envelope", "sentry-relay, sentry-sdk", readers.sentry_relay, "reports", 0),
]


def tracks(facts):
    """The time of all slices that lie in no other: stalls, passes before, looks at other threads."""
    total = 0
    for its in facts.all:
        total += max(its.duration, its.total) + len(its.looks) * its.duration
        passes = sorted((p["t_ms"], p["dur_ms"]) for p in its.report["passes"]["before"] if p["t_ms"] < 0)
        ends = [start for start, _ in passes[1:]] + [0]
        total += sum(min(length, end - start) for (start, length), end in zip(passes, ends))
    return total


def compare(found, facts, compared, tolerance):
    problems = list(found.problems)
    if "total" in compared and abs(found.total - facts.total) > tolerance:
        problems.append(f"{found.total:.0f} ms instead of {facts.total:.0f}")
    if "tracks" in compared and abs(found.total - tracks(facts)) > tolerance:
        problems.append(f"{found.total:.0f} ms of tracks instead of {tracks(facts):.0f}")
    if "top" in compared and found.top.replace(":", ";") != facts.top.replace(":", ";"):
        problems.append(f"most time in {found.top!r} instead of {facts.top!r}")
    if "samples" in compared and found.count != facts.samples:
        # A stall without samples is one stack.
        bare = sum(1 for its in facts.all if not its.report["samples"])
        if found.count != facts.samples + bare:
            problems.append(f"{found.count} samples instead of {facts.samples}")
    if "reports" in compared and found.count != len(facts.all):
        problems.append(f"{found.count} reports instead of {len(facts.all)}")
    return problems


def main(samples, results):
    os.makedirs(results, exist_ok=True)
    names = sorted(name[:-7] for name in os.listdir(samples) if name.endswith(".ndjson"))
    failed = 0
    print(f"{'format':<13} {'tool':<30} {'reports':<15} {'time':>9}  {'most time in':<34} result")
    for format, ending, tool, read, compared, tolerance in READERS:
        for name in names:
            facts = Set(os.path.join(samples, f"{name}.ndjson"))
            try:
                found = read(os.path.join(samples, f"{name}.{ending}"), facts)
                problems = compare(found, facts, compared, tolerance)
                word = tool.split(" ")[0].rstrip(",")
                with open(os.path.join(results, f"{name}.{format}.{word}.{found.suffix}"), "w", encoding="utf-8") as file:
                    file.write(found.text)
            except Exception as error:
                traceback.print_exc()
                found, problems = readers.Found(), [f"{type(error).__name__}: {error}"]
            failed += bool(problems)
            time = "-" if found.total is None else f"{found.total:.0f} ms"
            top = (found.top or "-")[:34]
            print(f"{format:<13} {tool:<30} {name:<15} {time:>9}  {top:<34} {'; '.join(problems[:3]) or 'as the reports say'}")
    failed += loops.check(samples, results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
