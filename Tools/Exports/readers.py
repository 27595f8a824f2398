"""Foreign tools that read an export. Each reader returns what the tool found, and what it printed or drew."""

import base64
import contextlib
import gzip
import html
import importlib.util
import io
import json
import os
import re
import subprocess
import tempfile
from collections import Counter


class Found:
    def __init__(self, total=None, top=None, count=None, text="", problems=(), suffix="txt"):
        self.total, self.top, self.count = total, top, count
        self.text, self.problems, self.suffix = text, list(problems), suffix


def leaves(frame, own):
    """The time of each function itself, of a tree of flamegraph-textual's."""
    rest = frame.values[own] - sum(child.values[own] for child in frame.children)
    found = Counter({frame.name: rest}) if rest > 0 and frame.name != "root" else Counter()
    for child in frame.children:
        found += leaves(child, own)
    return found


def tree_text(frame, own, depth=0):
    lines = [f"{'  ' * depth}{frame.name} {frame.values[own]}"]
    for child in frame.children:
        lines += tree_text(child, own, depth + 1)
    return lines


def textual(path, kind, own=0, divisor=1, content=None):
    from flamegraph_textual.parsers import parse

    profile = parse(content or open(path, "rb").read(), os.path.basename(path), kind)
    root = profile.root_stack
    top = leaves(root, own).most_common(1)
    return Found(
        root.values[own] / divisor, top[0][0] if top else None, profile.total_sample,
        "\n".join(tree_text(root, own)))


def collapsed_textual(path, facts):
    return textual(path, "stackcollapse")


def collapsed_inferno(path, facts):
    import pyinferno

    lines = open(path, encoding="utf-8").read().splitlines()
    svg = pyinferno.flamegraph_from_lines(lines, "stalls")
    # The title of each box: `name (1,234 samples, 56.78%)`.
    boxes = re.findall(r"<title>(.*?) \(([\d,]+) samples, [\d.]+%\)</title>", svg)
    times = Counter()
    for name, time in boxes:
        times[html.unescape(name)] += int(time.replace(",", ""))
    culprit = facts.all[0].culprit
    problems = []
    if culprit and abs(times[culprit] - facts.time_within(culprit)) > 1:
        problems.append(f"{times[culprit]} ms in {culprit!r} instead of {facts.time_within(culprit):.0f}")
    return Found(times["all"], None, None, svg, problems, suffix="svg")


def speedscope_textual(path, facts):
    """The tool reads the profile that is marked as the active one: each in turn."""
    file = json.load(open(path, encoding="utf-8"))
    total, times, count, texts = 0, Counter(), 0, []
    for index, profile in enumerate(file["profiles"]):
        file["activeProfileIndex"] = index
        found = textual(path, "speedscope", content=json.dumps(file).encode())
        texts.append(f"{profile['name']}\n{found.text}")
        if profile["unit"] == "milliseconds":
            total += found.total
            count += found.count
            for stack, weight in zip(profile["samples"], profile["weights"]):
                times[file["shared"]["frames"][stack[-1]]["name"]] += weight
    return Found(total, times.most_common(1)[0][0], count, "\n\n".join(texts))


