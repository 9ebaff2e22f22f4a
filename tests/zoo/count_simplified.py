#!/usr/bin/env python3
"""usage: count_simplified.py IN.onnx: the nodes of a model before and after onnxsim, as JSON: as it is, with all its passes,
and without the one that folds BatchNormalization, which our export does on request only."""
import json, sys

import onnx
import onnxsim


def nodes(graph):
    inner = (a.g for n in graph.node for a in n.attribute if a.type == onnx.AttributeProto.GRAPH)
    return len(graph.node) + sum(map(nodes, inner))


def main(path):
    model = onnx.load(path)
    model.ir_version = 8  # newer ones say nothing that these models need, and not every ONNX Runtime takes them
    simplified, _ = onnxsim.simplify(model)
    unfolded, _ = onnxsim.simplify(model, skipped_optimizers=["fuse_bn_into_conv"])
    print(json.dumps({"nodes": nodes(model.graph), "simplified": nodes(simplified.graph), "unfolded": nodes(unfolded.graph)}))


if __name__ == "__main__":
    main(sys.argv[1])
