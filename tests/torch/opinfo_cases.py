#!/usr/bin/env python3
"""Record the sample inputs of PyTorch's own operator tests as cases for judge.py.

  opinfo_cases.py OUT [--per 3] [--only REGEX] [--dtypes float32,int64] [--export]

PyTorch describes each operator that it tests by an OpInfo, which makes sample inputs of a type (op_db in
torch.testing._internal.common_methods_invocations). For each OpInfo and type, up to --per of them, spread over the list, become modules
that call the operator: the tensors of a sample are inputs, and everything else is part of the module. A module is traced into a
TorchScript archive (--export: an exported program).

Where equal elements leave PyTorch a choice of places, the first places in order are right too (alt_first).

Left out are samples that PyTorch rejects or cannot trace, operators without a dense real result, and results that differ from one run to
the next. Of operators that return uninitialised memory only the shapes count.

The same version of PyTorch gives the same cases. Needs `pip install torch==2.15.0 expecttest onnx numpy`, in an environment of its own."""
import argparse
import collections
import json
import os
import re
import shutil
import signal
import warnings

import torch
from onnx import numpy_helper
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

TYPES = ("float32", "float64", "float16", "int64", "int32", "uint8", "bool")
# Relative and absolute: what computing in the type itself leaves, in whatever order sums are formed.
TOLERANCES = {torch.float16: (5e-3, 2e-3), torch.float64: (1e-6, 1e-8)}
USUAL = (1e-4, 1e-5)
UNINITIALISED = re.compile(r"(^|_)empty(_|$)")
SECONDS = 30  # for one sample
LARGEST = 1 << 20  # elements of all tensors of a sample


def first_sorted(x, dim=-1, descending=False, stable=None):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def first_largest(x, k, dim=-1, largest=True, sorted=True):
    return [part.narrow(dim if x.dim() else 0, 0, k) if x.dim() else part for part in first_sorted(x, dim, largest)]


def first_smallest(x, k, dim=-1, keepdim=False):
    parts = [part.narrow(dim, k - 1, 1) if x.dim() else part for part in first_sorted(x, dim)]
    return parts if keepdim or not x.dim() else [part.squeeze(dim) for part in parts]


def last_most_frequent(x, dim=-1, keepdim=False):
    if not x.dim():
        return torch.mode(x, dim, keepdim)
    values = torch.mode(x, dim, True).values
    numbers = torch.arange(x.size(dim)).reshape([-1 if i == dim % x.dim() else 1 for i in range(x.dim())])
    places = torch.where(x == values, numbers, -1).amax(dim, True)
    return [part if keepdim else part.squeeze(dim) for part in (values, places)]


# Operators with places of equal elements, and other right results.
TIES = {"sort": first_sorted, "argsort": lambda *args, **kwargs: [first_sorted(*args, **kwargs)[1]], "topk": first_largest,
        "kthvalue": first_smallest, "mode": last_most_frequent}


class Skipped(Exception):
    """Why a sample is no case."""


def tolerances_of(tensors):
    floating = [TOLERANCES.get(t.dtype, USUAL) for t in tensors if t.dtype.is_floating_point]
    # A float64 computed from float32 tensors is as exact as those.
    return max(floating, default=USUAL)


def largest_of(tensor):
    finite = tensor[tensor.isfinite()].abs().double()
    return finite.max().item() if finite.numel() else 0


def is_plain(leaf):
    return leaf.layout == torch.strided and not leaf.is_complex() and leaf.dtype in numpy_types() and not leaf.is_quantized


def numpy_types():
    return (torch.float16, torch.float32, torch.float64, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)


def copy_of(tensor):
    return tensor.detach().resolve_neg().clone(memory_format=torch.preserve_format)


