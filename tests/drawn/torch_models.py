#!/usr/bin/env python3
"""Draw random networks of PyTorch and record them as cases for judge.py.

  torch_models.py OUT --seed N --count 300 [--only K] [--forms trace,script,freeze,export,core]

The networks combine views and writes to them, modules that write to their arguments and buffers, lists and loops of scripts, recurrent
layers of every setting, attention with masks, convolutions, poolings, normalisations, indexing and mixed types; some with open sizes. The
results are those of the saved file, which is loaded and run anew for each data set: with open sizes there is a second one, of other sizes.
Networks whose results depend on the last bits of their inputs are left out.

The same seed and version of PyTorch give the same cases; environment as for torch_calls.py."""
import argparse
import importlib.util
import json
import os
import random
import shutil
import sys
import tempfile
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

FORMS = {"trace": "torchscript_trace", "script": "torchscript_script", "freeze": "torchscript_freeze", "export": "pt2", "core": "pt2_core"}
HEAD = """import math
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from typing import Dict, List, NamedTuple, Optional, Tuple


class Pair(NamedTuple):
    first: Tensor
    second: Tensor


class Twice(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x: Tensor):
        return self.part(self.part(x))


class Residual(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x: Tensor):
        y = self.part(x)
        y += x
        return y


class Writer(nn.Module):
    # Writes to its argument and returns a view of it.
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor):
        x.mul_(self.factor)
        return x[..., :1]


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("mean", torch.zeros(()))

    def forward(self, x: Tensor):
        self.count += 1
        self.mean.mul_(0.5).add_(x.mean(), alpha=0.5)
        return x * self.count - self.mean


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("slots", torch.zeros(3, 2))

    def forward(self, x: Tensor):
        kept = self.slots[1]
        self.slots[1] = self.slots[1] + x.mean()
        self.slots[:, 0] += 1
        self.slots.roll(1, 0)
        return x + kept[0] + self.slots.sum()


class Many(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, x: Tensor):
        results: List[Tensor] = []
        for part in self.parts:
            x = part(x)
            results.append(x)
        return torch.stack(results).sum(0)


"""


class Impossible(Exception):
    """The step finds no tensor that it can take."""


