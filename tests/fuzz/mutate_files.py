#!/usr/bin/env python3
"""Mutates the recorded cases by their structure and runs commands of crosswalk on the results.

  build/deps/venv/bin/python tests/fuzz/mutate_files.py --bin build/release/bin/crosswalk --count 2000 --seed 1 \\
      --keep build/fuzz/mutated ../shared/cases/tf ../shared/cases/torch

Protocol buffers are changed by field, JSON by value, zip members by their own structure with a correct checksum, code by
token, other files by byte. A run is a finding if it ends with an exit status outside the contract (70, a signal), takes
more than 5 s of CPU time or 500 MB, prints no line for a failure, prints control characters, leaves files behind after
a failure, or writes a model that ONNX Runtime does not load (--load). --keep writes the files of each finding to a
folder of its own, with the command.
"""
import argparse
import collections
import io
import json
import os
import random
import re
import shutil
import signal
import struct
import sys
import tempfile
import time
import warnings
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hostile"))

from bounded_run import has_memory_limit, run, slowdown
from model_files import varint

CPU_SECONDS, MEGABYTES = 5, 500
NUMBERS = [0, 1, -1, 2, 3, 7, 8, 64, 127, 128, 255, 256, 1000, 65535, 65536, 100000, 10**6, 10**9, 2**31 - 1, 2**31,
           -2**31, 2**32, 2**32 + 1, 2**53, 2**62, 2**63 - 1, -2**63]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e-8, 1e8, 1e38, 3.5e38, 1e308, float("inf"), float("-inf"), float("nan")]
TEXTS = ["", "x", "None", "()", "(0,0)", "[1,", "True", "nan", "-1", "a" * 5000, "\x1b[31m", "\u202e", "<img src=x>",
         "../../etc/passwd", "/dev/zero", "float16", "int64", "complex64", "valid", "same", "NHWC", "NCHW", "9" * 40]


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.7 else rng.randrange(-4, 40)


def mutated_text(rng, text, pool):
    """A string with another number in it, another string of the file, or a hostile one."""
    numbers = list(re.finditer(r"-?\d+(\.\d+)?", text))
    way = rng.random()
    if numbers and way < 0.6:
        found = rng.choice(numbers)
        new = str(number(rng)) if rng.random() < 0.8 else repr(rng.choice(FLOATS))
        return text[:found.start()] + new + text[found.end():]
    if pool and way < 0.85:
        return rng.choice(pool)
    return rng.choice(TEXTS)


def mutate_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        if not data:
            return b"\0"
        at = rng.randrange(len(data))
        way = rng.randrange(6)
        if way == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            data[at] = rng.randrange(256)
        elif way == 2:
            form = rng.choice(["<i", "<q", "<h", ">i", ">q"])
            size = struct.calcsize(form)
            value = number(rng) & (1 << 8 * size) - 1
            data[at:at + size] = value.to_bytes(size, "little" if form[0] == "<" else "big")
        elif way == 3:
            del data[at:at + rng.choice([1, 4, 8, 100])]
        elif way == 4:
            part = data[at:at + rng.choice([1, 4, 8, 100])]
            data[at:at] = part
        else:
            del data[rng.randrange(len(data)) if rng.random() < 0.3 else at:]
    return bytes(data)


# Protocol buffers, without their schemas -----------------------------------------------------------------------------

def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise ValueError


def parse_message(data, depth=0):
    """[[field, wire, value]]: value an int, bytes, or a list for what parses as a message."""
    fields, at = [], 0
    while at < len(data):
        key, at = read_varint(data, at)
        field, wire = key >> 3, key & 7
        if field == 0 or field > 100000:
            raise ValueError
        if wire == 0:
            value, at = read_varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError
        elif wire == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError
            if depth < 30 and size and size < 200000:
                try:
                    value = parse_message(value, depth + 1)
                except (ValueError, IndexError):
                    pass
        else:
            raise ValueError
        fields.append([field, wire, value])
    return fields


