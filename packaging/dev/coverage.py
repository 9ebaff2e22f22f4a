#!/usr/bin/env python3
"""Prints how many lines of core the tests have run, by folder, and with --files for each file.

  build/deps/venv/bin/python packaging/dev/coverage.py build/coverage [--files]

./dev coverage builds the preset coverage, runs the tests, and this. A line counts if gcc made code for it; it has run if it did so
in any program, and for any instance of a template.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

WANTED = 90  # percent


def line_counts(build):
    """By file below core, whether each line with code has run."""
    core = os.path.abspath("core") + os.sep
    lines = collections.defaultdict(dict)
    for folder, _, names in os.walk(os.path.join(build, "core")):
        for name in sorted(names):
            if not name.endswith(".gcno"):
                continue
            made = subprocess.run(["gcov", "--json-format", "--stdout", os.path.abspath(os.path.join(folder, name))],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            for report in map(json.loads, made.stdout.splitlines()):
                for file in report["files"]:
                    path = os.path.normpath(os.path.join(report["current_working_directory"], file["file"]))
                    if path.startswith(core):
                        of_file = lines[os.path.relpath(path)]
                        for line in file["lines"]:
                            number = line["line_number"]
                            of_file[number] = of_file.get(number, False) or line["count"] > 0
    return lines


def print_table(title, rows):
    width = max(map(len, rows))
    print(f"{title:{width}} {'lines':>8} {'run':>8} {'percent':>8}")
    for name, (total, run) in rows.items():
        print(f"{name:{width}} {total:8} {run:8} {100 * run / total:8.1f}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--files", action="store_true")
    a = p.parse_args()
    lines = line_counts(a.build)
    if not lines:
        sys.exit(f"error: {a.build} has no counts: run ./dev coverage")
    rows = collections.defaultdict(lambda: (0, 0))
    for path, of_file in lines.items():
        for name in (path if a.files else os.path.dirname(path), "all"):
            rows[name] = rows[name][0] + len(of_file), rows[name][1] + sum(of_file.values())
    total, run = whole = rows.pop("all")
    print_table("file" if a.files else "folder", {**dict(sorted(rows.items())), "all": whole})
    sys.exit(100 * run < WANTED * total)


if __name__ == "__main__":
    main()