class Network:
    """A module that grows: each step is a text that is run at once, with open sizes at two sizes."""

    def __init__(self, seed, form):
        self.rng, self.seed, self.form = random.Random(seed), seed, form
        self.isScript = form in ("script", "freeze")
        self.isTrace = form == "trace"
        self.isOpen = self.chance(0.4)
        self.layers, self.lines, self.inputs = [], [], []
        self.axes = {}  # sizes of inputs, or "B" and "T" where they are open
        self.count = 0
        self.batch, self.time = self.rng.choice([2, 3]), self.rng.choice([4, 5])
        self.sizes = [{"B": self.batch, "T": self.time}] + ([{"B": self.batch + 2, "T": self.time + 3}] if self.isOpen else [])
        self.scopes = []
        self.rerun()

    def chance(self, share):
        return self.rng.random() < share

    def new(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def rerun(self):
        """The scopes as the accepted steps leave them."""
        self.scopes = []
        for k in range(len(self.sizes)):
            scope = {}
            exec(HEAD, scope)
            torch.manual_seed(self.seed)
            scope["self"] = nn.Module().eval()
            for line in self.layers:
                exec(line, scope)
            scope["self"].eval()
            for name, arrays in self.inputs:
                scope[name] = torch.from_numpy(arrays[k].copy())
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec("\n".join(self.lines), scope)
            self.scopes.append(scope)

    def add_input(self, axes, make, name=None):
        """`axes`: sizes, or "B" and "T"; `make` gives an array for a shape."""
        name = name or self.new("in")
        self.inputs.append((name, [make(tuple(s.get(a, a) for a in axes)) for s in self.sizes]))
        self.axes[name] = [a if self.isOpen else self.sizes[0].get(a, a) for a in axes]
        for scope, array in zip(self.scopes, self.inputs[-1][1]):
            scope[name] = torch.from_numpy(array.copy())
        return name

    def numbers(self):
        return np.random.default_rng(self.rng.randrange(1 << 30))

    def layer(self, text):
        name = self.new("m")
        self.pending.append(f"self.{name} = {text}")
        for scope in self.scopes:
            torch.manual_seed(self.seed + self.count)
            exec(self.pending[-1], scope)
            scope["self"].eval()
        return f"self.{name}"

    def try_step(self, step):
        self.pending = []
        inputs = len(self.inputs)
        try:
            text = step(self)
            if isinstance(text, str):
                text = text.split("\n")
            with torch.no_grad():
                for scope in self.scopes:
                    exec("\n".join(text), scope)
            for name in self.tensors():
                for scope in self.scopes:
                    x = scope[name]
                    if x.numel() > 5000 or x.ndim > 6 or x.is_complex() or x.is_quantized or x.numel() == 0:
                        raise Impossible("size")
                    if x.is_floating_point() and not (x.isfinite().all() and x.abs().max() < 1e3):
                        raise Impossible("numbers")
                    if not x.is_floating_point() and x.dtype != torch.bool and x.long().abs().max() > 1e6:
                        raise Impossible("numbers")
                if len({(scope[name].ndim, scope[name].dtype) for scope in self.scopes}) > 1:
                    raise Impossible("rank")
            self.layers += self.pending
            self.lines += text
            return True
        except Exception as error:  # settings that do not go together
            if os.environ.get("SHOW_STEPS"):
                print(f"  {type(error).__name__}: {str(error)[:150]}" if not isinstance(error, Impossible) else "  impossible")
            for name, _ in self.inputs[inputs:]:
                del self.axes[name]
            del self.inputs[inputs:]
            self.rerun()
            return False

    def value(self, name):
        return self.scopes[0][name]

    def tensors(self):
        return [k for k, x in self.scopes[0].items() if isinstance(x, torch.Tensor) and k[0] in "vi" and k[-1].isdigit()]

    def pick(self, condition):
        names = [k for k in self.tensors() if condition(self.value(k))]
        if not names:
            raise Impossible("no tensor")
        if len(names) > 3 and self.chance(0.6):
            names = names[-4:]  # the newest more often
        return self.rng.choice(names)

    def is_open(self, name, axis):
        return len({scope[name].shape[axis] for scope in self.scopes}) > 1

    def size(self, name, axis):
        """A text for the size: computed where it is open."""
        return f"{name}.size({axis})" if self.is_open(name, axis) or self.chance(0.3) else str(self.value(name).shape[axis])

    def least(self, name, axis):
        return min(scope[name].shape[axis] for scope in self.scopes)

    def fixed(self, name, axis):
        if self.is_open(name, axis):
            raise Impossible("open size")
        return self.value(name).shape[axis]


class Words(dict):
    """What stands in braces in a text, drawn when it is first read."""

    def __init__(self, network):
        super().__init__()
        self.n, self.subject = network, None

    def __missing__(self, key):
        n, rng = self.n, self.n.rng
        if key[0] in "rqk":
            word = n.new("v" if key[0] != "k" else "k")
        elif key == "at":  # a subscript of the subject
            word = subscript(n, self.subject)
        elif key[0] in "xaj":  # a tensor: of floats, any, of integers
            rank = int(key[1]) if len(key) > 1 and key[1].isdigit() else None
            kind = {"x": torch.is_floating_point, "a": lambda t: True, "j": lambda t: t.dtype in (torch.int64, torch.int32, torch.int16, torch.uint8)}[key[0]]
            word = n.pick(lambda t: kind(t) and (t.ndim == rank if rank is not None else t.ndim > 0))
            self.subject = word
        elif key == "y":  # of the subject's shape and type
            t = n.value(self.subject)
            word = n.pick(lambda u: u.shape == t.shape and u.dtype == t.dtype)
        elif key == "z":  # broadcasts to the subject
            t = n.value(self.subject)
            word = n.pick(lambda u: u.ndim <= t.ndim and all(a in (1, b) for a, b in zip(u.shape[::-1], t.shape[::-1])))
        elif key == "b":  # a mask of the subject's shape
            word = rng.choice([f"({self.subject} > {rng.choice([0, 0.3, -0.5])})", f"({self.subject} % 2 < 1)"])
        elif key in ("d", "e"):
            self.axis = rng.randrange(n.value(self.subject).ndim)
            if key == "e" and n.value(self.subject).ndim > 1 and self.axis == self["d"] % n.value(self.subject).ndim:
                self.axis = (self.axis + 1) % n.value(self.subject).ndim
            word = self.axis - (n.value(self.subject).ndim if n.chance(0.4) else 0)
        elif key[0] == "i":  # a place along the axis d
            word = rng.randrange(n.least(self.subject, self["d"])) - (n.least(self.subject, self["d"]) if n.chance(0.4) else 0)
        elif key == "w":  # a width along the axis d
            word = rng.randint(1, n.least(self.subject, self["d"]))
        elif key == "size":
            self.subject = self.subject or n.pick(lambda t: t.ndim > 0)
            word = n.size(self.subject, self["d"])
        elif key == "c":
            word = rng.choice(["2", "0.5", "-1.5", "3", "0.25", "-1", "True", "torch.tensor(0.7)", "torch.tensor(2)", "torch.tensor(1.5, dtype=torch.float64)"])
        elif key == "f":
            word = rng.choice(["0.5", "1.5", "-0.7", "2.0", "0.1"])
        elif key == "t":
            word = rng.choice(["torch.float32", "torch.float64", "torch.float16", "torch.int64", "torch.int32", "torch.bool", "torch.uint8", "torch.int8"])
        elif key == "flag":
            word = rng.choice(["True", "False"])
        else:
            raise KeyError(key)
        self[key] = word
        return word


def subscript(n, name):
    """Numbers, slices, None and an ellipsis."""
    t, parts = n.value(name), []
    ellipsis = n.chance(0.3)
    axes = n.rng.randint(1, t.ndim)
    for axis in range(t.ndim - axes, t.ndim) if ellipsis else range(axes):
        size = n.least(name, axis)
        kind = n.rng.randrange(7)
        if kind == 0:
            parts.append(str(n.rng.randrange(-size, size)))
        elif kind == 1:
            parts.append(f"{n.rng.randrange(size)}:")
        elif kind == 2:
            parts.append(f":{n.rng.randint(1, size)}")
        elif kind == 3 and size > 1:
            parts.append(f"-{n.rng.randint(1, size)}:")
        elif kind == 4 and size > 1:
            parts.append(f":-{n.rng.randint(1, size - 1)}")
        elif kind == 5:
            parts.append(n.rng.choice(["::2", "1::2"] if size > 1 else ["::2"]))
        else:
            parts.append(":")
    if n.chance(0.15):
        parts.insert(n.rng.randint(0, len(parts)), "None")
    return ", ".join((["..."] if ellipsis else []) + parts)


VIEWS = """
{r} = {a}[{at}]
{r} = {a}[{at}]
{r} = {a}.select({d}, {i})
{r} = {a}.narrow({d}, 0, {w})
{r} = {a}.transpose({d}, {e})
{r} = {a}.unsqueeze({d})
{r} = {a}.squeeze({d})
{r} = {a}.movedim({d}, {e})
{r} = {a}.reshape(-1)
{r} = {a}.flatten()
{r} = {a}.view_as({a})
{r} = {a}.permute(*range({a}.dim() - 1, -1, -1))
{r}, {q} = {a}.chunk(2, {d})
{r} = {a}.split(2, {d})[0]
{r} = {a}.unbind({d})[{i}]
{r} = {a2}.t()
{r} = {a}.mT
{r} = {a}.diagonal(0, {d}, {e})
{r} = {a}.unfold({d}, {w}, 1)
{r} = {a}.expand(2, *{a}.shape)
{r} = {a}.expand_as({a})
{r} = {a3}.view({a}.size(0), -1)
{r} = {a3}.flatten(1)
{r} = {a4}.flatten(2).transpose(1, 2)
{r} = {a}.detach()
{r} = {a}.swapaxes({d}, {e})
{r} = {a}.contiguous()
{r} = {a}.tensor_split(2, {d})[1]
{r} = {a}.unflatten({d}, (1, -1))
{r} = {a}.ravel()
{r} = {a}.clone()
{r} = {a}.clone().transpose({d}, {e})
{r} = {a}.to({a}.dtype)
{r} = torch.atleast_3d({a})
{r}, {q} = {a}.hsplit(2)
{r} = torch.adjoint({a})
{r} = torch.atleast_2d({a})
{r} = torch.moveaxis({a}, {d}, {e})
"""

WRITES = r"""
{x}.add_({c})
{x}.mul_({f})
{x}.add_({z}, alpha={f})
{x}.sub_({z})
{x}[{at}] = {f}
{x}[{at}] += {f}
{x}[{at}] *= 2
{a}[{at}] = 1
{a}.select({d}, {i}).fill_(1)
{x}.narrow({d}, 0, {w}).mul_({f})
{x}.transpose({d}, {e}).add_({f})
{x}[{at}].zero_()
{x}[{at}].copy_({x}[{at}] * 2)
{x}[{at}] = {x}[{at}] + {f}
{x}[{b}] = {f}
{x}[{b}] *= {f}
{x}.masked_fill_({b}, {f})
{x}.copy_({z})
{x}.relu_()
{x}.clamp_(-0.8, 0.9)
{x}.tanh_()
{x}.zero_()
{x}.fill_({f})
{x}.view(-1)[0] = {f}
{x}.view(-1)[1:].mul_({f})
{x}.t_()
{x}.transpose_({d}, {e})
{x}.unsqueeze_({d})
{x}.squeeze_({d})
{x}.index_fill_({d}, torch.tensor([0, {w} - 1]), {f})
{x}.index_add_({d}, torch.tensor([0]), {x}.narrow({d}, 0, 1) * 0.5)
{x}.index_copy_({d}, torch.tensor([{i}]), {x}.narrow({d}, 0, 1) + 1)
{x}.scatter_({d}, torch.zeros_like({x}, dtype=torch.int64), {f})
{x}.scatter_add_({d}, torch.zeros_like({x}, dtype=torch.int64), {x} * 1)
{x}.diagonal(0, {d}, {e}).add_({f})
{x2}.fill_diagonal_({f})
{x}.tril_()
{x}.triu_(1)
{x}.lerp_({x} * 2, 0.3)
{x}.addcmul_({x} * 1, {x} * 1, value=0.1)
{x}.div_(2)
{x}.neg_()
{x}.abs_().add_(0.1).sqrt_()
{j}.add_(1)
{j}.mul_(2)
{j}[{at}] = 3
{j} //= 2
{j} %= 3
{j}.clamp_(0, 3)
{x} += {z}
{x} *= {f}
{x} -= {x}.mean()
{x} /= 2
{x}.chunk(2, {d})[0].add_({f})
{x}.split(1, {d})[0].mul_({f})
{x}.unbind({d})[{i}].sub_({f})
F.relu({x}, inplace=True)
F.leaky_relu({x}[{at}], 0.1, inplace=True)
torch.add({x}, {f}, out={x})
torch.mul({x}, {x}, out={x})
{x}.squeeze({d}).add_(1)
{x}.unsqueeze({d}).mul_(2)
{x}.cumsum_({d})
{x}.masked_scatter_({b}, {x} * 3)
{x}.index_put_((torch.tensor([0]),), {x}[0] * 2)
{x}.index_put_((torch.tensor([0, 0]),), {x}[:1] * 1, accumulate=True)
{x}[torch.tensor([0])] = {x}[-1:] * 2
{x}[..., torch.tensor([0, -1])] = {f}
{x}[:, torch.tensor([0])] += {f}
{x}[{at}].transpose(0, -1).add_({f})
{x}.pow_(2)
{x}.sigmoid_()
{r} = {x}.add_(1)\n{q} = {r}[{i}:]\n{q}.mul_(2)
{r} = {x}.view(-1)\n{r}[::2] = 0\n{q} = {x} + 1
{r} = {x}.clone()\n{r}[0] = {x}[-1]
{r} = {x}[{at}]\n{x}.mul_(2)\n{q} = {r} + 1
{r} = {x}.reshape(-1)\n{q} = {r} * 2\n{x}.add_(1)
{r} = torch.zeros_like({x})\n{r}[{at}] = {x}[{at}]
{r} = torch.empty_like({x})\n{r}.copy_({x})\n{r}[{at}] += 1
{r} = {x}.new_zeros(({size}, 3))\n{r}[:, 1] = 1\n{r}[0] += {f}
{r} = torch.cat([{x}, {x}], {d})\n{r}.narrow({d}, 0, {size}).mul_(3)
"""

VALUES = """
{r} = {x} + {c}
{r} = {x} * {z}
{r} = {a} + {z}
{r} = {a} * {c}
{r} = {a} - {z}
{r} = {x} / (1.5 + {z} ** 2)
{r} = {j} // 2
{r} = {j} % 3 + {c}
{r} = {x} // {f}
{r} = {x} % {f}
{r} = {c} * {a} + {f}
{r} = {a}.to({t})
{r} = {x}.to({t}) + {z}
{r} = torch.where({x} > 0, {x}, {z})
{r} = torch.where({x} > 0, {x}, {f})
{r} = {x}.where({b}, {c})
{r} = {x}.mean({d}, keepdim={flag})
{r} = {a}.sum({d}, keepdim={flag})
{r} = {x}.std({d}, keepdim=True)
{r} = {x}.var(({d}, {e}), unbiased={flag})
{r} = {x}.max({d}).values
{r}, {q} = {x}.min({d}, keepdim={flag})
{r} = {x}.amax(({d}, {e}), keepdim={flag})
{r} = {x}.argmax({d}, keepdim={flag})
{r} = {x}.logsumexp({d}, keepdim={flag})
{r} = {x}.softmax({d})
{r} = F.log_softmax({x}, {d})
{r} = {x}.softmax({d}, dtype={t})
{r} = {x}.norm(dim={d}, keepdim={flag})
{r} = F.normalize({x}, dim={d})
{r} = {x}.cumsum({d})
{r} = {x}.flip({d})
{r} = {x}.roll(1, {d})
{r} = {x}.roll((1, -1), ({d}, {e}))
{r} = torch.cat([{x}, {x} * 2], {d})
{r} = torch.stack([{x}, {x} + 1], {d})
{r} = torch.cat([{x}[{at}].flatten(), {x}.flatten()])
{r} = {x}.sum()
{r} = {a}.max()
{r} = {x}.mean()
{r} = {x} * {x}.mean()
{r} = {x}.sort({d}, descending={flag}).values
{r} = {x}.topk({w}, {d}).values
{r} = {x}.gather({d}, {x}.argsort({d}))
{r} = {x}.index_select({d}, torch.tensor([0, {w} - 1, 0]))
{r} = {x}[torch.tensor([0, -1])]
{r} = {x}[:, torch.tensor([[0, -1], [-1, 0]])]
{r} = {x}[..., torch.tensor([0, -1]), :]
{r} = {x3}[torch.tensor([0, 1]), :, torch.tensor([0, -1])]
{r} = {x3}[:, torch.tensor([0, -1]), torch.tensor([[0], [1]])]
{r} = {x4}[:, torch.tensor([0, -1]), :, torch.tensor([0, 1])]
{r} = {x}[torch.arange({x}.size(0)).flip(0)]
{r} = {x}[{x}.flatten(1).sum(1) > -1e9]
{r} = {x}.masked_fill({b}, {f})
{r} = {x}.repeat(2, *([1] * ({x}.dim() - 1)))
{r} = {x}.repeat_interleave(2, {d})
{r} = {x}.tile((2,))
{r} = F.pad({x}, (1, 2))
{r} = F.pad({x}, (0, 1, 1, 0), value={f})
{r} = F.pad({x3}, (1, 1), mode="reflect")
{r} = F.pad({x3}, (2, 1), mode="circular")
{r} = F.pad({x4}, (1, 0, 2, 1), mode="replicate")
{r} = F.pad({x}, (-1, 1))
{r} = torch.einsum("...ij,...kj->...ik", {x}, {x})
{r} = torch.einsum("...i->...", {x})
{r} = torch.einsum("bij,bkj->ikb", {x3}, {x3} + 1)
{r} = torch.einsum("bic,bjc->bij", {x3}, {x3})
{r} = torch.einsum("ij,ik->jk", {x2}, {x2})
{r} = torch.einsum("ij,ij->j", {x2}, {x2})
{r} = torch.einsum("i,j->ij", {x1}, {x1})
{r} = torch.einsum("bchw,bcxw->bhx", {x4}, {x4})
{r} = {x} @ {x}.mT
{r} = {x}.mT @ {x}
{r} = torch.matmul({x}, {x}.select({d}, 0).reshape(-1)[:1].expand({x}.size(-1)))
{r} = torch.bmm({x3}, {x3}.transpose(1, 2))
{r} = torch.outer({x1}, {x1})
{r} = F.gelu({x}, approximate="tanh")
{r} = F.gelu({x})
{r} = F.silu({x})
{r} = F.hardswish({x}) + F.softplus({x})
{r} = F.elu({x}) * F.mish({x})
{r} = F.glu(torch.cat([{x}, {x}], {d}), {d})
{r} = torch.exp(-{x}.abs())
{r} = {x}.abs().add(0.1).log()
{r} = torch.sin({x}) + torch.cos({z})
{r} = torch.pow({x}.abs() + 0.1, {f})
{r} = {x}.clamp(min=-0.5)
{r} = torch.minimum({x}, {x}.flip({d}))
{r} = torch.arange({size}) + 0.5
{r} = {x} + torch.arange({x}.size(-1))
{r} = torch.ones({size}, 2) * {f}
{r} = torch.full(({size},), {f})
{r} = torch.zeros_like({x}) + {c}
{r} = {x}.new_ones({x}.size(0), 1) * 2
{r} = torch.linspace(0, 1, {x}.size(-1)) * {x}
{r} = torch.tril(torch.ones({size}, {size}))
{r} = {x}.unfold({d}, 2, 1).sum(-1)
{r} = {x} > {z}
{r} = {a} == {a}.flip(0)
{r} = ({x} > 0) & ({x} < 0.5)
{r} = ({x} > 0).to(torch.float32) * {x}
{r} = ({x} > 0).sum({d})
{r} = {x}.any({d})
{r} = {j}.to(torch.float32) / 2
{r} = {j} / 2
{r} = F.one_hot({j}.to(torch.int64).clamp(0, 3), 4)
{r} = {x}.diff(dim={d})
{r} = {x}.reshape({x}.size(0), -1)
{r} = {x}.view({x}.shape[0], -1) * {x}.shape[0]
{r} = {x} * {x}.size(-1) ** -0.5
{r} = {x} / {x}.size(0)
{r} = {x}[:, : {x}.size(1) // 2]
{r} = {x}[{x}.size(0) // 2 :]
{r} = {x}.narrow(1, {x}.size(1) - 1, 1)
{r} = torch.meshgrid(torch.arange({size}), torch.arange(3), indexing="ij")[0] + {x}.mean()
{r} = torch.broadcast_to({x}[:1], {x}.shape)
{r} = {x}.prod({d})
{r} = torch.cdist({x3}, {x3})
{r} = torch.nonzero({x2} > -1e9)
{r} = torch.bucketize({x}, torch.tensor([-0.5, 0.0, 0.5]))
{r} = {x}.median({d}).values
{r} = torch.addmm({x2}[0], {x}, torch.ones({x}.size(1), {x}.size(1)), beta=0.5, alpha=0.2)
{r} = F.cosine_similarity({x}, {x}.flip(0) + 0.1, dim={d})
{r} = {x}.to(torch.float64).sum({d}).to(torch.float32)
{r} = ({x}.to(torch.float16) * 3).to(torch.float32)
{r} = {x}.to(torch.bfloat16).to(torch.float32)
{r} = {x}.to(torch.float16) + torch.tensor(1.5)
{r} = {x}.to(torch.float16) + {x}
{r} = {x}.to(torch.float64) * {f}
{r} = {x}.to(torch.int32) * {f}
{r} = {x}.type_as({z})
{r} = {x}.to(torch.int32) + {x}.to(torch.int64)
{r} = {x}.to(torch.uint8) + 3
{r} = {x}.sign().to(torch.int8) * 100
{r} = -{x}
{r} = torch.stack({x}.unbind({d}), 0).sum(0)
{r} = torch.cat({x}.chunk(2, {d}), {d})
{r} = torch.cat([t.flip(0) for t in {x}.split(1, {d})], {d})
{r} = {x}.mul({x}).sum({d}).sqrt()
{r} = torch.take_along_dim({x}, {x}.argsort({d}), {d})
{r} = {x}.scatter_add({d}, torch.zeros_like({x}, dtype=torch.int64), {x})
{r} = {x}.index_add({d}, torch.tensor([0]), {x}.narrow({d}, 0, 1))
{r} = torch.lerp({x}, {x}.flip({d}), 0.3)
{r} = {x}.square().mean(({d}, {e}), keepdim=True).rsqrt() * {x}
"""

# Only of scripts: {v} stands for the name of a loop's number.
SCRIPTS = r"""
if {x}.sum() > 0:\n    {r} = {x} + 1\nelse:\n    {r} = {x} * 2
if {x}.mean() > {f}:\n    {r} = {x}[{at}]\nelse:\n    {r} = {x}[{at}] * 2
if {x}.size(0) > 2:\n    {r} = {x}.sum(0)\nelse:\n    {r} = {x}[0]
{r} = {x}\nif bool({x}.sum() > 0):\n    {r} = {x}.mean({d}, keepdim=True)
{r} = {x}.clone()\nif {x}.max() > 0.5:\n    {r}.mul_(2)
{r} = {x}.clone()\nif {x}.max() > 0.5:\n    {r}[0] = 0\nelse:\n    {r}[-1] += 1
if {x}.max() > 0.5:\n    {x}.add_(1)
{r} = {x} * 1\n{q} = {r}[{at}]\nif {x}.sum() > 0:\n    {q}.add_(1)
{r} = {x} * 1\n{q} = {r}[{at}]\nif {x}.sum() < 0:\n    {r}.add_(1)
{r} = torch.zeros_like({x}[0])\nfor {k} in range({x}.size(0)):\n    {r} = {r} * 0.5 + {x}[{k}]
{r} = torch.zeros_like({x})\nfor {k} in range({x}.size(0)):\n    {r}[{k}] = {x}[{k}] * {k}
{r} = {x}.clone()\nfor {k} in range(1, {r}.size(0)):\n    {r}[{k}] += {r}[{k} - 1]
{r} = {x}.clone()\nfor {k} in range({r}.size(0)):\n    {r}[{k}].mul_({k} + 1)
{x} = {x}.clone()\nfor {k} in range(3):\n    {x}.add_({k})
{k}: List[Tensor] = []\nfor {k1} in range({x}.size(0)):\n    {k}.append({x}[{k1}] * {k1})\n{r} = torch.stack({k})
{k}: List[Tensor] = []\nfor {k1} in range({x}.size(0)):\n    {k}.append({x}[: {k1} + 1].sum(0))\n{r} = torch.stack({k}, 1)
{k}: List[Tensor] = []\nfor {k1} in range({x}.size(0)):\n    {k}.append({x}[{k1} :].flatten())\n{r} = torch.cat({k})
{k}: List[Tensor] = []\nfor {k1} in range({x}.size(0)):\n    if {x}[{k1}].sum() > 0:\n        {k}.append({x}[{k1}])\n{k}.append({x}[0])\n{r} = torch.stack({k})
{k}: List[Tensor] = [{x}]\nfor {k1} in range(3):\n    {k}.append({k}[-1] * 0.5 + {k1})\n{r} = torch.cat({k}, {d})
{k}: List[Tensor] = []\nfor {k1} in {x}.unbind({d}):\n    {k}.append({k1} + 1)\n{r} = torch.stack({k}, {d})
{k} = 0\n{r} = {x}\nwhile {k} < 3:\n    {r} = {r} * 0.9 + {k}\n    {k} += 1
{r} = {x}\n{k} = 0\nwhile bool({r}.abs().max() < 20.0) and {k} < 6:\n    {r} = {r} * 2\n    {k} += 1
{r} = {x}\nwhile bool({r}.abs().sum() > 1.5):\n    {r} = {r} / 2
{r} = {x}\nfor {k} in range(2):\n    {r} = torch.cat([{r}, {x}], {d})
{r} = {x}\nfor {k} in range({x}.size(0)):\n    {r} = torch.cat([{r}, {x}[{k}:{k} + 1]], 0)
{r} = {x}[:1]\nfor {k} in range({x}.size(0)):\n    if bool({x}[{k}].sum() > 0):\n        {r} = torch.cat([{r}, {x}[{k}:{k} + 1]], 0)
{r} = {x}\nfor {k} in range({x}.size(0)):\n    if {x}[{k}].sum() > 100:\n        break\n    {r} = {r} + 1
{r} = {x} * 0\nfor {k} in range({x}.size(0)):\n    if {x}[{k}].mean() < 0:\n        continue\n    {r} = {r} + {x}[{k}]
{r} = {x} if {x}.sum() > 0 else -{x}
{k} = int({x}.abs().sum().item()) % 3\n{r} = {x} * {k}
{k} = float({x}.mean())\n{r} = {x} * {k}\n{q} = {x} + {k} / 3
{k} = {x}.size(0) * 2 + 1\n{r} = torch.ones({k}) * {x}.sum()
{k} = int(({x} > 0).sum())\n{r} = {x}.flatten()[: {k} + 1]
{k} = [{x}.size(0), -1]\n{r} = {x}.reshape({k})
{k} = {x}.shape\n{r} = {x}.flatten().view({k})
{k}: Dict[str, Tensor] = {{"p": {x}, "q": {x} * 2}}\n{k}["p"] = {k}["p"] + {k}["q"]\n{r} = {k}["p"]
{k}: Dict[str, Tensor] = {{}}\nfor {k1} in range(2):\n    {k}[str({k1})] = {x} * {k1}\n{r} = {k}["1"] + {k}["0"]
{k} = [{x}.clone(), {x} * 2]\n{k}[0].add_(1)\n{k}[1][0] = 5.0\n{r} = {k}[0] + {k}[1]
{k}: Optional[Tensor] = None\nif {x}.dim() > 1:\n    {k} = {x} + 1\n{r} = {x}\nif {k} is not None:\n    {r} = {k} * 2
{k} = Pair({x}, {x} * 2)\n{r} = {k}.first + {k}.second
{k}: List[int] = []\nfor {k1} in range({x}.size(0)):\n    {k}.append({k1} * 2)\n{r} = torch.tensor({k}) + {x}.mean()
{k} = [{x} + t for t in range(3)]\n{r} = torch.stack({k}, {d})
{r} = torch.zeros({x}.size(0), 3)\nfor {k} in range({x}.size(0)):\n    for {k1} in range(3):\n        {r}[{k}, {k1}] = {x}[{k}].sum() * {k1}
{r} = {x}.clone()\nfor {k} in range({x}.size(0) - 1, -1, -1):\n    {r}[{k}] = {r}[{k}] + {r}.mean()
{r} = {x}\n{q} = {x} * 2\nfor {k} in range(3):\n    {r}, {q} = {q}, {r} + 1
{r} = {x}.clone()\n{q} = {r}\nif {x}.sum() > 0:\n    {q} = {r} * 2\n{q}.add_(1)
{r} = {x}.clone()\n{q} = {r}.view(-1)\nfor {k} in range(2):\n    {q}[{k}] = 7.0
{k} = {x}.sum()\nif {k} > 0 and {x}.max() > 1:\n    {r} = {x} - 1\nelif {k} < -2:\n    {r} = {x} - 2\nelse:\n    {r} = {x} - 3
{k} = min({x}.size(0), 2)\n{r} = {x}[:{k}]
{k} = math.sqrt({x}.size(-1))\n{r} = {x} / {k}
{k} = {x}.size(0) / 3\n{r} = {x} + {k} + {x}.size(0) // 3 - {x}.size(0) % 3
{k} = -{x}.size(0) // 2\n{r} = {x} + {k}
{k} = round({x}.size(0) * 0.7)\n{r} = {x}[:{k}]
{k} = torch.jit.annotate(List[Tensor], [])\n{k} += [{x}, {x}]\n{k}.insert(0, {x} + 1)\n{k1} = {k}.pop()\n{k}.reverse()\n{r} = torch.stack({k}) + {k1}
{k} = [{x}.size(0), 1]\n{k}.append({x}.size(-1))\n{r} = torch.ones({k}) * {x}.mean()
{r} = {x}.clone()\nfor {k}, {k1} in enumerate({x}.unbind(0)):\n    {r}[{k}] = {k1} * {k}
if {x}.sum() > 0:\n    {r} = {x} * 2\n    {q} = {r}\nelse:\n    {r} = {x} * 3\n    {q} = {r}\n{q}.add_(1)
if {x}.sum() > 0:\n    {r} = {x} * 2\n    {q} = {r}[0]\nelse:\n    {r} = {x} * 3\n    {q} = {r}[-1]\n{q}.add_(1)
{k}: List[Tensor] = []\n{r} = {x} * 2\nfor {k1} in range({x}.size(0) + 1):\n    {k}.append({r})\n    {r} = {r} + 1\n{k}[0].mul_(2)\n{r} = {r} + {k}[0] + {k}[-1]
{r} = {x}.clone()\n{k}: List[Tensor] = []\nfor {k1} in range({x}.size(0)):\n    {r}.add_(1)\n    {k}.append({r})\n{r} = torch.stack({k})
{r} = {x} * 2\n{q} = {r}[0]\nfor {k} in range({x}.size(0)):\n    {q} += 1\n    {r}[-1] = {q} * 0.5
{r} = {x} * 2\n{q} = {x} * 3\nfor {k} in range({x}.size(0) + 70):\n    {q} = {q} * 0.5 + {r}\n    {r} = {r} * 0.9\n{q}.add_(1)
{k} = [{x} + 1, {x} + 2]\nfor {k1} in {k}:\n    {k1}.add_(1)\n{r} = {k}[0] * {k}[1]
{k} = {{"a": {x} * 2}}\nif {x}.sum() > 0:\n    {k}["a"].add_(1)\n{r} = {k}["a"]\n{r}.mul_(2)\n{q} = {k}["a"] + 1
{r} = {x} * 1\n{k} = {r}.shape\n{r}.unsqueeze_(0)\n{q} = {r}.reshape({k}) + 1
{r} = {x}.clone()\n{k} = 0\nwhile {k} < int({x}.abs().sum()) % 5 + 1:\n    if {k} % 2 == 0:\n        {r} = {r} + 1\n    else:\n        {r} = {r} * 0.9\n    {k} += 1
{r} = {x}.clone()\nfor {k}, {k1} in zip(range(2), [1.0, 2.0]):\n    {r}[{k}] += {k1}
"""


def table(text):
    lines = [line.replace("\\n", "\n") for line in filter(None, text.split("\n"))]

    def step(n):
        return n.rng.choice(lines).format_map(Words(n))
    return step


def recurrent(n):
    kind = n.rng.choice(["LSTM", "LSTM", "GRU", "RNN"])
    dtype = n.rng.choice([""] * 12 + ["half", "half", "double", "double", "bfloat16"])
    wanted = {"": torch.float32, "half": torch.float16, "double": torch.float64, "bfloat16": torch.bfloat16}[dtype]
    unbatched = n.chance(0.1)
    x = n.pick(lambda t: t.is_floating_point() and t.ndim == (2 if unbatched else 3))
    features, hidden, layers = n.fixed(x, -1), n.rng.choice([2, 3, 4]), n.rng.choice([1, 1, 2, 3])
    first, both = n.chance(0.5), n.chance(0.4)
    settings = [f"{features}, {hidden}, num_layers={layers}"]
    projected = kind == "LSTM" and n.chance(0.2) and hidden > 2
    if first:
        settings.append("batch_first=True")
    if both:
        settings.append("bidirectional=True")
    if n.chance(0.2):
        settings.append("bias=False")
    if projected:
        settings.append("proj_size=2")
    if kind == "RNN" and n.chance(0.5):
        settings.append("nonlinearity='relu'")
    if layers > 1 and n.chance(0.3):
        settings.append("dropout=0.5")
    layer = n.layer(f"nn.{kind}({', '.join(settings)})" + (f".{dtype}()" if dtype else ""))
    cast = x if n.value(x).dtype == wanted else f"{x}.to({wanted})"
    y, h, c = n.new(), n.new(), n.new()
    batch_axis = 0 if first else 1
    batch = None if unbatched else n.size(x, batch_axis)
    rows = layers * (2 if both else 1)
    lines, states = [], ""
    if n.chance(0.4):
        width = 2 if projected else hidden
        shape = lambda w: f"({rows}, {w})" if unbatched else f"({rows}, {batch}, {w})"
        made = n.rng.choice(["torch.zeros({})", "torch.ones({}) * 0.3", f"{x}.new_zeros({{}}, dtype=torch.float32)"])
        if n.chance(0.3) and not unbatched:
            made = f"torch.full({{}}, 0.5) * {x}.mean()"
        s = [made.format(shape(w)) + ("" if not dtype else f".to({wanted})") for w in ([width, hidden] if kind == "LSTM" else [width])]
        lines.append(f"k{h} = {s[0]}")
        if kind == "LSTM":
            lines.append(f"k{c} = {s[1]}")
        states = f", (k{h}, k{c})" if kind == "LSTM" else f", k{h}"
    unpacked = f"({h}, {c})" if kind == "LSTM" else h
    if not unbatched and n.chance(0.35):
        b, t = batch_axis, 1 - batch_axis
        if n.is_open(x, t) or n.is_open(x, b):
            lengths = f"torch.arange({x}.size({b})) % {x}.size({t}) + 1"
        elif n.chance(0.5):
            size, steps = n.fixed(x, b), n.fixed(x, t)
            numbers = n.numbers().integers(1, steps + 1, size)
            if n.chance(0.7):
                numbers[0] = steps
            lengths = n.add_input((size,), lambda shape: numbers.astype(np.int64))
        else:
            lengths = f"torch.tensor({sorted((n.rng.randint(1, n.fixed(x, t)) for _ in range(n.fixed(x, b))), reverse=True)})"
        order = ", enforce_sorted=False" if n.chance(0.6) or "tensor([" not in lengths else ""
        back = f", padding_value={n.rng.choice(['0.0', '-1.5'])}" if n.chance(0.4) else ""
        if n.chance(0.3):
            back += f", total_length={x}.size({t})"
        firsts = f", batch_first={first}"
        lines += [f"k{y} = pack_padded_sequence({cast}, {lengths}{firsts}{order})", f"kk{y}, {unpacked} = {layer}(k{y}{states})"]
        out_first = n.chance(0.5)
        lines += [f"{y}, {n.new()} = pad_packed_sequence(kk{y}, batch_first={out_first}{back})"]
        return lines
    return lines + [f"{y}, {unpacked} = {layer}({cast}{states})"]


def cell(n):
    kind = n.rng.choice(["LSTMCell", "GRUCell", "RNNCell"])
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == 3)
    hidden = n.rng.choice([2, 3])
    layer = n.layer(f"nn.{kind}({n.fixed(x, 2)}, {hidden}{', bias=False' if n.chance(0.2) else ''})")
    h, c, y, k = n.new(), n.new(), n.new(), n.new("k")
    lines = [f"{h} = torch.zeros({x}.size(0), {hidden})", f"{c} = {h} + 0.1", f"k{y}: List[Tensor] = []" if n.isScript else f"k{y} = []"]
    steps = f"range({x}.size(1))" if not n.is_open(x, 1) or n.isScript else "range(2)"
    if n.chance(0.3):
        steps = "range(1, -1, -1)"
    call = f"{h}, {c} = {layer}({x}[:, {k}], ({h}, {c}))" if kind == "LSTMCell" else f"{h} = {layer}({x}[:, {k}], {h})"
    return lines + [f"for {k} in {steps}:", f"    {call}", f"    k{y}.append({h})", f"{y} = torch.stack(k{y}, {n.rng.choice([0, 1])})"]


