#!/usr/bin/env python3
"""Validates the JSON output of every command against docs/schemas: json_schemas.py PROGRAM SOURCE.

Keys without a description in the schema are errors here, so that a new key is documented.
"""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

program, source = Path(sys.argv[1]), Path(sys.argv[2])
examples = source / "resources/examples"
schemas = source / "docs/schemas"


def strict(schema):
    """Rejects keys that the schema does not list."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if "properties" in made and isinstance(made["properties"], dict) and "required" in made:
        made.setdefault("additionalProperties", False)
    return made


validators = {}
used = set()
for path in schemas.glob("*.schema.json"):
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[path.name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(strict(schema))


def run(*arguments, statuses=(0,)):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    if done.returncode not in statuses:
        sys.exit(f"crosswalk {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def validate(name, document, what):
    used.add(name)
    errors = list(validators[name].iter_errors(document))
    for error in errors:
        print(f"{what}: {name}.schema.json: /{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        for part in error.context or []:
            print(f"    /{'/'.join(map(str, part.absolute_path))}: {part.message[:300]}")
    if errors:
        sys.exit(1)


def check(name, *arguments, statuses=(0,)):
    document = json.loads(run(*arguments, statuses=statuses))
    validate(name, document, " ".join(map(str, arguments)))
    return document


def symbol(path, node):
    """Writes a graph of a node and a relu of its output."""
    path.write_text(json.dumps({
        "nodes": [{"op": "null", "name": "data", "inputs": []}, node | {"inputs": [[0, 0, 0]]},
                  {"op": "relu", "name": "behind", "inputs": [[1, 0, 0]]}],
        "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10700]}}))
    return path


with tempfile.TemporaryDirectory() as folder:
    out = Path(folder)
    bilstm, crnn = examples / "request_bilstm", examples / "digits_crnn"
    speech, activity = examples / "speech_commands", examples / "wearable_activity"
    model = out / "model.onnx"
    converted = check("conversion", "convert", bilstm / "model-symbol.json", "-o", model, "--json")
    assert "output" in converted
    other = out / "other.onnx"
    check("conversion", "convert", bilstm / "model-symbol.json", "-o", other, "--json", "--opset", 21)
    gap = symbol(out / "gap-symbol.json", {"op": "Mystery", "name": "gap"})  # an operator that does not exist, and a node behind it
    refused = check("conversion", "diagnose", gap, "--shape", "data=1,3", "--json", statuses=(4,))
    assert refused["problems"], "the schema of problems was not checked"
    check("conversion", "diagnose", examples / "keyword_lstmp/model-symbol.json", "--rnn", "fused", "--json", statuses=(0, 4))

    for path in (bilstm / "model-symbol.json", speech / "frozen.pb", activity / "activity.ptl", model,
                 source / "tests/data/keras/dense_1.2.h5", source / "tests/data/keras/vocabularies_2.15.keras"):
        check("inspect", "inspect", path, "--json")
        check("inspect", "inspect", path, "--layers", "--json")
        check("inspect", "inspect", path, "--weights", "--json")
    tensors = out / "weights.safetensors"
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    tensors.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<2f", 1, 2))
    stored = check("inspect", "inspect", tensors, "--layers", "--json")
    assert stored["weights"], "the schema of weights was not checked"

    same = check("verify", "verify", model, "--data", bilstm / "test_data_set_0", "--json")
    assert same["equal"] is True and same["outputs"]
    check("verify", "verify", model, "--data", bilstm / "test_data_set_0", "--json", "--rtol", 0, "--atol", 0, statuses=(0, 1))
    lstm = examples / "keyword_lstmp"
    inner = out / "inner.onnx"
    run("convert", lstm / "model-symbol.json", "-o", inner)
    recorded = check("verify", "verify", inner, "--data", lstm / "test_data_set_0", "--inner", "--json")
    assert "inner" in recorded
    check("verify", "verify", other, "--original", model, "--json", statuses=(0, 1))

    equal = check("diff", "diff", model, model, "--json")
    assert equal["equal"] is True
    replaced = check("diff", "diff", model, inner, "--json", statuses=(1,))
    assert replaced["removed"] and replaced["added"]
    leaky = [symbol(out / f"leaky{slope}-symbol.json", {"op": "LeakyReLU", "name": "leaky", "attrs": {"slope": slope}}) for slope in ("0.1", "0.2")]
    changed = check("diff", "diff", *leaky, "--json", statuses=(1,))
    assert changed["changed"]
    assert check("diff", "diff", model, other, "--json", statuses=(1,))["model"], "the opset differs"

    for framework in ("mxnet", "onnx", "keras", "pytorch", "tensorflow"):
        assert check("operators", "ops", "--framework", framework, "--json")

    listed = out / "models"
    listed.mkdir()
    for name in ("gap-symbol.json", "model.onnx"):
        (listed / name).write_bytes((out / name).read_bytes())
    report = out / "report.json"
    run("convert", "--batch", listed, "-o", out / "onnx", "--report", report, statuses=(4,))
    collected = json.loads(report.read_text())
    validate("collection-report", collected, "convert --batch")
    assert collected["gaps"] and len(collected["models"]) == 2
    check("collection-report", "diagnose", "--batch", listed, "--json", statuses=(4,))

unused = set(validators) - used
if unused:
    sys.exit(f"nothing is validated against {', '.join(sorted(unused))}")
print(f"{len(used)} schemas")
