#!/usr/bin/env python3
"""Writes seeds and a dictionary for each fuzz target: models of onnx's tests, and small recorded cases and their parts if
they are there; words of dictionaries/, and the names of all operators.

  build/deps/venv/bin/python tests/fuzz/make_seeds.py [--seconds SECONDS] build/fuzz/seeds [../shared/cases]

A target that takes options (model_input.h) reads them from the first 16 bytes of an input; here these are of the file's
hash. A target that reads no file gets arbitrary bytes. Every target gets a limited number of seeds, as many of each kind of
file as of any other: a run of some seconds would not get through more, and not through large ones; a long run gets one for
each second, so that it begins with nearly all operators.
"""
import argparse
import collections
import hashlib
import io
import itertools
import os
import re
import shutil
import zipfile

from onnx import TensorProto, defs
from onnx.backend import test as backend_test

from mutate_files import parse_message, write_message

FEWEST = 100  # seeds of a target
LONG_RUN, SMALL, LARGE = 300, 8192, 65536  # seconds, and the size of a seed in shorter and in longer runs
CHOICE_BYTES = 16
BYTES = ("builder", "layout")  # targets that read no file: arbitrary bytes describe what they compute
WITH_CHOICES = ("convert", "diff", "parts", "pictures", "shapes")
HERE = os.path.dirname(os.path.abspath(__file__))

# The target that reads a part of a model, by the end of its name.
PARTS = {".py": "torchscript_code", ".pkl": "pickle", "config.json": "keras_config", "models/model.json": "exported_program",
         ".h5": "keras_hdf5", ".params": "mxnet_weights", ".index": "tensorflow_checkpoint", "_0.pb": "recorded_tensor"}
MODELS = (".onnx", ".h5", ".keras", ".pt", ".pt2", ".pbtxt", ".json", ".meta", "frozen.pb", "saved_model.pb")
# The targets of each dictionary, besides those that read whole models.
DICTIONARIES = {"archives": ("model_source",), "collection": ("collection_report",), "keras": ("keras_config", "keras_hdf5"),
                "mxnet": ("mxnet_weights",), "onnx": ("external_data", "inference", "recorded_tensor"),
                "pytorch": ("exported_program", "pickle", "torchscript_code"), "tensorflow": ("tensorflow_checkpoint", "tensorflow_tensor"),
                "text": ("collection_report",)}
ARCHIVES = (".keras", ".pt", ".pt2", ".pth", ".npz")


def files_below(folder, largest):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(path, name)
            if name != "case.json" and os.path.getsize(file) <= largest:
                yield file


def members(content, largest):
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                if 0 < entry.file_size <= largest:
                    yield entry.filename, archive.read(entry)
    except zipfile.BadZipFile:
        return


def external_tensors():
    for number, fields in enumerate(({"location": "weights"}, {"location": "weights", "offset": "16", "length": "16"},
                                     {"location": "sub/weights", "offset": "1008"}, {"location": "../outside"},
                                     {"location": "link", "checksum": "0"})):
        tensor = TensorProto(name="w", data_type=1 + number, dims=[2, 2], data_location=TensorProto.EXTERNAL)
        for key, value in fields.items():
            tensor.external_data.add(key=key, value=value)
        yield tensor.SerializeToString()


def submessages(messages, number):
    return (value for message in messages for field, _, value in message if field == number and isinstance(value, list))


def graph_def_tensors(graph):
    nodes = submessages([parse_message(graph)], 1)
    values = submessages(submessages(nodes, 5), 2)  # of the attributes
    return map(write_message, submessages(values, 8))


def collect(folders, most, largest):
    """Contents by target and kind of file."""
    seeds = collections.defaultdict(lambda: collections.defaultdict(dict))

    def add(target, kind, content):
        seeds[target][kind][hashlib.sha256(content).digest()] = content

    for target, number in itertools.product(BYTES, range(FEWEST)):
        add(target, "bytes", hashlib.shake_256(str(number).encode()).digest(5 * (number + 1)))
    for content in external_tensors():
        add("external_data", "tensor", content)
    for file in itertools.chain.from_iterable(files_below(folder, largest) for folder in folders):
        with open(file, "rb") as stream:
            content = stream.read()
        if file.endswith(MODELS):
            kind = os.path.relpath(file, HERE) if file.startswith(HERE) else os.path.splitext(file)[1]
            for target in ("read_model", *WITH_CHOICES):
                add(target, kind, content)
        if file.endswith(".onnx"):
            add("inference", "model", content)
        if file.endswith("frozen.pb"):
            for tensor in graph_def_tensors(content):
                add("tensorflow_tensor", "constant", tensor)
        parts = [(file, content)]
        if file.endswith(ARCHIVES):
            add("model_source", "archive", content)
            parts += members(content, largest)
        for name, part in parts:
            for end, target in PARTS.items():
                if name.endswith(end):
                    add(target, end, part)
    return seeds


def operators():
    """Names of operators and ONNX's attributes, by format."""
    with open(os.path.join(HERE, "..", "..", "docs", "operators.md")) as file:
        pages = re.split(r"^## (\w+)$", file.read(), flags=re.M)
    names = {name: set(re.findall(r"^\| `([\w.:]+)` \| exact", text, re.M)) for name, text in zip(pages[1::2], pages[2::2])}
    names["onnx"] = {word for schema in defs.get_all_schemas() if not schema.domain for word in (schema.name, *schema.attributes)}
    return names


def write_dictionaries(out):
    words = collections.defaultdict(str)
    names = operators()
    for name, targets in DICTIONARIES.items():
        with open(os.path.join(HERE, "dictionaries", name + ".dict")) as file:
            text = file.read() + "".join(f'"{word}"\n' for word in sorted(names.get(name, ())))
        for target in (*targets, "read_model", *WITH_CHOICES):
            words[target] += text
    for target, text in words.items():
        with open(os.path.join(out, target + ".dict"), "w") as file:
            file.write(text)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("folders", nargs="*", help="recorded cases")
    p.add_argument("--seconds", type=int, default=0, help="for which a target runs")
    a = p.parse_args()
    most, largest = max(FEWEST, a.seconds), LARGE if a.seconds >= LONG_RUN else SMALL
    shutil.rmtree(a.out, ignore_errors=True)
    data = os.path.join(os.path.dirname(backend_test.__file__), "data")
    for target, kinds in collect([data, os.path.join(HERE, "seeds", "read_model"), *a.folders], most, largest).items():
        os.makedirs(os.path.join(a.out, target), exist_ok=True)
        # By their hashes, so that the selection is arbitrary and always the same; one of each kind in turn.
        rows = itertools.zip_longest(*(sorted(contents.items()) for contents in kinds.values()))
        for digest, content in itertools.islice(filter(None, itertools.chain.from_iterable(rows)), most):
            with open(os.path.join(a.out, target, digest.hex()[:16]), "wb") as file:
                file.write((digest[:CHOICE_BYTES] if target in WITH_CHOICES else b"") + content)
    write_dictionaries(a.out)


if __name__ == "__main__":
    main()