def attention_module(n):
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == 3 and t.shape[2] in (2, 4, 6, 8))
    width = n.fixed(x, 2)
    first, r, q = n.chance(0.6), n.new(), n.new()
    b, t = (0, 1) if first else (1, 0)
    settings = f"{width}, {n.rng.choice([1, 2])}, batch_first={first}"
    for word in ("bias=False", "add_bias_kv=True", "add_zero_attn=True"):
        if n.chance(0.12):
            settings += f", {word}"
    more, lines = "", []
    steps, batch = f"{x}.size({t})", f"{x}.size({b})"
    kind = n.rng.randrange(6)
    if kind == 1:
        more += f", attn_mask=torch.triu(torch.ones({steps}, {steps}), 1).to(torch.bool)"
    elif kind == 2:
        more += f", attn_mask=torch.triu(torch.full(({steps}, {steps}), float('-inf')), 1)"
    elif kind == 3:
        more += f", attn_mask=(torch.arange({steps})[:, None] - torch.arange({steps})).to(torch.float32) * 0.2"
    elif kind == 4:
        more += f", attn_mask=nn.Transformer.generate_square_subsequent_mask({steps}), is_causal=True" if not n.isScript else ""
    if n.chance(0.4):
        mask = f"torch.arange({steps})[None] > torch.arange({batch})[:, None]"
        if kind in (2, 3, 4):
            mask = f"torch.zeros({batch}, {steps}).masked_fill({mask}, float('-inf'))"
        more += f", key_padding_mask={mask}"
    weights = n.rng.choice(["True", "False"])
    if weights == "True" and n.chance(0.4):
        more += ", average_attn_weights=False"
    layer = n.layer(f"nn.MultiheadAttention({settings})")
    key = x
    value = f"{x} * 0.5" if n.chance(0.4) else x
    names = f"{r}, {q}" if weights == "True" else f"{r}, _"
    return lines + [f"{names} = {layer}({x}, {key}, {value}, need_weights={weights}{more})"]


