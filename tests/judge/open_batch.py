"""Converts recorded models with a fixed batch, makes the batch dynamic, and runs the result with several batch sizes.

  python3 open_batch.py --bin build/release/bin/crosswalk [--only REGEX] [--csv out.csv] [--batches 1,3,8] CASES_DIR...

Each case (see judge.py) is converted with its recorded shapes, and the resulting file again with a dynamic batch:
`crosswalk convert fixed.onnx -o open.onnx --shape data=N,3,224,224`. If that fails, the case is converted for one sample, and
with `--each-sample N` if necessary. ONNX Runtime runs the dynamic file with each batch size, and the fixed file with one sample at a
time on the same inputs. Every output must equal the concatenated outputs of the samples.

Verdicts: correct; wrong (an output differs); broken (rejected by the checker or runtime); refused (exit status 4, with the reason);
unconverted (the case itself is refused). The exit status is 0 if no case is wrong or broken.
"""
import argparse
import csv
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper


def session(path, fused=True):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    if not fused:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def recorded(case_dir, name):
    for path in sorted(glob.glob(os.path.join(case_dir, "test_data_set_0", "input_*.pb"))):
        tensor = onnx.TensorProto()
        with open(path, "rb") as file:
            tensor.ParseFromString(file.read())
        if tensor.name == name:
            return numpy_helper.to_array(tensor)
    return None


def batch_axis(case, shape):
    """Language models and recurrent layers have the time axis first."""
    is_time_first = case["name"].startswith("lm_") or case["name"].endswith("_lm")
    return 1 if is_time_first and len(shape) > 1 else 0


def samples(rng, values, axis, count, block):
    """`count` blocks of samples derived from the recorded ones: floats are varied, integers are shuffled."""
    blocks = []
    for k in range(count):
        flat = values.reshape(-1)
        is_whole = np.array_equal(flat, np.round(flat.astype(np.float64)))
        made = values if k == 0 else (rng.permutation(flat).reshape(values.shape) if is_whole else
                                      (values + 0.3 * rng.standard_normal(values.shape)).astype(values.dtype))
        blocks.append(made)
    return blocks


def joined(parts, shape):
    """All ways to combine outputs of blocks of samples into one output of the given shape; empty if there is none."""
    first = parts[0]
    if list(shape) == [len(parts), *first.shape]:
        return [np.stack(parts)]
    if len(shape) != first.ndim:
        return []
    if first.shape == tuple(shape) and len(parts) == 1:
        return [first]
    axes = [a for a in range(first.ndim) if shape[a] == first.shape[a] * len(parts)]
    rest = [a for a in range(first.ndim) if shape[a] != first.shape[a]]
    axes = [a for a in axes if rest == [a]]
    ways = [np.concatenate(parts, a) for a in axes]
    # Time and batch merged into one axis: the batch is the faster index.
    ways += [np.stack(parts, a + 1).reshape(shape) for a in axes]
    return ways


def close(got, want):
    """Scaled by the magnitude of the output: a case's `atol` refers to the recorded output, and is infinite on overflow."""
    if got.dtype.kind in "fc":
        finite = np.abs(want[np.isfinite(want)], dtype=np.float64)
        return np.allclose(got, want, rtol=1e-3, atol=max(1e-6, 2e-4 * float(np.max(finite, initial=0))), equal_nan=True)
    return np.array_equal(got, want)


def convert(binary, arguments):
    return subprocess.run([binary, "convert", "--quiet", "--force", *arguments], capture_output=True, text=True, errors="replace")


def first_sample(values, axis):
    return np.take(values, [0], axis) if values.ndim else values