def write_message(fields):
    out = bytearray()
    for field, wire, value in fields:
        out += varint(field << 3 | wire)
        if wire == 0:
            out += varint(value)
        elif wire == 2:
            if isinstance(value, list):
                value = write_message(value)
            out += varint(len(value)) + value
        else:
            out += value
    return bytes(out)


def places_of(fields, into):
    for i, entry in enumerate(fields):
        into.append((fields, i))
        if isinstance(entry[2], list):
            places_of(entry[2], into)


def mutate_message(rng, data):
    try:
        fields = parse_message(data)
    except (ValueError, IndexError):
        return mutate_bytes(rng, data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        places = []
        places_of(fields, places)
        if not places:
            return data
        texts = [f[i][2] for f, i in places if isinstance(f[i][2], bytes) and 0 < len(f[i][2]) < 80]
        owner, i = rng.choice(places)
        entry = owner[i]
        way = rng.random()
        if way < 0.12:
            del owner[i]
        elif way < 0.22:
            owner.insert(rng.randrange(len(owner) + 1), list(entry))
        elif way < 0.3:
            other, k = rng.choice(places)
            entry[1], entry[2] = other[k][1], other[k][2] if not isinstance(other[k][2], list) else write_message(other[k][2])
        elif entry[1] == 0:
            entry[2] = number(rng)
        elif entry[1] in (1, 5):
            value = rng.choice(FLOATS) if rng.random() < 0.7 else float(rng.randrange(-4, 9))
            try:
                entry[2] = struct.pack("<d" if entry[1] == 1 else "<f", value)
            except OverflowError:
                entry[2] = struct.pack("<f", float("inf"))
        elif isinstance(entry[2], list):
            if entry[2] and rng.random() < 0.5:
                entry[2].append(list(rng.choice(entry[2])))
            else:
                entry[2] = rng.choice([[], b""])
        else:
            if rng.random() < 0.3:
                entry[2] = mutate_bytes(rng, entry[2])
            elif rng.random() < 0.5 and len(entry[2]) % 8 == 0 and entry[2]:
                at = rng.randrange(len(entry[2]) // 8) * 8
                entry[2] = entry[2][:at] + struct.pack("<Q", number(rng) & 2**64 - 1) + entry[2][at + 8:]
            else:
                text = entry[2].decode("utf-8", "replace")
                entry[2] = mutated_text(rng, text, [t.decode("utf-8", "replace") for t in texts]).encode()
    return write_message(fields)


# JSON ----------------------------------------------------------------------------------------------------------------

def mutate_json(rng, data):
    try:
        root = json.loads(data)
    except ValueError:
        return mutate_bytes(rng, data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        places, texts, stack = [], [], [root]
        while stack:
            value = stack.pop()
            items = list(value.items()) if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
            for key, item in items:
                places.append((value, key))
                if isinstance(item, str) and len(item) < 80:
                    texts.append(item)
                stack.append(item)
        if not places:
            break
        owner, key = rng.choice(places)
        value = owner[key]
        way = rng.random()
        if way < 0.12:
            del owner[key]
        elif way < 0.2 and isinstance(owner, list):
            owner.insert(rng.randrange(len(owner) + 1), value)
        elif way < 0.28:
            other, k = rng.choice(places)
            owner[key] = json.loads(json.dumps(other[k]))
        elif way < 0.34:
            owner[key] = rng.choice([None, True, [], {}, "", 0, [[]], -1, 1.5])
        elif isinstance(value, bool):
            owner[key] = not value
        elif isinstance(value, (int, float)):
            owner[key] = number(rng) if rng.random() < 0.8 else rng.choice(FLOATS)
        elif isinstance(value, str):
            owner[key] = mutated_text(rng, value, texts)
        elif isinstance(value, list) and value and rng.random() < 0.7:
            owner[key] = value * rng.choice([2, 3, 50])
        elif isinstance(value, dict) and rng.random() < 0.5:
            value[rng.choice(texts) if texts else "x"] = rng.choice([number(rng), "x", None, []])
    return json.dumps(root).encode()


# Code, pickles, archives ---------------------------------------------------------------------------------------------

def mutate_code(rng, data):
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice([1, 1, 2, 3])):
        way = rng.random()
        if way < 0.45:
            found = list(re.finditer(r"-?\b\d+(\.\d+(e-?\d+)?)?\b", text))
            if not found:
                continue
            at = rng.choice(found)
            new = str(number(rng)) if rng.random() < 0.8 else rng.choice(["0.5", "1e309", "-0.", "None", "True", "[1, 2]"])
        elif way < 0.75:
            found = list(re.finditer(r"[A-Za-z_][\w.]*", text))
            if not found:
                continue
            at = rng.choice(found)
            new = rng.choice(found).group()
        else:
            lines = text.split("\n")
            i = rng.randrange(len(lines))
            if way < 0.85:
                lines.insert(rng.randrange(len(lines) + 1), lines[i])
            elif way < 0.95:
                del lines[i]
            else:
                lines[i] = "  " + lines[i]
            text = "\n".join(lines)
            continue
        text = text[:at.start()] + new + text[at.end():]
    return text.encode()


def mutate_zip(rng, data):
    if rng.random() < 0.1:
        return mutate_bytes(rng, data)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = [(i, archive.read(i)) for i in archive.infolist()]
    except Exception:
        return mutate_bytes(rng, data)
    likely = [k for k, (i, _) in enumerate(members) if re.search(r"\.(json|py|pkl|h5)$|version$|byteorder$", i.filename)]
    chosen = rng.choice(likely) if likely and rng.random() < 0.9 else rng.randrange(len(members))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for k, (info, content) in enumerate(members):
            if k == chosen:
                content = mutated(rng, info.filename, content)
            if k == chosen and rng.random() < 0.03:
                continue
            name = info.filename
            if k == chosen and rng.random() < 0.03:
                name = rng.choice(["../x", "/x", members[rng.randrange(len(members))][0].filename, "a" * 3000])
            new.writestr(zipfile.ZipInfo(name), content, info.compress_type)
    return out.getvalue()


def mutate_pickle(rng, data):
    """Numbers and strings by their opcodes; anything else by byte."""
    import pickletools
    try:
        codes = [(o.name, a, p) for o, a, p in pickletools.genops(data)]
    except Exception:
        return mutate_bytes(rng, data)
    ends = [p for _, _, p in codes[1:]] + [len(data)]
    at = rng.randrange(len(codes))
    for _ in range(20):
        name = codes[at][0]
        if "INT" in name or "UNICODE" in name or name == "GLOBAL" or "GET" in name or rng.random() < 0.1:
            break
        at = rng.randrange(len(codes))
    name, argument, start = codes[at]
    if name in ("BININT", "BININT1", "BININT2", "LONG1"):
        new = b"\x8a\x08" + struct.pack("<q", max(-2**63, min(2**63 - 1, number(rng))))
    elif name == "BINUNICODE" or name == "SHORT_BINUNICODE":
        text = mutated_text(rng, argument, [a for n, a, _ in codes if "UNICODE" in n]).encode("utf-8", "replace")
        new = b"X" + struct.pack("<I", len(text)) + text
    elif name == "GLOBAL":
        new = b"c" + mutated_text(rng, argument, [a for n, a, _ in codes if n == "GLOBAL"] +
                                  ["os system", "collections OrderedDict"]).replace(" ", "\n", 1).encode() + b"\n"
    elif rng.random() < 0.5:
        other = rng.randrange(len(codes))
        new = data[codes[other][2]:ends[other]]
    else:
        return mutate_bytes(rng, data)
    return data[:start] + new + data[ends[at]:]


def mutated(rng, name, data):
    if rng.random() < 0.05:
        return mutate_bytes(rng, data)
    if name.endswith(".json"):
        return mutate_json(rng, data)
    if name.endswith((".pb", ".meta", ".onnx")):
        return mutate_message(rng, data)
    if name.endswith(".py"):
        return mutate_code(rng, data)
    if name.endswith(".pkl"):
        return mutate_pickle(rng, data)
    if data[:2] == b"PK":
        return mutate_zip(rng, data)
    return mutate_bytes(rng, data)


# Runs ----------------------------------------------------------------------------------------------------------------

def seeds_of(folders):
    """Folders with a model: the case folders, and those of ONNX test models."""
    for folder in folders:
        for path, names, files in os.walk(folder):
            names.sort()
            names[:] = [n for n in names if not n.startswith(("test_data_set", "alt_"))]
            models = [f for f in sorted(files) if re.search(r"\.(json|params|pb|meta|index|h5|keras|pt|pt2|pth|ptl|onnx)$|data-0", f)
                      and f != "case.json"]
            if models and os.path.basename(path) != "variables":
                yield path, models


def copy_case(path, into):
    for name in os.listdir(path):
        if name.startswith(("test_data_set", "alt_", "case.json")):
            continue
        source = os.path.join(path, name)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(into, name))
        else:
            shutil.copyfile(source, os.path.join(into, name))


def all_files(folder):
    return sorted(os.path.relpath(os.path.join(p, f), folder) for p, _, fs in os.walk(folder) for f in fs)


def case_of(path):
    for folder in (path, os.path.dirname(path)):
        try:
            with open(os.path.join(folder, "case.json")) as file:
                return json.load(file)
        except (OSError, ValueError):
            continue
    return {}


def model_of(models):
    """The one of a case's files that a command takes."""
    if "saved_model.pb" in models:
        return "."
    return next((f for f in models if f.endswith("-symbol.json")), models[0])


def shape_options(entry):
    """The options for an input of a case, if its shape is recorded."""
    if not entry.get("shape") or -1 in entry["shape"]:
        return []
    return ["--shape", f"{entry['name']}={','.join(map(str, entry['shape']))}"]


def conversion_options(rng):
    """Arbitrary options of crosswalk convert."""
    options = []
    for chance, words in ((0.3, ["--optimize"]), (0.4, ["--opset", rng.choice(["11", "13", "21", "23", "26"])]),
                          (0.1, ["--external-data"]), (0.1, ["--partial"]), (0.1, ["--rnn", rng.choice(["fused", "unrolled"])]),
                          (0.05, ["--reroll"])):
        if rng.random() < chance:
            options += words
    return options


def command_of(rng, model, case):
    options = []
    for entry in case.get("inputs", []):
        if isinstance(entry, dict) and rng.random() < 0.9:
            options += shape_options(entry)
    command = rng.choice(["convert"] * 8 + ["inspect", "diagnose", "render", "report", "layers"])
    if command == "inspect":
        return ["inspect", model] + rng.choice([[], ["--json"]])
    if command == "layers":
        return ["inspect", "--layers", model]
    if command == "diagnose":
        return ["diagnose", model] + options
    if command == "render":
        return ["render", model, "-o", "out.svg"]
    if command == "report":
        return ["report", model, "-o", "out.html"]
    return ["convert", model, "-o", "out.onnx"] + options + conversion_options(rng)


def faults(binary, status, cpu, megabytes, out, err, left):
    if status not in range(7):
        yield f"status {status}"
    if cpu > CPU_SECONDS * slowdown(binary):
        yield f"{cpu:.1f} s"
    if has_memory_limit(binary) and megabytes > MEGABYTES:
        yield f"{megabytes} MB"
    if status != 0 and not err.strip():
        yield "no line"
    if status != 0 and left:
        yield "left behind"
    for stream in (out, err):
        try:
            if re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", stream.decode()):
                yield "control characters"
        except UnicodeDecodeError:
            yield "not UTF-8"
    for text in ("the model that crosswalk made", "invalid-export", "not valid ONNX"):
        if text.encode() in err:
            yield "invalid export"
    if b"runtime error: " in err: # of the undefined-behaviour sanitizer, which ends the program with status 1
        yield "undefined behaviour"
    if b"not enough memory" in err: # where it is, the program takes it
        yield "memory"


def load_fault(path):
    """The message of ONNX Runtime for a model that it does not load; it runs in a child, which a model may crash."""
    import onnxruntime  # once: children inherit it
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = b""
        try:
            signal.alarm(60)
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 4
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            options.intra_op_num_threads = 1
            onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as e:
            message = str(e).encode()[:2000]
        os.write(writer, message)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        message = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if status:
        return f"ONNX Runtime ended with {status}"
    return message


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", nargs="+", help="recorded cases")
    p.add_argument("--bin", required=True)
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seconds", type=float, default=0, help="end after this time; 0: after --count runs")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", help="regular expression of case names")
    p.add_argument("--keep", help="folder for the files of the findings")
    p.add_argument("--load", action="store_true", help="also load each written model in ONNX Runtime")
    a = p.parse_args()
    warnings.simplefilter("ignore")
    binary = os.path.abspath(a.bin)
    seeds = [s for s in seeds_of(a.folders) if not a.only or re.search(a.only, s[0])]
    groups = collections.defaultdict(list)
    for seed in seeds:
        groups[seed[1][0].rsplit(".", 1)[-1]].append(seed)
    rng = random.Random(a.seed)
    statuses, found, begin, runs = collections.Counter(), 0, time.monotonic(), 0
    while (runs < a.count if not a.seconds else time.monotonic() - begin < a.seconds):
        runs += 1
        path, models = rng.choice(groups[rng.choice(sorted(groups))]) if rng.random() < 0.3 else rng.choice(seeds)
        with tempfile.TemporaryDirectory() as folder:
            copy_case(path, folder)
            case = case_of(path)
            files = [f for f in all_files(folder) if not f.endswith((".npz", ".txt")) and
                     os.path.getsize(os.path.join(folder, f)) < 4 << 20]
            if not files:
                continue
            target = rng.choice(files)
            with open(os.path.join(folder, target), "rb") as file:
                content = file.read()
            content = mutated(rng, target, content)
            with open(os.path.join(folder, target), "wb") as file:
                file.write(content)
            words = command_of(rng, model_of(models), case)
            before = set(os.listdir(folder))
            result = run([binary, *words], folder, 3 * CPU_SECONDS, 6 << 30)
            left = set(os.listdir(folder)) - before
            statuses[result[0]] += 1
            problems = list(faults(binary, *result, left))
            if a.load and result[0] == 0 and words[0] == "convert" and "--partial" not in words:
                message = load_fault(os.path.join(folder, "out.onnx"))
                if message and "NOT_IMPLEMENTED" not in message:
                    problems.append("not loaded: " + " ".join(message.split())[:300])
            if problems:
                found += 1
                print(f"{os.path.relpath(path, a.folders[0])} {target}: {'; '.join(problems)}\n    crosswalk {' '.join(words)}\n"
                      f"    {result[4].decode('utf-8', 'replace')[:400].strip()}", flush=True)
                if a.keep:
                    into = os.path.join(a.keep, f"{a.seed}_{runs}_{os.path.basename(path)}")
                    shutil.rmtree(into, ignore_errors=True)
                    shutil.copytree(folder, into)
                    with open(os.path.join(into, "command.txt"), "w") as file:
                        file.write(" ".join(words) + "\n" + "; ".join(problems) + "\n")
    print(f"{runs} runs in {time.monotonic() - begin:.0f} s, statuses {dict(sorted(statuses.items()))}, {found} findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
