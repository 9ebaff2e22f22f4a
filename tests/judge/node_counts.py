"""Compares the sizes of converted models with those of another exporter.

  python3 node_counts.py --bin build/release/bin/crosswalk --baseline tf.csv [--only REGEX] [--keep FOLDER] CASES_DIR...

Converts each recorded case (see judge.py) that has `onnx_nodes` in the baseline with `--optimize`, and counts its nodes, including
those in bodies of Loop, Scan and If. Prints the share of cases that have at most as many nodes as the baseline, and the largest
excesses with the operators of the converted model. `--keep` stores the converted models in a folder.
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import onnx

MODEL_FILES = ("frozen.pb", "saved_model", "graph.meta")


def model_of(case_dir):
    """The file or folder of the recorded model; None if its format is not supported."""
    return next((name for name in MODEL_FILES if os.path.exists(os.path.join(case_dir, name))), None)


def arguments(case_dir):
    """The arguments of convert for a recorded case."""
    with open(os.path.join(case_dir, "case.json")) as file:
        case = json.load(file)
    model = model_of(case_dir)
    weights = case.get("weights_file") or ("ckpt.index" if model == "graph.meta" else None)
    found = [os.path.join(case_dir, model), *([os.path.join(case_dir, weights)] if weights else []), *case.get("args", [])]
    for i in case.get("inputs", []):
        if i["name"] in case.get("dropped_inputs", []):
            continue
        if i.get("shape") is not None and -1 not in i["shape"]:
            found += ["--shape", f"{i['name']}={','.join(map(str, i['shape']))}"]
        if i.get("dtype", "float32") != "float32":
            found += ["--dtype", f"{i['name']}={i['dtype']}"]
    return found


def operators(graph):
    """Number of nodes of each operator, including bodies."""
    counts = collections.Counter()
    for node in graph.node:
        counts[node.op_type] += 1
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                counts += operators(body)
    return counts


def count(binary, case_dir, extra, keep):
    """The operators of the converted case; None if it is not converted."""
    given = arguments(case_dir)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(keep or folder, os.path.basename(case_dir) + ".onnx")
        run = subprocess.run([binary, "convert", "--quiet", "--force", *given, "--optimize", *extra, "-o", out],
                             capture_output=True, text=True, errors="replace")
        return operators(onnx.load(out, load_external_data=False).graph) if run.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--baseline", required=True, help="table with the columns case and onnx_nodes")
    parser.add_argument("--only", default="", help="cases whose name matches")
    parser.add_argument("--keep", help="folder for the converted models")
    parser.add_argument("--csv", help="the counts")
    parser.add_argument("--show", type=int, default=60, help="number of excesses to print")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--arg", action="append", default=[], help="a further argument for convert")
    parser.add_argument("cases", nargs="+", help="folders with cases")
    a = parser.parse_args()
    if a.keep:
        os.makedirs(a.keep, exist_ok=True)
    with open(a.baseline, newline="") as file:
        baseline = {row["case"]: int(row["onnx_nodes"]) for row in csv.DictReader(file) if row["onnx_nodes"]}
    folders = sorted({os.path.dirname(f) for root in a.cases
                      for f in glob.glob(os.path.join(root, "**", "case.json"), recursive=True)})
    folders = [f for f in folders if os.path.basename(f) in baseline and model_of(f) is not None and re.search(a.only, os.path.basename(f))]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        found = list(pool.map(lambda f: (os.path.basename(f), count(os.path.abspath(a.bin), f, a.arg, a.keep)), folders))
    counted = [(sum(ops.values()) - baseline[name], name, ops) for name, ops in found if ops is not None]
    if not counted:
        sys.exit("error: no case was converted")
    if a.csv:
        with open(a.csv, "w", newline="") as file:
            rows = [(name, sum(ops.values()), baseline[name], ops["Transpose"]) for _, name, ops in counted]
            csv.writer(file).writerows([("case", "nodes", "baseline", "transposes"), *rows])
    for excess, name, ops in sorted(counted, key=lambda row: (-row[0], row[1]))[:a.show]:
        if excess > 0:
            listed = " ".join(f"{op}:{n}" if n > 1 else op for op, n in ops.most_common())
            print(f"{name}: {sum(ops.values())} nodes, {excess} more than {baseline[name]}: {listed}")
    within = sum(excess <= 0 for excess, _, _ in counted)
    print(f"{within} of {len(counted)} cases ({100 * within / len(counted):.1f} %) have at most as many nodes; in total "
          f"{sum(sum(ops.values()) for _, _, ops in counted)} against {sum(baseline[name] for _, name, _ in counted)}, "
          f"{sum(ops['Transpose'] for _, _, ops in counted)} of them Transpose; {len(found) - len(counted)} not converted")


if __name__ == "__main__":
    main()