def judge(binary, case_dir, batches, folder, single=False):
    """`single`: converts the case for its first sample, whatever the recorded batch size."""
    with open(os.path.join(case_dir, "case.json")) as file:
        case = json.load(file)
    fixed, opened = os.path.join(folder, "fixed.onnx"), os.path.join(folder, "open.onnx")
    inputs = [i for i in case["inputs"] if i["name"] not in case.get("dropped_inputs", [])]
    arguments = [os.path.join(case_dir, "model-symbol.json"), "-o", fixed]
    for i in inputs:
        if single and i["shape"]:
            i["shape"][batch_axis(case, i["shape"])] = 1
        arguments += ["--shape", f"{i['name']}={','.join(map(str, i['shape']))}"]
        if i.get("dtype", "float32") != "float32":
            arguments += ["--dtype", f"{i['name']}={i['dtype']}"]
    run = convert(binary, arguments)
    if run.returncode != 0:
        return "unconverted", run.stderr.strip()[:200]
    sizes = {i["shape"][batch_axis(case, i["shape"])] for i in inputs if i["shape"]}
    if len(sizes) != 1:
        return "unconverted", f"its inputs have batches {sorted(sizes)}"
    (block,) = sizes
    one = session(fixed)
    wanted = [(i.name, i.shape) for i in one.get_inputs()]
    arguments = [fixed, "-o", opened]
    for name, shape in wanted:
        shape = [str(d) for d in shape]
        shape[batch_axis(case, shape)] = "N"
        arguments += ["--shape", f"{name}={','.join(shape)}"]
    run = convert(binary, arguments)
    how = ""
    if run.returncode == 4 and block == 1:
        # The batch cannot be made dynamic: run the unchanged model on each sample.
        # The runtime fuses fewer nodes inside a Scan, and the rounding of a fused layer decides ties between scores, so
        # fusion is disabled.
        how, one = "each sample by itself ", session(fixed, fused=False)
        run = convert(binary, [*arguments, "--each-sample", "N"])
    if run.returncode == 4 and block > 1:
        verdict, why = judge(binary, case_dir, batches, folder, single=True)
        return verdict, f"for one sample: {why}"
    if run.returncode == 4:
        errors = [line for line in run.stderr.splitlines() if line.startswith("error")]
        return "refused", (errors or ["no message"])[0][:300].replace(opened, "").replace(fixed, "")
    if run.returncode != 0:
        return "broken", f"exit status {run.returncode}: {run.stderr.strip()[:300]}"
    try:
        onnx.checker.check_model(opened, full_check=True)
        many = session(opened, fused=not how)
    except Exception as error:
        return "broken", str(error).replace("\n", " ")[:300]
    rng = np.random.default_rng(7)
    for batch in batches:
        count = max(1, batch // block) if block > 1 else batch
        data = {}
        for name, shape in wanted:
            axis, values = batch_axis(case, shape), recorded(case_dir, name)
            data[name] = samples(rng, first_sample(values, axis) if single else values, axis, count, block)
        apart = [one.run(None, {name: parts[k] for name, parts in data.items()}) for k in range(count)]
        try:
            got = many.run(None, {name: np.concatenate(parts, batch_axis(case, parts[0].shape))
                                  for name, parts in data.items()})
        except Exception as error:
            return "broken", f"at batch {batch}: " + str(error).replace("\n", " ")[:300]
        for k, output in enumerate(many.get_outputs()):
            ways = joined([outputs[k] for outputs in apart], got[k].shape)
            if not any(close(got[k], way) for way in ways):
                why = "differs" if ways else f"has shape {got[k].shape}, a block of samples {apart[0][k].shape}"
                return "wrong", f"at batch {batch}: {output.name} {why}"
    return "correct", how + " ".join(line.split(": ", 2)[-1] for line in run.stderr.splitlines() if line.startswith("warning"))[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--only", default="", help="cases whose name matches")
    parser.add_argument("--batches", default="1,3,8")
    parser.add_argument("--csv", help="the verdicts")
    parser.add_argument("cases", nargs="+", help="folders with cases")
    a = parser.parse_args()
    batches = [int(b) for b in a.batches.split(",")]
    rows, seen = [], {}
    found = [os.path.dirname(f) for root in a.cases for f in glob.glob(os.path.join(root, "**", "case.json"), recursive=True)]
    for case_dir in sorted(found, key=os.path.basename):
        name = os.path.basename(case_dir)
        if not re.search(a.only, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            verdict, why = judge(a.bin, case_dir, batches, folder)
        rows.append((name, verdict, why))
        seen[verdict] = seen.get(verdict, 0) + 1
        if verdict != "correct" or why:
            print(f"{name}: {verdict}: {why}", flush=True)
    if a.csv:
        with open(a.csv, "w", newline="") as file:
            csv.writer(file).writerows([("case", "verdict", "why"), *rows])
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(seen.items())))
    sys.exit(1 if seen.get("wrong") or seen.get("broken") else 0)


if __name__ == "__main__":
    main()
