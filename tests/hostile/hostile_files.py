#!/usr/bin/env python3
"""Files that ask for too much, contradict themselves or nest without end, in every format, and how crosswalk ends.

  build/deps/venv/bin/python tests/hostile/hostile_files.py --bin build/release/bin/crosswalk [--only REGEX] [--keep DIR]

Every command on every file must end within 5 s of CPU time and 500 MB (and six times the size of the file), with an
exit status of the contract other than 70, with a line on standard error if it is not 0, without control characters on
either stream, and without files left behind after a failure. A command on a file of REFUSED must end with status 3 or
4. The folder found/ beside this script contains the files that a fuzzer found; each is held to the same. A program that is
built with a sanitizer may take longer, and its memory is not limited. Ends with a table: how the runs on the files of each
format ended.
"""
import argparse
import collections
import os
import re
import shutil
import sys
import tempfile

import hostile_keras
import hostile_mxnet
import hostile_onnx
import hostile_operands
import hostile_tensorflow
import hostile_torch
from bounded_run import has_memory_limit, run, slowdown

CPU_SECONDS, MEGABYTES = 5, 500
sys.setrecursionlimit(20000)
DEFAULT_COMMANDS = ["convert M -o out.onnx A", "convert M -o out.onnx --optimize --opset 21 A", "inspect M", "diagnose M A",
                    "inspect --layers M", "render M -o out.svg"]
BRIEF = 2  # how many of these --brief runs
STATUSES = ("done", "differs", "usage", "bad input", "refused", "not written", "no runtime")


def faults(binary, status, cpu, megabytes, out, err, left, must_refuse, file_megabytes):
    if status not in range(7):
        yield f"status {status}"
    if cpu > CPU_SECONDS * slowdown(binary):
        yield f"{cpu:.1f} s of CPU"
    if has_memory_limit(binary) and megabytes > MEGABYTES + 6 * file_megabytes:
        yield f"{megabytes} MB"
    if status != 0 and not err.strip():
        yield "no line on standard error"
    if status != 0 and left:
        yield f"left behind: {sorted(left)}"
    if must_refuse and status not in (3, 4):
        yield "not refused"
    for name, stream in (("standard output", out), ("standard error", err)):
        try:
            if re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", stream.decode()):
                yield f"control characters on {name}"
        except UnicodeDecodeError:
            yield f"{name} is not UTF-8"


def write_files(files, folder):
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if callable(content):  # for large and sparse files
            content(path)
        else:
            with open(path, "wb") as file:
                file.write(content)


def found_cases():
    """The files of found/: a folder a finding, with its commands in commands.txt."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "found")
    for name in sorted(os.listdir(root)) if os.path.isdir(root) else []:
        folder = os.path.join(root, name)
        with open(os.path.join(folder, "commands.txt")) as file:
            commands = file.read().split("\n")
        yield name, folder, [c for c in commands if c.strip()]


def made_cases():
    for module in (hostile_onnx, hostile_tensorflow, hostile_torch, hostile_keras, hostile_mxnet, hostile_operands):
        for name, case in module.cases().items():
            yield f"{module.FORMAT}/{name}", case


def print_table(endings):
    """`endings`: by format, how many runs ended with which status or, instead, with a fault."""
    columns = [ending for ending in (*STATUSES, "fault") if ending == "fault" or any(ending in row for row in endings.values())]
    print(f"{'hostile files':16}" + "".join(f"{title:>12}" for title in ("runs", *columns)))
    rows = list(endings.items())
    if len(rows) > 1:
        rows.append(("all", sum(endings.values(), collections.Counter())))
    for name, row in rows:
        print(f"{name:16}" + "".join(f"{number:12}" for number in (row.total(), *(row[column] for column in columns))))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", required=True)
    p.add_argument("--only")
    p.add_argument("--keep", help="also write the files there")
    p.add_argument("--verbose", action="store_true", help="print every run, not only those with a fault")
    p.add_argument("--brief", action="store_true", help="only convert each file, with and without --optimize")
    a = p.parse_args()
    binary = os.path.abspath(a.bin)
    endings = collections.defaultdict(collections.Counter)

    def check(name, command, fill, must_refuse):
        with tempfile.TemporaryDirectory() as folder:
            fill(folder)
            before = set(os.listdir(folder))
            size = sum(os.stat(os.path.join(folder, f)).st_blocks for f in before if not os.path.isdir(os.path.join(folder, f))) >> 11
            result = run([binary, *command.split()], folder, 4 * CPU_SECONDS, 4 << 30)
            left = set(os.listdir(folder)) - before
        found = list(faults(binary, *result, left, must_refuse, size))
        endings[name.split("/")[0]]["fault" if found else STATUSES[result[0]]] += 1
        if found or a.verbose:
            line = result[4].decode("utf-8", "replace").strip().split("\n")[0][:160]
            print(f"{'FAIL' if found else 'ok':4} {name:32} {command[:40]:40} {result[0]:3} {result[1]:5.2f} s {result[2]:4} MB "
                  f"{'; '.join(found)} | {line}", flush=True)

    for name, case in made_cases():
        if a.only and not re.search(a.only, name):
            continue
        files = case["files"]()
        if a.keep:
            write_files(files, os.path.join(a.keep, name))
        for command in case.get("commands", DEFAULT_COMMANDS)[:BRIEF if a.brief else None]:
            words = [case["model"] if w == "M" else w for w in command.split()]
            at = words.index("A") if "A" in words else None
            if at is not None:
                words[at:at + 1] = case.get("arguments", "").split()
            check(name, " ".join(words), lambda folder: write_files(files, folder),
                  case.get("refused", False) and words[0] == "convert")
    for name, folder, commands in found_cases():
        if a.only and not re.search(a.only, "found/" + name):
            continue
        for command in commands:
            check("found/" + name, command, lambda into: shutil.copytree(folder, into, dirs_exist_ok=True), False)
    print_table(endings)
    sys.exit(any(row["fault"] for row in endings.values()))


if __name__ == "__main__":
    main()
