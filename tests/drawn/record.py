"""Runs a drawn symbol with MXNet and writes a case for judge.py."""
import json, os

import mxnet as mx
import numpy as np
from onnx import numpy_helper


class Unusable(Exception):
    """MXNet rejects the settings, or its result cannot be compared."""


def compute(drawn, data):
    names = drawn.symbol.list_arguments()
    given = {k: v for k, v in data.items() if k in names}
    arguments = dict(given)
    if len(given) < len(names):  # the others are labels
        shapes = dict(zip(names, drawn.symbol.infer_shape(**{k: v.shape for k, v in given.items()})[0]))
        arguments |= {k: mx.nd.zeros(shapes[k]) for k in names if k not in given}
    if drawn.open_size:
        outputs = mx.nd.CachedOp(drawn.symbol)(*(arguments[n] for n in names))
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    else:
        aux = {k: data[k] for k in drawn.symbol.list_auxiliary_states()}
        outputs = drawn.symbol.bind(mx.cpu(), arguments, aux_states=aux).forward(is_train=False)
    outputs = [o.asnumpy() for o in outputs]
    for x in outputs:
        if drawn.finite and (x.size == 0 or x.dtype.kind == "f" and not np.isfinite(x.astype("float64")).all()):
            raise Unusable
    return outputs


def write_tensor(path, name, x):
    with open(path, "wb") as f:
        f.write(numpy_helper.from_array(np.asarray(x, order="C"), name).SerializeToString())


def tolerances(drawn, outputs):
    if drawn.tolerance is not None:
        return dict(rtol=drawn.tolerance, atol=drawn.tolerance)
    half = any(x.dtype == np.float16 for x in [*outputs, *drawn.inputs])
    return dict(rtol=2e-2, atol=2e-2) if half else dict(rtol=1e-3, atol=1e-4)


def record(drawn, folder, numpy):
    array = mx.np.array if numpy else mx.nd.array
    data = {n: array(x, dtype=x.dtype) for n, x in zip(drawn.names, drawn.inputs)}
    try:
        outputs = drawn.expected or compute(drawn, data)
    except mx.MXNetError as e:
        raise Unusable from e
    name, aux = os.path.basename(folder), set(drawn.symbol.list_auxiliary_states())
    stored = aux | set(drawn.names[len(drawn.names) - drawn.weights:])
    shown = [(n, x) for n, x in zip(drawn.names, drawn.inputs) if n not in stored]
    os.makedirs(os.path.join(folder, "test_data_set_0"))
    with open(os.path.join(folder, "model-symbol.json"), "w") as f:
        f.write(drawn.symbol.tojson())
    save = mx.npx.save if numpy else mx.nd.save
    save(os.path.join(folder, "model-0000.params"), {("aux:" if k in aux else "arg:") + k: data[k] for k in sorted(stored)})
    for j, (n, x) in enumerate(shown):
        write_tensor(os.path.join(folder, f"test_data_set_0/input_{j}.pb"), n, x)
    names = drawn.symbol.list_outputs()
    for j, x in enumerate(outputs):
        write_tensor(os.path.join(folder, f"test_data_set_0/output_{j}.pb"), names[j], x)
    case = dict(name=name, framework="mxnet " + mx.__version__, category=name.split("-")[0],
                inputs=[dict(name=n, shape=list(x.shape), dtype=str(x.dtype)) for n, x in shown],
                outputs=[dict(name=n, shape=list(x.shape), dtype=str(x.dtype)) for n, x in zip(names, outputs)],
                **tolerances(drawn, outputs), **({"stochastic": True} if drawn.stochastic else {}))
    with open(os.path.join(folder, "case.json"), "w") as f:
        json.dump(case, f, indent=1)