def transformer_layer(n):
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == 3 and t.shape[2] in (2, 4, 6, 8))
    width, first, r = n.fixed(x, 2), n.chance(0.7), n.new()
    b, t = (0, 1) if first else (1, 0)
    settings = f"{width}, {n.rng.choice([1, 2])}, dim_feedforward=5, batch_first={first}"
    if n.chance(0.4):
        settings += ", norm_first=True"
    if n.chance(0.4):
        settings += ", activation='gelu'"
    steps, batch = f"{x}.size({t})", f"{x}.size({b})"
    bool_mask = f"torch.triu(torch.ones({steps}, {steps}), 1).to(torch.bool)"
    float_mask = f"torch.triu(torch.full(({steps}, {steps}), float('-inf')), 1)"
    padding = f"torch.arange({steps})[None] > torch.arange({batch})[:, None]"
    kind = n.rng.randrange(4)
    if kind < 2:
        layer = n.layer(f"nn.TransformerEncoderLayer({settings})")
        mask = n.rng.choice(["", f", src_mask={bool_mask}", f", src_mask={float_mask}"])
        pad = f", src_key_padding_mask={padding}" if n.chance(0.4) and float_mask not in mask else ""
        return [f"{r} = {layer}({x}{mask}{pad})"]
    if kind == 2:
        norm = f", norm=nn.LayerNorm({width})" if n.chance(0.5) else ""
        layer = n.layer(f"nn.TransformerEncoder(nn.TransformerEncoderLayer({settings}), 2{norm}, enable_nested_tensor=False)")
        mask = n.rng.choice(["", f", mask={bool_mask}", f", mask={float_mask}"])
        pad = f", src_key_padding_mask={padding}" if n.chance(0.4) and float_mask not in mask else ""
        return [f"{r} = {layer}({x}{mask}{pad})"]
    layer = n.layer(f"nn.TransformerDecoderLayer({settings})" if n.chance(0.6) else f"nn.TransformerDecoder(nn.TransformerDecoderLayer({settings}), 2)")
    mask = n.rng.choice(["", f", tgt_mask={bool_mask}", f", tgt_mask={float_mask}"])
    pad = f", memory_key_padding_mask={padding}" if n.chance(0.3) else ""
    return [f"{r} = {layer}({x}, {x} * 0.5 + 0.1{mask}{pad})"]


