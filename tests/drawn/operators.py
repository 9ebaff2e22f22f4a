"""Operators by the names used in files, whether or not a module of MXNet exposes them."""
import mxnet as mx

MODULES = ((mx.sym, ""), (mx.sym._internal, ""), (mx.sym.contrib, "_contrib_"), (mx.sym.linalg, "_linalg_"), (mx.sym.image, "_image_"),
           (mx.sym.numpy._internal, "_npi_"), (mx.sym.numpy._op, "_np_"), (mx.sym.numpy_extension._op, "_npx_"),
           (mx.sym.random, "_random_"))


def operator(name):
    for module, prefix in MODULES:
        if name.startswith(prefix) and hasattr(module, name[len(prefix):]):
            return getattr(module, name[len(prefix):])
    raise AttributeError(name)


def variables(count, numpy=False):
    made = [mx.sym.Variable(f"data{i}") for i in range(count)]
    return [v.as_np_ndarray() for v in made] if numpy else made


def made(name, inputs, **attributes):
    """The operator applied to data0, data1...; `inputs` is their number or the names of the operands."""
    if isinstance(inputs, int):
        return operator(name)(*variables(inputs, name.startswith("_np")), **attributes)
    return operator(name)(**dict(zip(inputs, variables(len(inputs), name.startswith("_np")))), **attributes)
