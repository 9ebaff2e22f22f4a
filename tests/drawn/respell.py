#!/usr/bin/env python3
"""Rewrites drawn cases with other spellings of attributes, attribute keys and operators that are equivalent for MXNet.

  respell.py FROM TO --seed 7 [--aliases mxnet-aliases.json]     each case of FROM with a random spelling
"""
import argparse, json, os, random, re, shutil, warnings

warnings.filterwarnings("ignore")
import numpy as np

np.bool = bool  # MXNet 1.9.1 uses it
import mxnet as mx


def tuples(r, text):
    parts = [p.strip() for p in text[1:-1].split(",") if p.strip()]
    if any(not re.fullmatch(r"-?\d+", p) for p in parts):
        return "[" + ",".join(parts) + "]"
    forms = ["(" + ",".join(parts) + ")", "[" + ", ".join(parts) + "]", "( " + " , ".join(parts) + " )", "(" + ", ".join(p + "L" for p in parts) + ")"]
    return r.choice(forms + ([parts[0], f"({parts[0]},)"] if len(parts) == 1 else []))


def spelled(r, text):
    if text in ("True", "False"):
        return r.choice((text.lower(), text.upper(), str(int(text == "True"))))
    if re.fullmatch(r"\(.*\)", text):
        return tuples(r, text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return r.choice((text + "0", f"{float(text):e}", text + "f"))
    return text


def graphs(graph):
    yield graph
    for node in graph["nodes"]:
        for inner in node.get("subgraphs", ()):
            yield from graphs(inner)


def is_read(graph):
    """Whether MXNet accepts the symbol. Attributes are parsed during shape inference."""
    try:
        mx.sym.load_json(json.dumps(graph)).infer_shape_partial()
        return True
    except mx.MXNetError:
        return False


def respelled(r, graph, aliases):
    if r.random() < 0.5:
        for inner in graphs(graph):
            for node in inner["nodes"]:
                if "attrs" in node:
                    node["attr"] = node.pop("attrs")
    for inner in graphs(graph):
        for node in inner["nodes"]:
            key = "attr" if "attr" in node else "attrs"
            for name, value in node.get(key, {}).items():
                node[key][name] = spelled(r, value)
                if not is_read(graph):
                    node[key][name] = value
            names = aliases.get(node["op"], ())
            own = node["op"]
            if names:
                node["op"] = r.choice(names)
                if not is_read(graph):
                    node["op"] = own
    return graph


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--aliases", help="a JSON object, alias to canonical name")
    a = parser.parse_args()
    aliases = {}
    if a.aliases:
        with open(a.aliases) as f:
            for alias, name in json.load(f).items():
                aliases.setdefault(name, []).append(alias)
    for case in sorted(os.listdir(a.source)):
        folder = os.path.join(a.out, case)
        shutil.copytree(os.path.join(a.source, case), folder)
        path = os.path.join(folder, "model-symbol.json")
        with open(path) as f:
            graph = json.load(f)
        with open(path, "w") as f:
            json.dump(respelled(random.Random(f"{a.seed}-{case}"), graph, aliases), f, indent=1)


if __name__ == "__main__":
    main()
