#!/usr/bin/env python3
"""usage: count_simplified.py IN.onnx: prints the number of nodes of a model as JSON: unchanged, after all passes of onnxsim,
and without the pass that folds BatchNormalization, which Crosswalk does only with --optimize."""
import json, sys

import onnx
import onnxsim


def nodes(graph):
    inner = (a.g for n in graph.node for a in n.attribute if a.type == onnx.AttributeProto.GRAPH)
    return len(graph.node) + sum(map(nodes, inner))


def main(path):
    model = onnx.load(path)
    model.ir_version = 8  # newer ones have no feature that these models need, and not every ONNX Runtime supports them
    simplified, _ = onnxsim.simplify(model)
    unfolded, _ = onnxsim.simplify(model, skipped_optimizers=["fuse_bn_into_conv"])
    print(json.dumps({"nodes": nodes(model.graph), "simplified": nodes(simplified.graph), "unfolded": nodes(unfolded.graph)}))


if __name__ == "__main__":
    main(sys.argv[1])
