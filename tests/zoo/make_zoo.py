#!/usr/bin/env python3
"""Saves the models of MXNet's own Gluon model zoo with random weights, as cases for measure.py: make_zoo.py OUT [NAME...]

It needs MXNet 1.9.1 (tests/drawn/requirements.txt). Names are those of mxnet.gluon.model_zoo.vision, such as resnet50_v1; without names it
saves all. Rows of tests/data/zoo.csv whose names begin with gluoncv_ or gluonnlp_ are models of GluonCV and GluonNLP.
"""
import argparse, json, os

import mxnet as mx
from mxnet.gluon.model_zoo import vision

SEED = 1


def model_names():
    """The names that vision.get_model() accepts, as its error message lists them."""
    try:
        vision.get_model("")
    except ValueError as error:
        return [line.strip() for line in str(error).splitlines() if line.startswith("\t")]
    raise AssertionError("get_model() accepts an empty name")


def save(name, out):
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    mx.random.seed(SEED)
    net = vision.get_model(name)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    size = 299 if name.startswith("inception") else 224
    net(mx.nd.random.uniform(shape=(1, 3, size, size)))
    net.export(os.path.join(folder, "model"))
    with open(os.path.join(folder, "case.json"), "w") as f:
        json.dump({"name": name, "framework": f"mxnet {mx.__version__}", "category": "model",
                   "inputs": [{"name": "data", "shape": [1, 3, size, size], "dtype": "float32"}]}, f, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    a = parser.parse_args()
    for name in a.names or model_names():
        save(name, a.out)
        print(name, flush=True)


if __name__ == "__main__":
    main()
