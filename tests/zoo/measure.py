#!/usr/bin/env python3
"""Converts the model zoo with Crosswalk and with MXNet's exporter, on one machine, and writes docs/zoo.md.

  make_zoo.py FOLDER                                  creates the models (see HACKING.md)
  measure.py FOLDER --mx2onnx PYTHON --onnxsim PYTHON measures them, and writes tests/data/zoo.csv and docs/zoo.md

The interpreters belong to two virtual environments: mxnet 1.9.1 with onnx 1.14.1, and onnxsim. With `--ours` they are not needed,
and the results of mx2onnx in tests/data/zoo.csv are kept. No other program should run, because times are wall-clock times.
"""
import argparse, csv, json, os, statistics, sys, tempfile

import table
import watched

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROUNDS = 7
OF_MX2ONNX = ("mx_seconds", "mx_process_seconds", "mx_cpu", "mx_anonymous_mb", "mx_nodes", "mx_simplified", "mx_unfolded", "mx_error")
OF_OURS = ("seconds", "cpu", "anonymous_mb", "nodes", "optimized_nodes")
COLUMNS = ("model", "weights_mb", *OF_MX2ONNX, *OF_OURS)


def parameters(folder):
    return os.path.join(folder, "model-0000.params")


def read_once(folder):
    """Reads the files, so that every measured run finds them in the page cache."""
    for name in ("model-symbol.json", "model-0000.params"):
        with open(os.path.join(folder, name), "rb") as f:
            while f.read(1 << 24):
                pass


def measure_mx2onnx(folder, scratch, exporter, simplifier):
    out = os.path.join(scratch, "mx2onnx.onnx")
    run = watched.run([exporter, os.path.join(HERE, "export_mx2onnx.py"), folder, out], watch_memory=True)
    if run.status != 0:
        return {"mx_error": "no export"}
    row = {"mx_seconds": json.loads(run.output.splitlines()[-1])["seconds"], "mx_process_seconds": run.wall,
           "mx_cpu": run.cpu, "mx_anonymous_mb": run.anonymous}
    counted = watched.run([simplifier, os.path.join(HERE, "count_simplified.py"), out])
    os.remove(out)
    if counted.status != 0:
        return row | {"mx_error": "onnxsim rejects its export"}
    nodes = json.loads(counted.output.splitlines()[-1])
    return row | {"mx_nodes": nodes["nodes"], "mx_simplified": nodes["simplified"], "mx_unfolded": nodes["unfolded"]}


def measure_ours(folder, scratch, program):
    out = os.path.join(scratch, "crosswalk.onnx")
    with open(os.path.join(folder, "case.json")) as f:
        inputs = [i for i in json.load(f)["inputs"] if not i.get("unused")]
    command = [program, "convert", os.path.join(folder, "model-symbol.json"), "-o", out, "--json"]
    command += [f"--shape={i['name']}={','.join(map(str, i['shape']))}" for i in inputs]

    def convert(*more, **how):
        if os.path.exists(out):
            os.remove(out)  # removing the old file is not part of a conversion
        run = watched.run([*command, *more], **how)
        if run.status != 0:
            sys.exit(f"error: {folder}: status {run.status}")
        return run, json.loads(run.output)["output"]["nodes"]

    runs = [convert()[0] for _ in range(ROUNDS)]
    watched_run, nodes = convert(watch_memory=True)
    return {"seconds": statistics.median(r.wall for r in runs), "cpu": statistics.median(r.cpu for r in runs),
            "anonymous_mb": watched_run.anonymous, "nodes": nodes, "optimized_nodes": convert("--optimize")[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo", help="the output folder of make_zoo.py")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin/crosswalk"))
    parser.add_argument("--mx2onnx", help="python with mxnet 1.9.1 and onnx 1.14.1")
    parser.add_argument("--onnxsim", help="python with onnxsim")
    parser.add_argument("--ours", action="store_true", help="measure only Crosswalk; keep the recorded results of mx2onnx")
    parser.add_argument("--baseline", default=os.path.join(ROOT, "../shared/baselines/zoo-mx2onnx.csv"),
                        help="time and memory of mx2onnx on another machine, for separate columns")
    parser.add_argument("--csv", default=os.path.join(ROOT, "tests/data/zoo.csv"))
    parser.add_argument("--out", default=os.path.join(ROOT, "docs/zoo.md"))
    a = parser.parse_args()
    if not a.ours and not (a.mx2onnx and a.onnxsim):
        parser.error("give --mx2onnx and --onnxsim, or --ours")

    recorded = {row["model"]: row for row in table.rows(a.csv)} if a.ours else {}
    rows = []
    with tempfile.TemporaryDirectory(dir=a.zoo) as scratch:
        models = sorted(m for m in os.listdir(a.zoo) if os.path.exists(os.path.join(a.zoo, m, "case.json")))
        for model in models:
            folder = os.path.join(a.zoo, model)
            read_once(folder)
            row = {"model": model, "weights_mb": os.path.getsize(parameters(folder)) / 1e6}
            if a.ours:
                row |= {k: recorded[model][k] for k in OF_MX2ONNX} if model in recorded else {}
            else:
                row |= measure_mx2onnx(folder, scratch, a.mx2onnx, a.onnxsim)
            row |= measure_ours(folder, scratch, a.bin)
            rows.append({k: f"{v:.4g}" if isinstance(v, float) else v for k, v in row.items()})
            print(rows[-1], flush=True)
    with open(a.csv, "w", newline="") as f:
        writer = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    table.write(a.csv, a.baseline, a.out)


if __name__ == "__main__":
    main()