def scaled_attention(n):
    x = n.pick(lambda t: t.is_floating_point() and t.ndim in (3, 4) and t.dtype != torch.bfloat16)
    r = n.new()
    steps = f"{x}.size(-2)"
    more = n.rng.choice(["", "", ", is_causal=True", f", attn_mask=torch.ones({steps}, {steps}).tril().to(torch.bool)",
                         f", attn_mask={x}.new_ones({steps}, {steps}).triu() * 0.5", f", attn_mask=torch.arange({steps}) > 0",
                         f", attn_mask=torch.arange({steps})[:, None] > 0"])
    if n.chance(0.3):
        more += f", scale={n.rng.choice([0.3, 1.0])}"
    key = f"torch.cat([{x}, {x} * 0.5], -2)" if more == "" or "causal" in more and n.chance(0.4) else x
    query = x
    if n.value(x).ndim == 4 and n.chance(0.25) and not n.is_open(x, 1):
        query, more = f"{x}.repeat_interleave(2, 1)", more + ", enable_gqa=True"
    return [f"{r} = F.scaled_dot_product_attention({query}, {key}, {key} + 0.2{more})"]


def convolution(n):
    rank = n.rng.choice([1, 2, 2, 3])
    x = n.pick(lambda t: t.dtype in (torch.float32, torch.float64) and t.ndim == rank + 2)
    channels, r = n.fixed(x, 1), n.new()
    kernel = n.rng.choice([1, 2, 3, tuple(n.rng.choice([1, 2, 3]) for _ in range(rank))])
    out = n.rng.choice([2, 4])
    groups = n.rng.choice([g for g in (1, 1, 2, channels) if channels % g == 0])
    out *= groups if out % groups else 1
    bias = ", bias=False" if n.chance(0.2) else ""
    double = ".double()" if n.value(x).dtype == torch.float64 else ""
    if n.chance(0.3):
        stride = n.rng.choice([1, 2])
        text = f"nn.ConvTranspose{rank}d({channels}, {out}, {kernel}, stride={stride}, padding={n.rng.choice([0, 0, 1])}, groups={groups}{bias}"
        text += ", output_padding=1" if stride == 2 and n.chance(0.4) else ""
        text += f", dilation={n.rng.choice([1, 2])})"
    else:
        mode = n.rng.choice(["zeros", "zeros", "reflect", "replicate", "circular"])
        padding = n.rng.choice([0, 1, 1, 2, "'same'", "'valid'", tuple(n.rng.choice([0, 1, 2]) for _ in range(rank))])
        stride = 1 if padding == "'same'" else n.rng.choice([1, 1, 2, tuple(n.rng.choice([1, 2]) for _ in range(rank))])
        text = f"nn.Conv{rank}d({channels}, {out}, {kernel}, stride={stride}, padding={padding}, dilation={n.rng.choice([1, 1, 2])}, groups={groups}, padding_mode='{mode}'{bias})"
    lines = [f"{r} = {n.layer(text + double)}({x})"]
    if n.chance(0.4) and not double:
        norm = n.rng.choice([f"nn.BatchNorm{rank}d({out})", f"nn.InstanceNorm{rank}d({out}, affine=True)", f"nn.GroupNorm({2 if out % 2 == 0 else 1}, {out})"])
        lines += [f"{r} = {n.layer(norm)}({r})"]
    if n.chance(0.4):
        lines += [f"{r} = {n.layer(n.rng.choice(['nn.ReLU(inplace=True)', 'nn.PReLU()' + double, 'nn.Hardswish(inplace=True)', 'nn.SiLU()', 'nn.LeakyReLU(0.1, inplace=True)']))}({r})"]
    return lines


