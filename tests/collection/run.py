#!/usr/bin/env python3
"""Converts the collection of make.py and prints what came of it: run.py --bin crosswalk COLLECTION OUT

Meanwhile it kills a worker, and at two thirds the whole run, which it resumes. Prints the table of docs/collections.md, the memory of the
program, and what the kills cost. Exit status 1 if a damaged model was converted, or a model was lost.
"""
import argparse
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

OUTCOMES = ("converted", "refused", "bad input", "not writable", "timed out", "out of memory", "crashed", "cancelled")


def resident(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmRSS")), 0)
    except OSError:
        return 0


def workers(pid):
    try:
        children = pathlib.Path(f"/proc/{pid}/task").glob("*/children")
        return [int(child) for file in children for child in file.read_text().split()]
    except OSError:
        return []


def kill_worker(process, collection, names):
    """Kills one of the processes at work. Returns the name of its model."""
    models = {str(collection / name): name for name in names if not name.startswith("damaged/")}
    while process.poll() is None:
        for worker in workers(process.pid):
            try:
                words = pathlib.Path(f"/proc/{worker}/cmdline").read_text().split("\0")
                if model := next((models[word] for word in words if word in models), None):
                    os.kill(worker, signal.SIGKILL)
                    return model
            except OSError:
                pass  # it has ended meanwhile
        time.sleep(0.001)
    sys.exit("error: the run ended before a worker could be killed")


class Run:
    """A run of the program, whose memory is recorded by the number of finished models."""

    def __init__(self, a, resume):
        command = [a.bin, "convert", "--batch", str(a.collection / "models.txt"), "-o", str(a.out), "--jobs", str(a.jobs),
                   "--report", str(a.out / "report.json"), "--report", str(a.out / "report.html"), *(["--resume"] if resume else [])]
        self.journal = a.out / ".crosswalk-journal.jsonl"
        self.memory = {}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def finished(self):
        return self.journal.read_bytes().count(b'"outcome":{') if self.journal.exists() else 0

    def wait(self, models):
        """Until this many models are finished, or the process has ended."""
        while self.process.poll() is None and (models is None or self.finished() < models):
            if memory := resident(self.process.pid):
                self.memory[self.finished()] = memory
            time.sleep(0.05)


def table(models):
    rows = collections.defaultdict(collections.Counter)
    for model in models:
        row = rows[model["model"].split("/")[0]]
        row["models"] += 1
        row[model["outcome"] if model["outcome"] != "converted" else model["verdict"]] += 1
    columns = ["models", "exact", "decomposed", *OUTCOMES[1:]]
    columns = [column for column in columns if column in ("models", "exact", "decomposed", "refused", "bad input") or any(row[column] for row in rows.values())]
    print("| models of | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name in sorted(rows, key=lambda name: (name == "damaged", name)):
        print(f"| {name} | " + " | ".join(str(rows[name][column]) for column in columns) + " |")
    total = sum(rows.values(), collections.Counter())
    print("| all | " + " | ".join(str(total[column]) for column in columns) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("collection", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path, help="folder that does not exist yet")
    a = parser.parse_args()
    a.out.mkdir(parents=True)
    names = [line.split("\t")[0] for line in (a.collection / "models.txt").read_text().splitlines()]
    start = time.monotonic()

    first = Run(a, resume=False)
    first.wait(len(names) // 3)
    victim = kill_worker(first.process, a.collection.resolve(), names)
    first.wait(2 * len(names) // 3)
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    before = first.finished()

    second = Run(a, resume=True)
    second.wait(None)
    seconds = time.monotonic() - start
    after = second.finished() - before

    models = json.loads((a.out / "report.json").read_text())["models"]
    table(models)
    by_name = {model["model"]: model for model in models}
    killed = by_name[victim]
    spread = [*first.memory.items(), *second.memory.items()]
    print(f"\n{len(models)} models in {seconds:.0f} s with {a.jobs} workers")
    for finished, memory in (spread[len(spread) // 20], spread[len(spread) // 3], spread[2 * len(spread) // 3], spread[-1]):
        print(f"memory of the program after {finished} models: {memory / 1000:.1f} MB")
    print(f"memory of the largest worker: {max(model['peak_bytes'] for model in models) / 1e6:.0f} MB")
    print(f"killed worker: {killed['model']}: {killed['outcome']}")
    print(f"killed run: {before} models were finished, {after} remained")
    refused = (a.collection / "unconvertible.txt").read_text().split()
    intact = [name for name in by_name if not name.startswith("damaged/") and by_name[name]["outcome"] != "converted"]
    print(f"intact models that were not converted: {len(intact)}, of which {len(set(intact) & set(refused))} must be refused")
    wrong = [name for name in by_name if name.startswith("damaged/") and by_name[name]["outcome"] in ("converted", "crashed")]
    wrong += [name for name in refused if by_name[name]["outcome"] == "converted"]
    lost = sorted(set(names) - set(by_name))
    missing = [model["model"] for model in models if model["outcome"] == "converted" and not (a.out / model["output"]).exists()]
    for text, found in (("must be reported, but were not", wrong), ("lost", lost), ("without an ONNX file", missing)):
        if found:
            print(f"{text}: {' '.join(found)}", file=sys.stderr)
    return 1 if wrong or lost or missing or before + after != len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
