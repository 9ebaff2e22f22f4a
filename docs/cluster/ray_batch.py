#!/usr/bin/env python3
"""Converts a list of models on a Ray cluster: ray_batch.py models.txt onnx [--address auto] [--time-limit 600]

The list is that of `crosswalk convert --batch`: a path on each line, without options. Needs the Python packages crosswalk and ray, and a file
system that all nodes share. Writes report.json into the output folder, which `crosswalk report --merge` reads. A model that crashes its
worker, or takes too long, is one row of the report. Models whose ONNX file is newer than they are count as converted.
"""
import argparse
import json
import pathlib
import time

import ray

OUTCOMES = ("converted", "refused", "bad input", "not writable", "timed out", "out of memory", "crashed", "cancelled")


def row(name, outcome, seconds=0.0, **fields):
    empty = {"format": "", "weights": "", "output": "", "report": "", "architecture": "", "verdict": "", "nodes": 0, "peak_bytes": 0, "problems": []}
    return {"model": name, "outcome": outcome, **empty, "seconds": seconds, **fields}


def problem(code, message, node="", op="", hint=""):
    return {"severity": "error", "code": code, "node": node, "op": op, "message": message, "hint": hint}


@ray.remote(num_cpus=1, max_retries=1, max_calls=1)  # a process for each model: what one leaves behind never reaches another; a worker that dies is replaced once
def convert(path, name, target):
    import crosswalk

    start = time.monotonic()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        model = crosswalk.open(path)
        conversion = model.convert()
        conversion.save(target)
        return row(name, "converted", time.monotonic() - start, format=model.format, output=name + ".onnx")
    except crosswalk.CrosswalkError as error:
        kinds = {"not-convertible": "refused", "unwritable": "not writable", "unreadable": "bad input", "unknown-format": "bad input",
                 "damaged": "bad input", "truncated": "bad input", "large-file": "bad input", "bad-weights": "bad input",
                 "damaged-source": "bad input", "invalid-model": "bad input", "out-of-memory": "out of memory"}
        problems = [problem(one.code, one.message, one.node, one.op, one.hint) for one in error.problems if one.severity == "error"]
        return row(name, kinds.get(error.code, "refused"), time.monotonic() - start, problems=problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--address", help="of the cluster; without it, Ray starts on this machine")
    parser.add_argument("--workers", type=int, help="processors to use on this machine")
    parser.add_argument("--time-limit", type=float, default=600, help="seconds for each model")
    arguments = parser.parse_args()
    ray.init(address=arguments.address, num_cpus=arguments.workers, log_to_driver=False)

    lines = [line for line in arguments.list.read_text().splitlines() if line and not line.startswith("#")]
    output = arguments.output.resolve()
    rows, tasks, started = [], {}, {}
    waiting = [(arguments.list.parent.resolve() / line, line.lstrip("/").replace("../", "")) for line in lines]
    most = int(ray.cluster_resources().get("CPU", 1))  # tasks at work: the clock of a task starts when it does
    while waiting or tasks:
        while waiting and len(tasks) < most:
            path, name = waiting.pop()
            target = output / (name + ".onnx")
            if target.exists() and path.exists() and target.stat().st_mtime > path.stat().st_mtime:
                rows.append(row(name, "converted", output=name + ".onnx"))
                continue
            task = convert.remote(path, name, target)
            tasks[task], started[task] = name, time.monotonic()
        done, _ = ray.wait(list(tasks), timeout=1) if tasks else ([], [])
        for task in done:
            name = tasks.pop(task)
            try:
                rows.append(ray.get(task))
            except ray.exceptions.RayError as error:
                outcome = "out of memory" if isinstance(error, ray.exceptions.OutOfMemoryError) else "crashed"
                rows.append(row(name, outcome, time.monotonic() - started[task], problems=[problem(outcome, str(error).splitlines()[0])]))
        for task in [task for task in tasks if time.monotonic() - started[task] > arguments.time_limit]:
            ray.cancel(task, force=True)
            name = tasks.pop(task)
            message = f"the conversion took more than {arguments.time_limit:.0f} s"
            rows.append(row(name, "timed out", arguments.time_limit, problems=[problem("timed out", message)]))

    rows.sort(key=lambda one: one["model"])
    counts = {outcome: sum(one["outcome"] == outcome for one in rows) for outcome in OUTCOMES}
    output.mkdir(parents=True, exist_ok=True)
    (output / "report.json").write_text(json.dumps({"version": 1, "models": rows}, indent=2))
    print(f"{len(rows)} models, " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count))


if __name__ == "__main__":
    main()