def pooling(n):
    rank = n.rng.choice([1, 2, 2, 3])
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == rank + 2)
    r, q = n.new(), n.new()
    k, s, ceil = n.rng.choice([2, 3]), n.rng.choice([1, 2, 3]), n.chance(0.4)
    pad = n.rng.choice([0, 0, 1])
    kind = n.rng.randrange(7)
    if kind == 0:
        return [f"{r} = F.max_pool{rank}d({x}, {k}, {s}, {pad}, {n.rng.choice([1, 1, 2])}, ceil_mode={ceil})"]
    if kind == 1:
        return [f"{r}, {q} = F.max_pool{rank}d({x}, {k}, {s}, {pad}, ceil_mode={ceil}, return_indices=True)"]
    if kind == 2:
        return [f"{r} = F.avg_pool{rank}d({x}, {k}, {s}, {pad}, ceil_mode={ceil}, count_include_pad={n.chance(0.5)})"]
    if kind == 3:
        return [f"{r} = F.adaptive_avg_pool{rank}d({x}, {n.rng.choice([1, 2, 3])})"]
    if kind == 4:
        return [f"{r} = F.adaptive_max_pool{rank}d({x}, {n.rng.choice([1, 2])})"]
    if kind == 5:
        return [f"{r}, {q} = F.max_pool{rank}d({x}, 2, 2, return_indices=True)", f"{r} = F.max_unpool{rank}d({r}, {q}, 2, 2)"]
    return [f"{r} = F.lp_pool{rank}d({x}, 2, {k}, {s})" if rank < 3 else f"{r} = F.adaptive_avg_pool3d({x}, (1, 2, 1))"]


def resizing(n):
    rank = n.rng.choice([1, 2, 2, 3])
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == rank + 2)
    r = n.new()
    mode = n.rng.choice(["nearest", "nearest-exact", "area", {1: "linear", 2: "bilinear", 3: "trilinear"}[rank]] + (["bicubic"] if rank == 2 else []))
    more = f", align_corners={n.chance(0.5)}" if "linear" in mode or mode == "bicubic" else ""
    if rank == 2 and mode in ("bilinear", "bicubic") and "False" in more and n.chance(0.3):
        more += ", antialias=True"
    size = n.rng.choice(["scale_factor=2.0", "scale_factor=1.5", "scale_factor=0.7", f"size={[n.rng.choice([3, 5, 8]) for _ in range(rank)]}",
                         f"size=[{', '.join(f'{x}.size({k + 2}) * 2' for k in range(rank))}]"])
    if "scale" in size and n.chance(0.3):
        more += ", recompute_scale_factor=True"
    return [f"{r} = F.interpolate({x}, {size}, mode='{mode}'{more})"]


