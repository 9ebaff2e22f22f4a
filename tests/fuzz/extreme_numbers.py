#!/usr/bin/env python3
"""Replaces each number of the recorded cases by extreme ones, one at a time, and converts the results with arbitrary
options.

  build/deps/venv/bin/python tests/fuzz/extreme_numbers.py --bin build/release/bin/crosswalk --seconds 600 ../shared/cases/keras

Sizes, counts, axes and steps of a file must not make the program run long or take memory, although any of them can be
2147483647, and their sums and products must not overflow, which programs of the presets asan and fuzz report. The numbers
are those of JSON, of texts in it, of code, and of the fields and lists of integers of protocol buffers; in archives, those of
each member. A finding is what mutate_files.py takes for one. The order and the options are random, but follow from --seed;
without --seconds, all are tried.
"""
import argparse
import collections
import concurrent.futures
import io
import itertools
import json
import os
import random
import re
import struct
import sys
import tempfile
import time
import zipfile

from mutate_files import (CPU_SECONDS, all_files, case_of, conversion_options, copy_case, faults, model_of, parse_message, places_of,
                          run, seeds_of, shape_options, write_message)

NUMBERS = (2**31 - 1, 10**7, -2, 2**40, 2**62 + 1, -2**63)
LONGEST = 64  # bytes of a list of integers


def in_text(text):
    """(write, number) for each number of a text: write(new) is the text with another number."""
    for found in re.finditer(r"(?<![\w.])-?\d+(\.\d+)?\b", text):
        yield (lambda new, found=found: text[:found.start()] + str(new) + text[found.end():]), found.group()


def in_json(data):
    root = json.loads(data)
    stack = [root]
    while stack:
        owner = stack.pop()
        for key, value in list(owner.items() if isinstance(owner, dict) else enumerate(owner)):
            def replaced(new, owner=owner, key=key, value=value):
                owner[key] = new
                content = json.dumps(root).encode()
                owner[key] = value
                return content
            if isinstance(value, (dict, list)):
                stack.append(value)
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                yield replaced, f"{key} = {value}"
            elif isinstance(value, str) and len(value) < LONGEST:
                for write, number in in_text(value):
                    yield (lambda new, write=write, replaced=replaced: replaced(write(new))), f"{key} = {value} at {number}"


def in_message(data):
    fields, places = parse_message(data), []
    places_of(fields, places)
    for owner, index in places:
        entry = owner[index]
        value = entry[2]

        def replaced(new, entry=entry, value=value):
            entry[2] = new
            content = write_message(fields)
            entry[2] = value
            return content
        if entry[1] == 0:
            yield (lambda new, replaced=replaced: replaced(new & 2**64 - 1)), f"field {entry[0]} = {value}"
        elif isinstance(value, bytes) and 0 < len(value) <= LONGEST and len(value) % 4 == 0:
            form = "<q" if len(value) % 8 == 0 else "<i"
            size = struct.calcsize(form)
            for at in range(0, len(value), size):
                def element(new, replaced=replaced, value=value, at=at, form=form, size=size):
                    bits = new & 2**(8 * size) - 1
                    return replaced(value[:at] + bits.to_bytes(size, "little") + value[at + size:])
                yield element, f"field {entry[0]}, bytes {at} to {at + size}"


def in_archive(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = [(info, archive.read(info)) for info in archive.infolist()]
    for chosen, (info, content) in enumerate(members):
        for write, what in numbers_of(info.filename, content):
            def replaced(new, write=write, chosen=chosen):
                out = io.BytesIO()
                with zipfile.ZipFile(out, "w") as file:
                    for i, (member, original) in enumerate(members):
                        file.writestr(zipfile.ZipInfo(member.filename), write(new) if i == chosen else original, member.compress_type)
                return out.getvalue()
            yield replaced, f"{info.filename}: {what}"


def in_code(data):
    for write, number in in_text(data.decode()):
        yield (lambda new, write=write: write(new).encode()), number


def numbers_of(name, data):
    """(write, what) for each number of a file: write(new) is the file with another number there."""
    kind = (in_json if name.endswith(".json") else in_message if name.endswith((".pb", ".meta", ".onnx")) else
            in_code if name.endswith(".py") else in_archive if data[:2] == b"PK" else None)
    try:
        yield from kind(data) if kind else ()
    except (ValueError, IndexError, UnicodeDecodeError, zipfile.BadZipFile):
        return


def tasks_of(seeds, rng):
    """A changed file at a time: the places of one message share its fields."""
    for path, models in seeds:
        for target in all_files(path):
            if target.endswith((".npz", ".txt", "case.json")) or target.startswith(("test_data_set", "alt_")):
                continue
            with open(os.path.join(path, target), "rb") as file:
                content = file.read(1 << 20)
            for write, what in numbers_of(target, content):
                for number in NUMBERS:
                    yield path, model_of(models), target, write(number), conversion_options(rng), f"{what} -> {number}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", nargs="+", help="recorded cases")
    p.add_argument("--bin", required=True)
    p.add_argument("--seconds", type=float, default=float("inf"))
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", help="regular expression of case names")
    p.add_argument("--keep", help="folder for the files of the findings")
    a = p.parse_args()
    binary = os.path.abspath(a.bin)
    seeds = [seed for seed in seeds_of(a.folders) if not a.only or re.search(a.only, seed[0])]
    rng = random.Random(a.seed)
    rng.shuffle(seeds)
    begin, statuses, found = time.monotonic(), collections.Counter(), 0

    def convert(task):
        path, model, target, content, options, _ = task
        with tempfile.TemporaryDirectory() as folder:
            copy_case(path, folder)
            with open(os.path.join(folder, target), "wb") as file:
                file.write(content)
            inputs = [entry for entry in case_of(path).get("inputs", []) if isinstance(entry, dict)]
            shapes = itertools.chain.from_iterable(map(shape_options, inputs))
            before = set(os.listdir(folder))
            result = run([binary, "convert", model, "-o", "out.onnx", *shapes, *options], folder, 3 * CPU_SECONDS, 6 << 30)
            left = set(os.listdir(folder)) - before
            return result, list(faults(binary, *result, left))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = tasks_of(seeds, rng)
        while batch := list(itertools.islice(tasks, 200)):
            for (path, _, target, content, options, what), (result, problems) in zip(batch, pool.map(convert, batch)):
                statuses[result[0]] += 1
                if not problems:
                    continue
                found += 1
                print(f"{path} {target}: {' '.join([what, *options])}: {'; '.join(problems)}\n"
                      f"    {result[4].decode('utf-8', 'replace')[:300].strip()}", flush=True)
                if a.keep:
                    os.makedirs(a.keep, exist_ok=True)
                    with open(os.path.join(a.keep, f"{found}_{os.path.basename(target)}"), "wb") as file:
                        file.write(content)
            if time.monotonic() - begin > a.seconds:
                break
    print(f"{statuses.total()} runs in {time.monotonic() - begin:.0f} s, statuses {dict(sorted(statuses.items()))}, {found} findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
