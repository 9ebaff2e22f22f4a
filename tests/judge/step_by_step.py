#!/usr/bin/env python3
"""Run the recorded step-by-step graphs of RETURNN in ONNX Runtime, with the state passed on by crosswalk.states.

  python3 step_by_step.py --bin build/release/bin/crosswalk CASES_DIR...

A case is a folder with protocol.json, graph.meta, a checkpoint ckpt.index, and test_data_set_0 with the inputs, the
outputs of all steps, and every variable before and after each step (TensorProto files). The graph becomes three models,
each by `convert --outputs`: the encoder (collection encode_ops), the delayed update of states (update_ops) and a step of
the decoder (decode_ops and the variable of the scores). Variables are inputs `NAME` and outputs `NAME/next`.

Protocol: run the encoder on the inputs; then for step k set IO/i to k and the choice to the previous argmax (0 at first),
run the update, then the decoder. Exit status 0 only if every variable and output matches in every case."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

SUFFIX = "/next"


def tensors(folder, pattern):
    def key(path):
        return int("".join(c for c in os.path.basename(path) if c.isdigit()))

    result = {}
    for path in sorted(glob.glob(os.path.join(folder, pattern)), key=key):
        tensor = onnx.TensorProto()
        with open(path, "rb") as file:
            tensor.ParseFromString(file.read())
        result[tensor.name] = numpy_helper.to_array(tensor)
    return result


def export(binary, case, outputs, path):
    command = [binary, "convert", os.path.join(case, "graph.meta"), os.path.join(case, "ckpt.index"), "-o", path,
               "--outputs", ",".join(outputs)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.strip()}")
    onnx.checker.check_model(path, full_check=True)
    return ort.InferenceSession(path, providers=["CPUExecutionProvider"])


def run(session, inputs, variables):
    """Runs a model on inputs and variables, and stores the variables that it returns."""
    feeds = {each.name: variables.get(each.name, inputs.get(each.name)) for each in session.get_inputs()}
    missing = [name for name, value in feeds.items() if value is None]
    if missing:
        raise RuntimeError(f"the model has inputs without a value: {missing}")
    for output, value in zip(session.get_outputs(), session.run(None, feeds)):
        if output.name.endswith(SUFFIX):
            variables[output.name.removesuffix(SUFFIX)] = value


def compare(when, have, wanted, rtol, atol, ignored):
    problems = []
    for name, want in wanted.items():
        if name in ignored:
            continue
        got = have.get(name)
        if got is None:
            problems.append(f"{when}: {name} has no value")
        elif got.shape != want.shape or got.dtype != want.dtype:
            problems.append(f"{when}: {name} is {got.dtype}{got.shape}, recorded {want.dtype}{want.shape}")
        elif not np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True):
            problems.append(f"{when}: {name} differs by {np.abs(got.astype(float) - want.astype(float)).max():.3g}")
    return problems


def judge(binary, case):
    with open(os.path.join(case, "protocol.json"), encoding="utf-8") as file:
        protocol = json.load(file)
    tolerances = protocol.get("rtol", 1e-3), protocol.get("atol", 1e-4)
    collections = protocol["collections"]
    variable_of = {kind: [name.removesuffix(":0") for name in collections[kind]]
                   for kind in ("decoder_input_vars", "decoder_output_vars")}
    choice, scores = variable_of["decoder_input_vars"][0], variable_of["decoder_output_vars"][0]
    data = os.path.join(case, "test_data_set_0")
    inputs, recorded = tensors(data, "input_*.pb"), tensors(data, "output_*.pb")
    problems, all_scores, all_choices = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        def model(name, operations):
            return export(binary, case, operations, os.path.join(folder, name)) if operations else None

        encoder = model("encoder.onnx", collections["encode_ops"])
        update = model("update.onnx", collections["update_ops"])
        decoder = model("decoder.onnx", collections["decode_ops"])
        variables = {}
        run(encoder, inputs, variables)
        for step in range(len(glob.glob(os.path.join(data, "step_*_after")))):
            variables["IO/i"] = np.array(step, np.int32)
            previous = all_choices[-1] if all_choices else np.zeros_like(tensors(
                os.path.join(data, "step_0_before"), "*.pb")[choice])
            variables[choice] = previous.astype(np.int32)
            # The scores are the result of a step: before the first one, the recorded value is TensorFlow's initializer.
            problems += compare(f"before step {step}", variables,
                                tensors(os.path.join(data, f"step_{step}_before"), "*.pb"), *tolerances,
                                {scores} if step == 0 else set())
            if update is not None:
                run(update, inputs, variables)
            run(decoder, inputs, variables)
            problems += compare(f"after step {step}", variables,
                                tensors(os.path.join(data, f"step_{step}_after"), "*.pb"), *tolerances, set())
            all_scores.append(variables[scores])
            all_choices.append(variables[scores].argmax(-1))
    computed = {"step_scores": np.stack(all_scores), "step_argmax": np.stack(all_choices).astype(np.int32)}
    return problems + compare("all steps", computed, recorded, *tolerances, set())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the crosswalk command-line program")
    parser.add_argument("cases", nargs="+", help="folders that contain cases")
    arguments = parser.parse_args()
    cases = sorted({os.path.dirname(path) for root in arguments.cases
                    for path in glob.glob(os.path.join(root, "**", "protocol.json"), recursive=True)})
    if not cases:
        sys.exit("error: no folder with a protocol.json")
    failed = 0
    for case in cases:
        try:
            problems = judge(os.path.abspath(arguments.bin), case)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            problems = [str(error)]
        failed += bool(problems)
        print(f"{'correct' if not problems else 'wrong':8} {os.path.basename(case)}")
        for problem in problems:
            print(f"         {problem}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
