"""Prints the recurrent form of each recorded case: what the recurrent layers of a TensorFlow model become.

Converts each case and counts the nodes of the result, in all bodies: LSTM, GRU and RNN by layer and direction (a
bidirectional node counts twice), Scan, Loop, and "unrolled" for steps that share stored weights. Then prints how many
cases whose cells ONNX can express are fused: every layer and direction is an LSTM, GRU or RNN, and no loop remains.
CELLS tells which these are. Exit status 1 if a share is below --least (percent).
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import onnx

import formats

# The first pattern that is found in a case's name decides: the number of layers and directions that must be fused, or the
# reason why ONNX's LSTM, GRU and RNN cannot express the cell exactly. Names that no pattern matches are not recurrent.
CELLS = (
    # No layer over a sequence, or more than a cell.
    (r"^tf1rnn_(while|cond|partitioned_resource)", None),
    (r"^tf1rnn_stateful_", "one step with states kept outside"),
    (r"^tf2block_lstmblockcell", "one step of a cell"),
    (r"^tf2block_blocklstm", "the cell state of every step is an output"),
    (r"conv(2d)?lstm|convlstm", "convolutions in the cell"),
    (r"^tf1rnn_attn|attncell|attention_wrapper|custom_rnncell|^returnn_att", "attention in the step"),
    (r"^(tf1rnn|returnn).*(layernorm|_nas|ugrnn|_sru|ind[yr]|intersection|glstm|gridlstm|phased|weightnorm|rhn|zoneout)",
     "another cell"),
    (r"coupled_cifg", "coupled input and forget gates"),
    (r"^(tf1rnn|returnn).*_proj", "a projection in the step"),
    (r"^(tf1rnn|tf2block)_.*clip", "states are clipped"),
    (r"all_seqlen|lstm_all", "states are clipped"),
    (r"^keras2_rnn.*mask", "a mask that is no sequence length"),
    (r"subnet_lm|encdec", "a decoder"),
    # Layers of one cell.
    (r"^tf1rnn_stack_bidir", 4),
    (r"^tf1rnn_.*bidir", 2),
    (r"^tf1rnn_.*multi2", 2),
    (r"^tf1rnn_(dyn|static|raw_rnn|lstmblockfused)", 1),
    (r"^tf1cudnn_.*l3_bi", 6),
    (r"^tf1cudnn_.*l2_bi", 4),
    (r"^tf1cudnn_.*(l2|bi)", 2),
    (r"^tf1cudnn_", 1),
    (r"^t2o[12]_stacked_lstm", 1),
    (r"^t2o[12]_(lstm|gru|rnn)_.*multiple", 2),
    (r"^t2o[12]_(lstm|gru|rnn|bi\w*)_.*(bilstm|bigru|bidirectional(?!_but_one))", 2),
    (r"^t2o[12]_(lstm|gru|rnn)_", 1),
    (r"^keras2_rnn_bilstm2", 4),
    (r"^keras2_rnn_.*(bilstm|bigru|birnn|lstm2|gru2|stacked)", 2),
    (r"^keras2_rnn_", 1),
    (r"^returnn(2021tf1)?_(conv_)?blstm(?P<layers>\d?)", "blstm"),
    (r"^returnn(2021tf1)?_rec_", 1),
)
NATIVE = re.compile(rb"NativeLstm2")
SOURCES = ("frozen.pb", "saved_model/saved_model.pb", "graph.meta")
FUSED = ("LSTM", "GRU", "RNN")


def expected(name):
    """The number of layers and directions to fuse, a reason why not, or None if the case is not recurrent."""
    for pattern, cells in CELLS:
        if found := re.search(pattern, name):
            return 2 * int(found["layers"] or 1) if cells == "blstm" else cells
    return None


def graphs(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for body in ([attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs):
                yield from graphs(body)


def directions(node):
    return 2 if any(a.name == "direction" and a.s == b"bidirectional" for a in node.attribute) else 1


def shared_products(graph):
    """Whether several matrix products have the same stored weights of a recurrent step: the results depend on each other."""
    stored = {each.name for each in graph.initializer}
    reads = collections.defaultdict(list)
    origins = {}
    for index, node in enumerate(graph.node):
        before = set().union(*(origins.get(name, set()) for name in node.input))
        if node.op_type in ("MatMul", "Gemm") and node.input[1] in stored:
            if before & set(reads[node.input[1]]):
                return True
            reads[node.input[1]].append(index)
            before = before | {index}
        for name in node.output:
            origins[name] = before
    return False


def form(model):
    """The recurrent form as text, and the numbers of fused layers and of other forms."""
    counts = collections.Counter()
    for graph in graphs(model.graph):
        for node in graph.node:
            if node.op_type in FUSED:
                counts[node.op_type] += directions(node)
            elif node.op_type in ("Scan", "Loop"):
                counts[node.op_type] += 1
        counts["unrolled"] += shared_products(graph)
    text = ", ".join(f"{op} x{counts[op]}" for op in (*FUSED, "Scan", "Loop", "unrolled") if counts[op])
    return text or "none", sum(counts[op] for op in FUSED), counts["Scan"] + counts["Loop"] + counts["unrolled"]


def convert(program, folder, extra):
    """The result of `crosswalk convert`, with the arguments that judge.py passes, or the first line of its refusal."""
    with open(os.path.join(folder, "case.json")) as file:
        case = json.load(file)
    source = next(os.path.join(folder, name) for name in ("frozen.pb", "saved_model", "graph.meta")
                  if os.path.exists(os.path.join(folder, name)))
    with tempfile.TemporaryDirectory() as out:
        target = os.path.join(out, "out.onnx")
        weights = case.get("weights_file") or ("ckpt.index" if source.endswith("graph.meta") else None)
        command = [program, "convert", source, *([os.path.join(folder, weights)] if weights else []), "-o", target,
                   *case.get("args", []), *extra]
        for each in case.get("inputs", []):
            if each["name"] in case.get("dropped_inputs", []):
                continue
            if each.get("shape") is not None and -1 not in each["shape"]:
                command += ["--shape", f"{each['name']}={','.join(map(str, each['shape']))}"]
            if each.get("dtype", "float32") != "float32":
                command += ["--dtype", f"{each['name']}={each['dtype']}"]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if run.returncode != 0:
            return None, (run.stderr.strip().splitlines() or [f"exit status {run.returncode}"])[0]
        return onnx.load(target), ""


def is_native(folder):
    """Whether the source has RETURNN's native LSTM operator."""
    for name in SOURCES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                return NATIVE.search(file.read()) is not None
    return False


