"""Has the trace of loops read by foreign tools, and compares what they found with what the program counted and measured."""

import json
import os
from collections import Counter, defaultdict

import readers


def loops_chrometrace(path, facts):
    """Event by event, into a library's own: names, phases, numbers as it wants them. What lies within what is counted here."""
    from chrometrace import TraceEvent, TraceEventType

    # Names of tracks have no time, which the library wants of all.
    events = [TraceEvent.from_dict({"ts": 0, **event}) for event in json.load(open(path, encoding="utf-8"))]
    kinds = TraceEventType
    problems, open_slices, latest, slices, texts = [], defaultdict(list), {}, Counter(), []
    for event in events:
        # It knows instants by the letter that they had once.
        kind = kinds("I" if event.event_type == "i" else event.event_type)
        track = (event.process_id, event.thread_id)
        if kind == kinds.METADATA:
            texts.append(f"{event.name}: {event.args}")
            continue
        if event.timestamp_us < latest.get(track, 0):
            problems.append(f"{event.name} goes back in time")
        latest[track] = event.timestamp_us
        if kind == kinds.BEGIN:
            slices[event.name if event.name.startswith("run") else event.name.split(" ")[0]] += 1
            texts.append(f"{'  ' * len(open_slices[track])}{event.name}")
            open_slices[track].append(event.name)
        elif kind == kinds.END:
            if not open_slices[track]:
                problems.append("an end without a beginning")
            else:
                open_slices[track].pop()
    problems += [f"{name} has no end" for names in open_slices.values() for name in names]
    # Of the other loop there are runs and blocks, too.
    for name, count in facts["slices"].items():
        if slices[name] < count or (name in ("run in tracking", "timer", "port") and slices[name] != count):
            problems.append(f"{slices[name]} of {name!r} instead of {count}")
    return readers.Found(None, None, len(events), "\n".join(texts), problems)


def loops_textual(path, facts):
    """A tree of it all: the main loop's run is as long as the program says."""
    from flamegraph_textual.parsers import parse

    root = parse(open(path, "rb").read(), os.path.basename(path), "google-trace").root_stack
    text = "\n".join(readers.tree_text(root, 0))
    mains = [track for track in root.children if "main loop" in track.name]
    length = sum(run.values[0] for track in mains for run in track.children if run.name == "run in default") / 1000
    nested = "run in tracking" in text
    problems = [] if nested else ["no nested run"]
    if abs(length - facts["run_ms"]) > 2:
        problems.append(f"a run of {length:.1f} ms instead of {facts['run_ms']:.1f}")
    return readers.Found(length, None, None, text, problems)


READERS = [("chrometrace", loops_chrometrace), ("flamegraph-textual", loops_textual)]


def check(samples, results):
    """Prints the rows; says how many tools found something else."""
    facts = json.load(open(os.path.join(samples, "loops.facts.json"), encoding="utf-8"))
    path = os.path.join(samples, "loops.trace.json")
    failed = 0
    for tool, read in READERS:
        try:
            found = read(path, facts)
            with open(os.path.join(results, f"loops.{tool}.txt"), "w", encoding="utf-8") as file:
                file.write(found.text)
        except Exception as error:
            found = readers.Found(problems=[f"{type(error).__name__}: {error}"])
        failed += bool(found.problems)
        time = "-" if found.total is None else f"{found.total:.0f} ms"
        print(f"{'trace':<13} {tool:<30} {'loops':<15} {time:>9}  {'-':<34} {'; '.join(found.problems[:3]) or 'as the program says'}")
    return failed
