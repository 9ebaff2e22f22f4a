#!/usr/bin/env python3
"""Makes a collection of recorded models of every framework, some of them damaged: make.py CASES OUT

CASES is the folder of the recorded cases. OUT gets the models in folders by framework, and models.txt, the list for
`crosswalk convert --batch`, with the shapes that a case records. unconvertible.txt names the cases that a converter must refuse. The same seed gives the same collection.
"""
import argparse
import hashlib
import json
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "judge"))
import formats

# The file or folder to convert, of a case.
MODELS = ("model-symbol.json", "frozen.pb", "saved_model", "graph.meta", "model.h5", "model.keras", "model.json", "model.pt2", "model.pt",
          "model.ptl", "model.pth", "model.safetensors", "model.pkl", "model.bin")
FRAMEWORKS = {"keras": "keras", "mxnet-extra": "mxnet", "mxnet-legacy": "mxnet", "mxnet-ops": "mxnet", "mxnet-real": "mxnet", "rnn": "mxnet",
              "tf": "tensorflow", "torch": "pytorch", "zoo": "mxnet"}


def zeroed(content):
    return bytes(512) + content[512:]


# What happens to files on their way: each damage makes any model unreadable.
DAMAGES = {
    "half": lambda content: content[:len(content) // 2],
    "last-bytes-missing": lambda content: content[:-8],
    "empty": lambda content: b"",
    "zeroed-head": zeroed,
    "html-page": lambda content: b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>Not Found</body></html>\n",
}


def model_of(folder):
    return next((folder / name for name in MODELS if (folder / name).exists()), None)


def arguments(keys):
    """Shapes and types of the inputs, where the file leaves them open. None if the list cannot express them."""
    words = list(keys.get("args", []))
    for value in keys.get("inputs", []):
        if value["name"] in keys.get("dropped_inputs", []):
            continue
        if value.get("shape") is not None and -1 not in value["shape"]:
            words += ["--shape", f"{value['name']}={','.join(map(str, value['shape']))}"]
        if value.get("dtype", "float32") != "float32":
            words += ["--dtype", f"{value['name']}={value['dtype']}"]
    return None if any(not word or any(c.isspace() for c in word) for word in words) else words


def copy(case, target):
    """Copies the files of a model without the recorded tensors. Returns its path."""
    target.mkdir(parents=True)
    for entry in sorted(case.iterdir()):
        if entry.name == "case.json" or entry.name.startswith(("test_data_set_", "alt_")):
            continue
        # TensorFlow names both after the checkpoint.
        name = "ckpt.meta" if entry.name == "graph.meta" else entry.name
        (shutil.copytree if entry.is_dir() else shutil.copyfile)(entry, target / name)
    model = model_of(case)
    return target / ("ckpt.meta" if model.name == "graph.meta" else model.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000, help="models")
    parser.add_argument("--damaged", type=int, default=50, help="of them")
    parser.add_argument("--seed", default="1")
    a = parser.parse_args()

    usable = []
    for case in formats.find_cases(str(a.cases)).values():
        folder = pathlib.Path(case.path)
        keys = json.loads((folder / "case.json").read_text())
        words = arguments(keys)
        if model_of(folder) and words is not None and "weights_file" not in keys and case.folder in FRAMEWORKS:
            usable.append((hashlib.sha256(f"{a.seed} {case.name}".encode()).hexdigest(), case, keys, words))
    usable.sort(key=lambda each: each[0])
    if len(usable) < a.count:
        sys.exit(f"error: {a.cases} has only {len(usable)} models")
    # Models that the program must refuse are no candidates for damage: they fail anyhow.
    damaged = [each for each in usable if each[2].get("expect") != "refuse"][:a.damaged]
    others = [each for each in usable if each not in damaged][:a.count - a.damaged]

    lines, unconvertible = [], []
    for _, case, keys, words in others:
        lines.append((copy(pathlib.Path(case.path), a.out / FRAMEWORKS[case.folder] / case.name), words))
        if keys.get("expect") == "refuse":
            unconvertible.append(lines[-1][0])
    kinds = list(DAMAGES)
    for i, (_, case, _, words) in enumerate(damaged):
        kind = kinds[i % len(kinds)]
        model = copy(pathlib.Path(case.path), a.out / "damaged" / kind / case.name)
        file = model / "saved_model.pb" if model.is_dir() else model
        file.write_bytes(DAMAGES[kind](file.read_bytes()))
        lines.append((model, words))
    random.Random(a.seed).shuffle(lines)
    with open(a.out / "models.txt", "w") as file:
        for model, words in lines:
            file.write(f"{model.relative_to(a.out)}\t{' '.join(words)}\n")
    (a.out / "unconvertible.txt").write_text("".join(f"{model.relative_to(a.out)}\n" for model in sorted(unconvertible)))
    print(f"{len(lines)} models, {len(damaged)} of them damaged, in {a.out}/models.txt")


if __name__ == "__main__":
    main()