def share(title, rows, least):
    fused = [row for row in rows if row["fused"]]
    percent = 100 * len(fused) / max(1, len(rows))
    print(f"{title}: {len(fused)} of {len(rows)} fused ({percent:.1f} %)")
    for row in rows:
        if not row["fused"]:
            print(f"  {row['name']}: {row['form']}, {row['cells']} layers and directions expected")
    return percent >= least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the crosswalk command-line program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="regular expression on the case's name")
    parser.add_argument("--arg", action="append", default=[], help="a further argument for convert")
    parser.add_argument("--least", type=float, default=0, help="the share that must be fused, in percent")
    parser.add_argument("cases", help="the folder of all cases")
    a = parser.parse_args()

    known = [case for case in formats.find_cases(a.cases).values() if case.kind in ("frozen", "saved_model", "meta")]
    known = sorted((case for case in known if not a.only or re.search(a.only, case.name)), key=lambda case: case.name)
    chosen = [case for case in known if expected(case.name) is not None or is_native(case.path)]

    def measure(case):
        model, refusal = convert(os.path.abspath(a.bin), case.path, a.arg)
        text, fused, others = form(model) if model else ("refused: " + refusal, 0, 1)
        cells = expected(case.name)
        enough = others == 0 and fused > 0 and (not isinstance(cells, int) or fused >= cells)
        return {"name": case.name, "cells": cells, "form": text, "fused": enough, "native": is_native(case.path)}

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        rows = list(pool.map(measure, chosen))
    if not rows:
        sys.exit("error: no recurrent case found")
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        why = row["cells"] if isinstance(row["cells"], str) else ""
        print(f"{row['name']:{width}}  {row['form']}" + (f"  ({why})" if why else ""))
    print()
    enough = share("cells that ONNX can express", [row for row in rows if isinstance(row["cells"], int)], a.least)
    enough = share("NativeLstm2", [row for row in rows if row["native"]], a.least) and enough
    sys.exit(0 if enough else 1)


if __name__ == "__main__":
    main()