class Sample:
    """A call of an operator, as a module whose inputs are its tensors."""

    def __init__(self, op, given):
        leaves, spec = pytree.tree_flatten(((given.input, *given.args), given.kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        if not places:
            raise Skipped("no tensor among the arguments")
        self.tensors = [leaves[i] for i in places]
        if not all(map(is_plain, self.tensors)):
            raise Skipped("a tensor that is sparse, complex or quantized")
        if sum(t.numel() for t in self.tensors) > LARGEST:
            raise Skipped("large")
        self.names = [f"x{i}" for i in range(len(places))]
        self.call = self.text_of(op, leaves, spec)

        def function(*tensors):
            filled = list(leaves)
            for i, tensor in zip(places, tensors):
                filled[i] = tensor
            args, kwargs = pytree.tree_unflatten(filled, spec)
            return flattened(op.op(*args, **kwargs))

        self.arguments = ((given.input, *given.args), given.kwargs)
        scope = {"torch": torch, "function": function}
        exec(f"class Model(torch.nn.Module):\n    def forward(self, {', '.join(self.names)}):\n"
             f"        return function({', '.join(self.names)})\n", scope)
        self.model = scope["Model"]().eval()

    def text_of(self, op, leaves, spec):
        names = iter(self.names)
        shown = [Shown(next(names)) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(shown, spec)
        words = [*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())]
        return f"{op.full_name}({', '.join(words)})"

    def run(self):
        return self.model(*map(copy_of, self.tensors))


class Shown(str):
    __repr__ = str.__str__


def flattened(result):
    leaves = [leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]
    if not leaves or not all(map(is_plain, leaves)):
        raise Skipped("no dense real tensor as result")
    return tuple(leaves)


def write(folder, kind, labels, tensors):
    os.makedirs(folder, exist_ok=True)
    for i, (label, tensor) in enumerate(zip(labels, tensors)):
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(tensor.contiguous().numpy(), label).SerializeToString())


def record(name, op, given, folder, exports):
    sample = Sample(op, given)
    with torch.no_grad():
        torch.manual_seed(0)
        outputs = [copy_of(output) for output in sample.run()]
        torch.manual_seed(1)
        again = sample.run()
        checked = not UNINITIALISED.search(op.name)
        if checked and not all(torch.equal(torch.nan_to_num(a) if a.is_floating_point() else a,
                                           torch.nan_to_num(b) if b.is_floating_point() else b) for a, b in zip(outputs, again)):
            raise Skipped("random")
        data = os.path.join(folder, "test_data_set_0")
        os.makedirs(folder)
        inputs = [copy_of(t) for t in sample.tensors]
        if exports:
            program = torch.export.export(sample.model, tuple(map(copy_of, inputs)))
            torch.export.save(program, os.path.join(folder, "model.pt2"))
            names = [spec.arg.name for spec in program.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]
            names = [f"output_{i}" if name in sample.names else name for i, name in enumerate(names)]  # an input itself
        else:
            traced = torch.jit.trace(sample.model, tuple(map(copy_of, inputs)), check_trace=False)
            traced.save(os.path.join(folder, "model.pt"))
            names = [f"output_{i}" for i in range(len(outputs))]
    write(data, "input", sample.names, inputs)
    write(data, "output", names, outputs)
    if op.name in TIES:
        args, kwargs = sample.arguments
        write(os.path.join(folder, "alt_first"), "output", names, flattened(TIES[op.name](*args, **kwargs)))
    rtol, atol = tolerances_of([*inputs, *outputs])
    # Half precision: where terms cancel, the last place of the largest number is left.
    atol = max([atol, *(1e-3 * largest_of(t) for t in outputs if t.dtype == torch.float16)])
    ports = lambda labels, tensors: [{"name": label, "shape": list(t.shape), "dtype": str(t.dtype).removeprefix("torch.")}
                                     for label, t in zip(labels, tensors)]
    case = {"name": name, "framework": f"torch {torch.__version__}", "format": "pt2" if exports else "torchscript_trace",
            "category": str(given.input.dtype if isinstance(given.input, torch.Tensor) else sample.tensors[0].dtype).removeprefix("torch."),
            "inputs": ports(sample.names, inputs), "outputs": ports(names, outputs), "rtol": rtol, "atol": atol, "source": sample.call}
    if not checked:
        case["check_value"] = False
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)


def samples_of(op, dtype, per):
    """Up to `per` samples, spread over the list: neighbours often differ in sizes alone."""
    samples = list(op.sample_inputs("cpu", dtype, requires_grad=False))
    count = min(per, len(samples))
    return [(i, samples[i]) for i in sorted({round(k * (len(samples) - 1) / max(1, count - 1)) for k in range(count)})]


def on_alarm(*_):
    raise Skipped("slow")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--per", type=int, default=3)
    parser.add_argument("--only", default="", help="regular expression on the names of operators")
    parser.add_argument("--dtypes", default=",".join(TYPES))
    parser.add_argument("--export", action="store_true")
    a = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, on_alarm)
    recorded, skipped = 0, collections.Counter()
    for op in op_db:
        for dtype in (getattr(torch, name) for name in a.dtypes.split(",")):
            if not re.search(a.only, op.full_name) or not op.supports_dtype(dtype, "cpu"):
                continue
            torch.manual_seed(0)
            label = f"{op.full_name.replace('.', '_')}_{str(dtype).removeprefix('torch.')}"
            signal.alarm(SECONDS)
            try:
                samples = samples_of(op, dtype, a.per)
            except Exception as error:
                print(f"{label}: {type(error).__name__}: {str(error).splitlines()[:1]}")
                continue
            finally:
                signal.alarm(0)
            for i, given in samples:
                name = f"op_{'pt2_' if a.export else ''}{label}_{i}"
                folder = os.path.join(a.out, name)
                shutil.rmtree(folder, ignore_errors=True)
                signal.alarm(SECONDS)
                try:
                    record(name, op, given, folder, a.export)
                    recorded += 1
                except Exception as error:
                    shutil.rmtree(folder, ignore_errors=True)
                    reason = str(error) if isinstance(error, Skipped) else type(error).__name__
                    skipped[reason] += 1
                    if not isinstance(error, Skipped):
                        print(f"{name}: {reason}: {(str(error).splitlines() or [''])[0][:200]}")
                finally:
                    signal.alarm(0)
    print(f"{recorded} cases in {a.out}; left out:", ", ".join(f"{count} {reason}" for reason, count in skipped.most_common()))


if __name__ == "__main__":
    main()