def pprof_go(path, facts):
    def run(*options):
        command = [os.environ["GO"], "tool", "pprof", "-symbolize=none", *options, path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    top = run("-top", "-unit=ms", "-nodecount=1000", "-nodefraction=0")
    samples = run("-top", "-sample_index=samples", "-nodecount=1000", "-nodefraction=0")
    total = float(re.search(r"of ([\d.]+)ms total", top)[1])
    first = re.search(r"cum%\n(?:\s*\S+){5}  ?(.*)", top)[1]
    count = re.search(r"of (\d+) total", samples)
    tags = run("-tags", "-unit=ms")
    problems = [f"no label {tag}" for tag in ("loop", "issue", "phase") if f" {tag}: " not in f" {tags}"]
    text = "\n".join([top, samples, tags, run("-raw")])
    return Found(total, first.removesuffix(" (inline)"), int(count[1]) if count else 0, text, problems)


def pprof_textual(path, facts):
    # It knows compressed files, too.
    content = gzip.compress(open(path, "rb").read())
    return textual(path, "pprof", own=1, divisor=1e6, content=content)


def trace_textual(path, facts):
    """It takes calls that touch for nested: the names of its leaves are not to be compared."""
    found = textual(path, "google-trace", divisor=1000)
    return Found(found.total, None, None, found.text)


def trace_lanefix(path, facts):
    from trace_lanefix import fix_overlaps

    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        fixed = os.path.join(folder, "fixed.json")
        fix_overlaps(path, fixed, 0)
        key = lambda e: (e["pid"], e["tid"], e["ts"], e["dur"], e["name"])
        slices = lambda file: sorted(
            key(e) for e in json.load(open(file, encoding="utf-8"))["traceEvents"] if e["ph"] == "X")
        same = slices(path) == slices(fixed)
    return Found(text=printed.getvalue(), problems=[] if same else ["slices cross each other"])


def firefox_columns(path, facts):
    """A check of the columns by a program that writes such profiles; and our own walk through them."""
    found = importlib.util.find_spec("vmprofconvert").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("columns", os.path.join(found, "processedformat.py"))
    columns = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(columns)
    profile = json.load(open(path, encoding="utf-8"))
    columns.check_processed_profile(profile)
    problems, total, times, count, texts = [], 0, Counter(), 0, []
    for thread in profile["threads"]:
        for table in ("frameTable", "funcTable", "resourceTable", "stackTable", "samples", "markers"):
            lengths = {len(column) for column in thread[table].values() if isinstance(column, list)}
            if lengths != {thread[table]["length"]}:
                problems.append(f"{table} has columns of {lengths} rows")
        frames, functions, stacks = thread["frameTable"], thread["funcTable"], thread["stackTable"]
        name = lambda stack: thread["stringArray"][functions["name"][frames["func"][stacks["frame"][stack]]]]
        samples = thread["samples"]
        if samples["time"] != sorted(samples["time"]):
            problems.append("times go back")
        texts.append(thread["name"])
        for number, stack in enumerate(samples["stack"]):
            if stack is None or samples["weight"] is None:
                continue
            total += samples["weight"][number]
            times[name(stack)] += samples["weight"][number]
            count += 1
            names, next_stack = [], stack
            while next_stack is not None:
                names.append(name(next_stack))
                next_stack = stacks["prefix"][next_stack]
            texts.append(f"{samples['weight'][number]} ms {' < '.join(names)}")
    return Found(total, times.most_common(1)[0][0], count, "\n".join(texts), problems)


def otlp_proto(path, facts):
    from google.protobuf import json_format, text_format
    from opentelemetry.proto.logs.v1.logs_pb2 import LogsData

    text = open(path, encoding="utf-8").read()
    # The format has ids in hexadecimal digits; protobuf's own JSON would have them in base 64.
    based = lambda match: f'"{match[1]}":"{base64.b64encode(bytes.fromhex(match[2])).decode()}"'
    text = re.sub(r'"(traceId|spanId)":"([0-9a-f]+)"', based, text)
    logs = json_format.Parse(text, LogsData())
    records = [r for log in logs.resource_logs for scope in log.scope_logs for r in scope.log_records]
    problems, total, times = [], 0, Counter()
    expected = {facts.report["report_id"]: facts for facts in facts.all}
    for record in records:
        values = {entry.key: entry.value for entry in record.attributes}
        its = expected[values["log.record.uid"].string_value]
        if len(values) != len(record.attributes):
            problems.append("a key comes up twice")
        if record.time_unix_nano != int(its.report["time"]["start_unix_ns"]):
            problems.append("another start")
        if abs(values["stall.duration_ms"].double_value - its.duration) > 0.001:
            problems.append("another duration")
        if record.trace_id.hex() != (its.report["links"]["trace_id"] or ""):
            problems.append("another trace")
        if its.culprit and values["stall.culprit"].string_value != its.culprit:
            problems.append("another culprit")
        for line in values["stall.stacks"].array_value.values:
            stack, weight = line.string_value.rsplit(" ", 1)
            total += int(weight)
            times[stack.split(";")[-1]] += int(weight)
    return Found(total, times.most_common(1)[0][0], len(records), text_format.MessageToString(logs), problems)


def sentry_relay(path, facts):
    from sentry_relay.processing import StoreNormalizer
    from sentry_sdk.envelope import Envelope

    problems, texts = [], []
    expected = {facts.report["report_id"]: facts for facts in facts.all}
    stream = io.BytesIO(open(path, "rb").read())
    envelopes = split(stream.getvalue())
    for envelope in map(Envelope.deserialize, envelopes):
        items = list(envelope)
        event = json.loads(items[0].payload.get_bytes())
        its = expected[envelope.headers["event_id"]]
        if [item.type for item in items] != ["event", "attachment"]:
            problems.append(f"items {[item.type for item in items]}")
        if json.loads(items[1].payload.get_bytes()) != its.report:
            problems.append("the report is not as it was")
        read = StoreNormalizer(
            project_id=1, received_at=event["timestamp"], max_secs_in_future=3600, max_secs_in_past=1 << 31
        ).normalize_event(event)
        problems += [f"relay: {error}" for error in errors(read.get("_meta"))]
        problems += [f"relay: {error}" for error in read.get("errors", [])]
        exception = read["exception"]["values"][0]
        frames = exception.get("stacktrace", {}).get("frames", [])
        if its.culprit and not any(f["function"] == its.culprit and f.get("vars") for f in frames):
            problems.append("the culprit is not marked")
        if read["fingerprint"][1] != its.report["fingerprint"]["level1"]:
            problems.append("another fingerprint")
        images = [i for i in its.report["images"] if i["build_id"]]
        if len(read.get("debug_meta", {}).get("images", [])) != len(images):
            problems.append("images are missing")
        if len(read.get("threads", {}).get("values", [])) != len(its.report["threads"]):
            problems.append("threads are missing")
        texts.append(json.dumps(read, indent=1, ensure_ascii=False))
    return Found(None, None, len(envelopes), "\n".join(texts), problems)


def split(data):
    """Cuts envelopes apart that stand one behind the other, by the lengths that their items tell."""
    envelopes, start, at = [], 0, 0
    while at < len(data):
        end = data.index(b"\n", at)
        header = json.loads(data[at:end])
        if "length" in header:
            at = end + 1 + header["length"] + 1
        else:
            if at > start:
                envelopes.append(data[start:at])
            start, at = at, end + 1
    return envelopes + [data[start:at]]


def errors(meta, path=""):
    """What Relay complains of, wherever it stands; what it only shortens or adds is none."""
    if not isinstance(meta, dict):
        return []
    own = meta.get("", {}) if isinstance(meta.get(""), dict) else {}
    found = [f"{path}: {error}" for error in own.get("err", [])]
    for key, value in meta.items():
        if key:
            found += errors(value, f"{path}.{key}")
    return found