def image_steps(n):
    x, r = n.pick(lambda t: t.dtype == torch.float32 and t.ndim == 4), n.new()
    kind = n.rng.randrange(6)
    if kind == 0:
        return [f"{r} = F.pixel_shuffle({x}.repeat_interleave(4, 1), 2)"]
    if kind == 1:
        return [f"{r} = F.unfold({x}, {n.rng.choice([1, 2])}, padding={n.rng.choice([0, 1])}, stride={n.rng.choice([1, 2])})"]
    if kind == 2:
        return [f"k{r} = torch.tanh({x}[:, :1]).permute(0, 2, 3, 1).expand(-1, -1, -1, 2)",
                f"{r} = F.grid_sample({x}, k{r}, mode='{n.rng.choice(['bilinear', 'nearest', 'bicubic'])}', padding_mode='{n.rng.choice(['zeros', 'border', 'reflection'])}', align_corners={n.chance(0.5)})"]
    if kind == 3:
        return [f"{r} = {n.layer(f'nn.LocalResponseNorm({n.rng.choice([2, 3])})')}({x})"]
    if kind == 4:
        return [f"{r} = {x}.to(memory_format=torch.channels_last) + 1"] if not n.isScript else [f"{r} = {x}.contiguous() + 1"]
    return [f"{r} = F.dropout2d({x}, 0.5, False)"]


def normalization(n):
    x = n.pick(lambda t: t.dtype in (torch.float32, torch.float64, torch.float16) and t.ndim >= 2)
    t, r = n.value(x), n.new()
    cast = {torch.float64: ".double()", torch.float16: ".half()"}.get(t.dtype, "")
    kind = n.rng.randrange(6)
    if kind == 0:
        axes = n.rng.randint(1, t.ndim - 1)
        shape = [n.fixed(x, k) for k in range(t.ndim - axes, t.ndim)]
        return [f"{r} = {n.layer(f'nn.LayerNorm({shape}, elementwise_affine={n.chance(0.7)})' + cast)}({x})"]
    if kind == 1:
        return [f"{r} = {n.layer(f'nn.RMSNorm({n.fixed(x, -1)})' + cast)}({x})"]
    channels = n.fixed(x, 1)
    if kind == 2:
        return [f"{r} = {n.layer(f'nn.GroupNorm({channels if n.chance(0.5) else 1}, {channels}, affine={n.chance(0.7)})' + cast)}({x})"]
    if kind == 3 and t.ndim in (3, 4, 5):
        return [f"{r} = {n.layer(f'nn.InstanceNorm{t.ndim - 2}d({channels}, affine={n.chance(0.5)}, track_running_stats={n.chance(0.4)})' + cast)}({x})"]
    name = {2: "1", 3: "1", 4: "2", 5: "3"}.get(t.ndim)
    if name is None:
        raise Impossible("rank")
    return [f"{r} = {n.layer(f'nn.BatchNorm{name}d({channels}, affine={n.chance(0.7)}, track_running_stats={n.chance(0.8)})' + cast)}({x})"]


def dense(n):
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim >= 1)
    out, r = n.rng.choice([2, 3, 4]), n.new()
    return [f"{r} = {n.layer(f'nn.Linear({n.fixed(x, -1)}, {out}, bias={n.chance(0.7)})')}({x})"]


def shared(n):
    """A module that is called on several tensors, and modules that write."""
    x = n.pick(lambda t: t.dtype == torch.float32 and t.ndim >= 2)
    width = n.fixed(x, -1)
    part = n.rng.choice([f"nn.Linear({width}, {width})", "nn.Tanh()", "nn.ReLU(inplace=True)", "Counter()", "Memory()", f"nn.LayerNorm({width})",
                         f"nn.Sequential(nn.Linear({width}, {width}), nn.ReLU(inplace=True))", "nn.Hardtanh(inplace=True)", "nn.Identity()", "nn.Dropout(0.3)"])
    text = n.rng.choice(["Twice({})", "Residual({})", "Many([{0}, {0}])", "{}", "nn.Sequential({0}, {0})"]).format(part)
    if n.chance(0.15):
        text = f"Writer({n.rng.choice([0.5, 2.0])})"
    layer, names = n.layer(text), [n.new() for _ in range(2)]
    others = [k for k in n.tensors() if n.value(k).dtype == torch.float32 and n.value(k).ndim >= 2 and n.value(k).shape[-1] == width and not n.is_open(k, -1)]
    argument = n.rng.choice(["{}", "{}", "{} * 2", "{}[:1]", "{}.clone()"])
    return [f"{names[0]} = {layer}({argument.format(x)})", f"{names[1]} = {layer}({n.rng.choice(others)})"]


def buffers(n):
    r, name = n.new(), n.new("m")
    x = n.pick(lambda t: t.dtype == torch.float32)
    n.pending.append(f"self.register_buffer('{name}', torch.arange(6).reshape(2, 3) * 0.5)")
    for scope in n.scopes:
        exec(n.pending[-1], scope)
    b = f"self.{name}"
    return n.rng.choice([
        [f"{b} += {x}.mean()", f"{r} = {b} * 2"],
        [f"{r} = {b}[0]", f"{b}[0] = {x}.mean()", f"{r} = {r} + 1"],
        [f"{r} = {b}", f"{b}.mul_(2)"],
        [f"{b}.copy_({b}.flip(1))", f"{r} = {b} + {x}.sum()"],
        [f"{b}[:, 1:].add_({x}.mean())", f"{r} = {b}.t()", f"{b}[0, 0] = 9.0"],
        [f"{r} = {b}.clone()", f"{b}.zero_()", f"{r}[0] += {b}[0] + {x}.max()"],
        [f"k{r} = {b}.view(-1)", f"k{r}[::2] = {x}.mean()", f"{r} = {b} + 1"],
        [f"{r} = {b}.detach().add_(1)"],
    ])


def embedding(n):
    j, r = n.pick(lambda t: t.dtype == torch.int64 and 0 < t.ndim < 3), n.new()
    layer = n.layer(n.rng.choice(["nn.Embedding(5, 4)", "nn.Embedding(5, 4, padding_idx=0)", "nn.Embedding(5, 2, max_norm=1.0)" if n.isTrace else "nn.Embedding(5, 2)"]))
    if n.value(j).ndim == 2 and n.chance(0.2):
        return [f"{r} = {n.layer('nn.EmbeddingBag(5, 4, mode=%r)' % n.rng.choice(['sum', 'mean', 'max']))}({j}.clamp(0, 4))"]
    return [f"{r} = {layer}({j}.clamp(0, 4))"]


def branches(n):
    """torch.cond of exported programs."""
    if n.isScript or n.isTrace:
        raise Impossible("exported only")
    x, r = n.pick(lambda t: t.is_floating_point() and t.ndim), n.new()
    then, other = n.rng.choice([("t.sin()", "t.cos()"), ("t * 2", "t - 1"), ("t.flip(0)", "t.clone()"), ("t.cumsum(0)", "t.neg()")])
    return [f"{r} = torch.cond({x}.sum() > 0, lambda t: {then}, lambda t: {other}, ({x},))"]


STEPS = [(table(VIEWS), 7), (table(WRITES), 9), (table(VALUES), 9), (recurrent, 5), (cell, 1), (attention_module, 2), (transformer_layer, 2),
         (scaled_attention, 2), (convolution, 4), (pooling, 2), (resizing, 2), (image_steps, 1), (normalization, 2), (dense, 2), (shared, 3),
         (buffers, 2), (embedding, 1), (branches, 1)]
SCRIPT_STEPS = [(table(SCRIPTS), 14)]


def inputs(n):
    numbers = n.numbers()
    floats = lambda dtype: lambda shape: numbers.standard_normal(shape).astype(dtype)
    kinds = [("B", "T", 4)] * 4 + [("B", 4, "T")] * 2 + [("B", 3)] * 2 + [("B", 4, 6, 5)] * 3 + [("B", 2, 3, 4, 5), (5,), ("T",), ("B", "T"), ("B", 2, "T", 6), ("T", "B", 4)]
    for _ in range(n.rng.choice([1, 2, 2, 3])):
        axes = n.rng.choice(kinds)
        n.add_input(axes, floats(n.rng.choice([np.float32] * 8 + [np.float64, np.float16])))
    if n.chance(0.4):
        kind = n.rng.choice([np.int64, np.int64, np.int32, np.uint8, np.bool_])
        n.add_input(n.rng.choice([("B", "T"), ("B",), ("B", 4)]), lambda shape: numbers.integers(0, 5 if kind != np.bool_ else 2, shape).astype(kind))


def drawn(seed, form):
    n = Network(seed, form)
    inputs(n)
    if n.chance(0.6):
        for name in [k for k, _ in n.inputs]:
            n.try_step(lambda n: f"{n.new()} = {name}.clone()")
    table_ = STEPS + (SCRIPT_STEPS if n.isScript else [])
    focus = n.rng.sample(range(len(table_)), 4)
    steps = [step for k, (step, weight) in enumerate(table_) for _ in range(weight * (3 if k in focus else 1))]
    count, problems = n.rng.choice([4, 6, 8, 10]), 0
    while count and problems < 60:
        if n.try_step(n.rng.choice(steps)):
            count -= 1
        else:
            problems += 1
    names = [k for k in n.tensors() if not k.startswith("in")]
    return n, names[-6:] + ([k for k in names[:-6] if n.chance(0.5)])


def source_of(n, names):
    outputs = [f"{k}.to(torch.float32)" if n.value(k).dtype == torch.bfloat16 else k for k in names]
    kind = n.rng.randrange(6)
    if kind == 0 and len(outputs) > 1:
        result = "{" + ", ".join(f'"o{i}": {k}' for i, k in enumerate(outputs)) + "}"
    elif kind == 1 and len(outputs) > 2:
        result = f"({outputs[0]}, ({', '.join(outputs[1:])}))"
    elif kind == 2:
        result = f"[{', '.join(outputs)}]"
    elif kind == 3 and len(outputs) == 2 and n.isScript:
        result = f"Pair({', '.join(outputs)})"
    else:
        result = f"({', '.join(outputs)},)" if len(outputs) > 1 else outputs[0]
    layers = "".join(f"        {line}\n" for line in n.layers)
    body = "".join(f"        {line}\n" for line in n.lines)
    arguments = ", ".join(f"{k}: Tensor" for k, _ in n.inputs)
    return f"class Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n{layers}\n    def forward(self, {arguments}):\n{body}        return {result}\n"


def flattened(result, prefix="output_"):
    """The tensors of a result, and the names of outputs of a script: keys and fields at the top, or numbers."""
    if isinstance(result, dict):
        return list(result.values()), [str(k) for k in result]
    if hasattr(result, "_fields"):
        return list(result), list(result._fields)
    leaves = []

    def visit(part):
        if isinstance(part, torch.Tensor):
            leaves.append(part)
        elif isinstance(part, (int, float, bool)):
            leaves.append(torch.tensor(part))
        elif part is not None:
            for item in part.values() if isinstance(part, dict) else part:
                visit(item)
    visit(result)
    return leaves, [f"{prefix}{k}" for k in range(len(leaves))]


def randomize(model, seed):
    """Statistics and parameters that are not all zeros and ones."""
    numbers = torch.Generator().manual_seed(seed)
    for name, part in list(model.named_parameters()) + list(model.named_buffers()):
        with torch.no_grad():
            if "running_var" in name:
                part.copy_(torch.rand(part.shape, generator=numbers) + 0.5)
            elif part.is_floating_point():
                part.add_(torch.randn(part.shape, generator=numbers) * 0.1)


def module_of(source, name, folder):
    """A module of Python with this source. It has a file, which TorchScript reads."""
    path = os.path.join(folder, f"{name}.py")
    with open(path, "w") as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def save_script(model, form, path):
    script = torch.jit.script(model)
    (torch.jit.freeze(script) if form == "freeze" else script).save(path)


def save(model, n, form, path):
    first = tuple(torch.from_numpy(arrays[0].copy()) for _, arrays in n.inputs)
    if form == "trace":
        torch.jit.trace(model, first, check_trace=False, strict=False).save(path)
    elif form in ("script", "freeze"):
        save_script(model, form, path)
    else:
        shapes = None
        if n.isOpen:
            shapes = tuple({k: torch.export.Dim.AUTO for k, a in enumerate(n.axes[name]) if isinstance(a, str)} for name, _ in n.inputs)
        program = torch.export.export(model, first, dynamic_shapes=shapes)
        torch.export.save(program.run_decompositions() if form == "core" else program, path)


def runner(path, form):
    """The saved file as a function, loaded anew, and the names of its inputs and outputs."""
    if form in ("trace", "script", "freeze"):
        script = torch.jit.load(path)
        return script, None, None
    program = torch.export.load(path)
    specs = program.graph_signature
    inputs = [s.arg.name for s in specs.input_specs if s.kind.name == "USER_INPUT"]
    outputs = [s.arg.name for s in specs.output_specs if s.kind.name == "USER_OUTPUT"]
    stored = {s.arg.name for s in specs.input_specs}
    return program.module(), inputs, [f"output_{k}" if name in stored else name for k, name in enumerate(outputs)]


def write(folder, arrays, kind):
    for i, (label, array) in enumerate(arrays):
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), label).SerializeToString())


def write_data_sets(folder, sets):
    """`sets`: the named inputs and outputs of each."""
    for k, (given, results) in enumerate(sets):
        data = os.path.join(folder, f"test_data_set_{k}")
        os.makedirs(data)
        write(data, given, "input")
        write(data, results, "output")


def spread_of(path, form, given, results):
    """The largest difference that a change of the last bits of the inputs makes, relative to 1 + |x|."""
    worst = 0.0
    for step in range(2):
        numbers = torch.Generator().manual_seed(step)
        moved = [torch.from_numpy(a.copy()) for a in given]
        moved = [x + x * (torch.rand(x.shape, generator=numbers) - 0.5).to(x.dtype) * 4e-6 if x.dtype.is_floating_point else x for x in moved]
        others, _ = flattened(runner(path, form)[0](*moved))
        for x, y in zip(results, others):
            if x.shape != y.shape or (not x.is_floating_point() and not torch.equal(x, y)):
                return None
            if x.is_floating_point() and x.numel():
                worst = max(worst, ((x.double() - y.double()).abs() / (1 + x.double().abs())).max().item())
    return worst


def tolerance_of(n, spread):
    text = "\n".join(n.lines + n.layers)
    least = 1e-4
    if "half" in text or "float16" in text or any(a[0].dtype == np.float16 for _, a in n.inputs):
        least = 1e-2
    if "bfloat16" in text:
        least = 6e-2
    return max(least, spread * 20)


def record(out, seed, form):
    n, names = drawn(seed, form)
    if not names:
        return "no step"
    source = source_of(n, names)
    folder = os.path.join(out, f"m{seed}_{form}" + ("_open" if n.isOpen else ""))
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        module = module_of(HEAD + source, f"drawn_{seed}_{form}", scratch)
        torch.manual_seed(seed)
        model = module.Model().eval()
        randomize(model, seed)
        path = os.path.join(scratch, "model.pt2" if form in ("export", "core") else "model.pt")
        save(model, n, form, path)
        sets, worst = [], 0.0
        for k in range(len(n.sizes)):
            given = [arrays[k] for _, arrays in n.inputs]
            function, labels, wanted = runner(path, form)
            try:
                results, keys = flattened(function(*(torch.from_numpy(a.copy()) for a in given)))
            except Exception:
                if k == 0:
                    raise
                break  # the sizes of the first data set are part of the file
            results = [x.detach().clone() for x in results]
            for x in results:
                if x.is_floating_point() and not (x.isfinite().all() and x.abs().max() < 1e4):
                    return "numbers that are not finite or too large"
            spread = spread_of(path, form, given, results)
            if spread is None or spread > 1e-3:
                return "results that depend on the last bits"
            worst = max(worst, spread)
            labels, wanted = labels or [name for name, _ in n.inputs], wanted or keys
            sets.append((list(zip(labels, given)), list(zip(wanted, (x.numpy() for x in results)))))
        os.makedirs(folder)
        shutil.copy(path, folder)
    write_data_sets(folder, sets)
    isOpen = n.isOpen and len(sets) == 2
    given, results = sets[0]
    ports = [{"name": label, "dtype": str(a.dtype), "shape": [-1 if isOpen and isinstance(n.axes[name][k], str) else d for k, d in enumerate(a.shape)]}
             for (label, a), (name, _) in zip(given, n.inputs)]
    tolerance = tolerance_of(n, worst)
    args = []
    if isOpen and form in ("trace", "script", "freeze"):
        for label, axes in n.axes.items():
            args += ["--shape", f"{label}={','.join(map(str, axes))}"]
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"name": os.path.basename(folder), "framework": f"torch {torch.__version__}", "format": FORMS[form], "category": f"{form}{'_open' if isOpen else ''}",
                   "inputs": ports, "outputs": [{"name": label, "shape": list(a.shape), "dtype": str(a.dtype)} for label, a in results],
                   "atol": tolerance, "rtol": tolerance, "args": args, "source": source}, file, indent=1)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", type=int, help="one seed")
    parser.add_argument("--forms", default=",".join(FORMS))
    a = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    warnings.simplefilter("ignore")
    forms, recorded = a.forms.split(","), 0
    for seed in [a.only] if a.only is not None else range(a.seed, a.seed + a.count):
        form = forms[seed % len(forms)]
        try:
            why = record(a.out, seed, form)
            recorded += why is None
        except Exception as error:  # PyTorch rejects the network in this form
            why = f"{type(error).__name__}: {str(error).strip()[:300]}"
        if why:
            print(f"{seed} {form}: {why}", flush=True)
    print(f"{recorded} cases in {a.out}")


if __name__ == "__main__":
    main()
