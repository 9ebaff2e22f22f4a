#!/usr/bin/env python3
"""Draw random programs of TorchScript and record them as cases for judge.py.

  torch_programs.py OUT --seed N --count 300 [--only K] [--forms script,freeze]

The programs nest branches and loops with break, continue and early returns, and change in them what they share: views, aliases, shapes in
place, lists, dictionaries and attributes. The inputs are small whole numbers, so that no comparison depends on rounding. A program is
recorded with each of its inputs for which PyTorch runs it, most often several, which take different branches.

The same seed and version of PyTorch give the same cases; environment as for torch_calls.py."""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import tempfile
import warnings

import numpy as np
import torch

from torch_models import FORMS, flattened, module_of, save_script, write_data_sets

HEAD = """import torch
import torch.nn.functional as F
from torch import Tensor, nn
from typing import Dict, List, Optional, Tuple


"""

# {t} and {u} are tensors, {i} is an integer, {f} a float, {b} a bool, {l} a list of tensors, {s} one of integers, {d} a dictionary, {p} a pair,
# {o} a tensor or None; the left side is added.
TENSORS = """
{t} + 1
{t} * {u}.mean()
{t} + {u}.sum()
{t} - {i}
{t} * 2
-{t}
{t}.clone()
{t}.sum(0)
{t}.sum(-1, keepdim=True)
{t}.max()
{t}.mean(-1)
{t}.amax(0)
torch.zeros_like({t})
torch.ones({i} % 3 + 1) * {t}.sum()
torch.zeros({i} % 3 + 1, 2)
torch.cat([{t}.flatten(), {u}.flatten()])
torch.cat([{t}, {t}], 0)
torch.cat([{t}, {t} + 1], -1)
torch.stack([{t}, {t} * 2])
torch.stack([{t}, {t}], -1)
torch.where({t} > 0, {t}, {t} * 0.5)
{t}.relu()
{t}.cumsum(0)
{t}.flip(0)
{t}.roll(1, 0)
{t}.matmul({t}.transpose(-1, -2))
{t}.repeat(2, 1, 1)
{t}.new_ones({t}.size(0))
torch.full_like({t}, {i})
torch.arange({i} % 4 + 1).to(torch.float32)
{t}.to(torch.int64).to(torch.float32)
{t}.masked_fill({t} > 1, 0.5)
{t}.index_select(0, torch.tensor([0]))
F.pad({t}, [1, {i} % 2])
({t} > 0).to(torch.float32)
torch.minimum({t}, {t}.flip(-1))
{t}[{t} > 0]
torch.tensor({i}) + {t}
torch.tensor([{i}, {i} + 1]) * {t}.sum()
torch.cat([v.flatten() for v in {l}])
torch.stack([v.sum() for v in {l}])
{t} * {f}
{t} + {f}
torch.full_like({t}, {f})
{t}.new_zeros({s})
torch.ones({s}) * {t}.sum()
torch.tensor({s}).to(torch.float32)
{t} if {b} else {u}
{t} if {o} is None else {t} + 1
torch.cat([v.flatten() for v in {d}.values()])
{p}[0] + {p}[1].sum()
"""

VIEWS = """
{t}
{t}
{t}[0]
{t}[-1]
{t}[:1]
{t}[1:]
{t}[..., 0]
{t}[..., ::2]
{t}[None]
{t}.view(-1)
{t}.reshape(-1)
{t}.flatten()
{t}.unsqueeze(0)
{t}.unsqueeze(-1)
{t}.squeeze()
{t}.squeeze(0)
{t}.transpose(0, -1)
{t}.t()
{t}.contiguous()
{t}.detach()
{t}.narrow(0, 0, 1)
{t}.select(0, 0)
{t}.select(-1, -1)
{t}.expand_as({t})
{t}.expand([2] + {t}.shape)
{t}.view_as({t})
{t}.view([1] + {t}.shape)
{t}.view({t}.shape)
{t}.reshape({u}.shape)
{t}.unbind(0)[0]
{t}.split(1, 0)[0]
{t}.chunk(2, -1)[0]
{t}.movedim(0, -1)
{t}.diagonal()
{t}.to(torch.float32)
{t}.unsqueeze(0).transpose(0, 1)
{t}.clone().transpose(0, -1)
{t}.clone().squeeze()
{t}.type_as({u})
{l}[0]
{l}[-1]
{l}.pop() if len({l}) > 1 else {l}[0]
self.mix({t}, {u}, {i})
self.mix({t}, {u}, {i})
self.state
self.state
{t}.view({s})
{t}.reshape({s})
{t}.expand({s})
{t}.reshape(-1, {s}[0])
{d}["a"]
{d}["a"]
{p}[0]
{p}[1]
"""

WRITES = r"""
{t}.add_(1)
{t}.mul_(2)
{t}.add_({u}.mean())
{t}.copy_({u}.sum())
{t}.zero_()
{t}.relu_()
{t}.neg_()
{t}.fill_({i})
{t}.clamp_(-3, 3)
{t} += 1
{t} *= 2
{t} -= {u}.max()
{t}[0] = {i}
{t}[0] += 1
{t}[-1] = {t}[0] * 2
{t}[..., 0] = 1
{t}[1:].mul_(2)
{t}[{t} > 0] = 0.5
{t}[{i} % {t}.size(0)] = 7
{t}.view(-1)[0] = 5
{t}.flatten()[0] = 4
{t}.select(0, 0).add_({i})
{t}.transpose(0, -1)[0].add_(1)
{t}.unsqueeze_(0)
{t}.unsqueeze_(-1)
{t}.squeeze_()
{t}.squeeze_(0)
{t}.squeeze_(-1)
{t}.transpose_(0, -1)
{t}.t_()
{t}.swapaxes_(0, -1)
{t}.unsqueeze_(0).add_(1)
{t}.squeeze_(0).mul_(2)
{t}.masked_fill_({t} > 2, 2)
{t}.index_fill_(0, torch.tensor([0]), 1)
{t}.add_({t}.flip(0))
{t}.cumsum_(0)
{l}.append({t})
{l}.append({t} * 1)
{l}.insert(0, {t})
{l}[0] = {t}
{l}[-1].add_(1)
{l}[{i} % len({l})].mul_(2)
{l}.reverse()
{l}.extend([{t}, {u}])
for v in {l}:\n    v.add_(1)
{i} += 1
{i} *= 2
{i} -= {t}.size(0)
{i} = {i} % 3
{i} = max({i}, {t}.size(0))
self.mix({t}, {u}, {i})
self.state.add_(1)
self.state[0] = {t}.sum()
self.state = self.state * 2
self.state.copy_({t}.mean())
{t}.mul_({f})
{f} = {f} / 2
{f} += float({i})
{b} = not {b}
{b} = {b} and {t}.dim() > 1
{s}[0] = {i}
{s}[-1] += 1
{s}.append({i})
{s} = {t}.shape
{s}.insert(0, 1)
{s}.pop()
{d}["a"] = {t}
{d}["b"] = {t} + 1
{d}["a"].add_(1)
{d}["a"].unsqueeze_(0)
{p}[0].add_(1)
{p} = ({t}, {u})
{p} = ({p}[1], {p}[0])
{o} = {t}
{o} = None
if {o} is not None:\n    {o}.add_(1)
if {o} is None:\n    {o} = {t}
if {o} is not None:\n    {t} = {o}
if "b" in {d}:\n    {t} = {d}["b"]
for v in {d}.values():\n    v.mul_(2)
{t}, {u} = {u}, {t}
{t}, {u} = {p}
{t}, {u} = {t} + 1, {t}[0]
"""

INTEGERS = """
{t}.dim()
{t}.size(0)
{t}.size(-1)
len({t})
{t}.numel()
{i} + 1
{i} * 2
{i} // 2
{i} % 3
-{i}
min({i}, {t}.size(-1))
int({t}.sum()) % 4
int({t}.max())
int(({t} > 0).sum())
len({l})
{t}.shape[0] - {i}
1 if {t}.size(0) > 2 else {i}
int({f})
int({b})
{s}[0]
{s}[-1]
len({s})
len({d})
"""

CONDITIONS = """
bool({t}.sum() > 0)
bool({t}.mean() > {u}.mean())
bool({t}.max() > 2)
bool(({t} > 0).any())
{t}.dim() == 2
{t}.dim() > 1
{t}.size(0) > 1
{t}.size(0) == {u}.size(0)
{t}.size(-1) % 2 == 0
{i} > 1
{i} % 2 == 0
{i} < {t}.size(0)
len({l}) > 2
not bool({t}.sum() > 1)
{i} > 0 and bool({t}.min() < 0)
{i} > 2 or bool({t}.sum() < 1)
{t}.shape == {u}.shape
self.training
bool(self.state.sum() > 1)
{b}
{b} and {t}.dim() > 1
not {b}
{f} > 1.0
{o} is None
{s}[0] > 1
"b" in {d}
{i} in {s}
"""

# New variables of other types.
OTHERS = {"f": ["float({t}.sum())", "{i} / 2", "1.5", "{t}.mean().item()"],
          "l": ["[{t}]", "[{t}, {u}]", "[{t}, {t} + 1]"],
          "s": ["[{i}, 1]", "[-1]", "[2, -1]", "[{t}.size(0), -1]", "list({t}.shape)", "{t}.shape", "[1, {i}, 2]"],
          "d": ['{{"a": {t}}}', '{{"a": {t}, "b": {u}}}', '{{"a": {t} * 1}}'],
          "p": ["({t}, {u})", "({t}[0], {t})", "({t} + 1, {u})"],
          "o": ["None", "{t}"]}
TYPES = {"d": ": Dict[str, Tensor]", "o": ": Optional[Tensor]", "s": ": List[int]"}

COUNTS = ["2", "3", "{i} % 3", "{i} % 4 + 1", "{t}.size(0)", "1, 3", "{t}.dim()", "{i} % 3, -1, -1", "0, 6, 2", "len({l})"]


def lines_of(text):
    return [line.replace("\\n", "\n") for line in text.split("\n") if line]


TENSORS, VIEWS, WRITES, INTEGERS, CONDITIONS = map(lines_of, (TENSORS, VIEWS, WRITES, INTEGERS, CONDITIONS))
OTHERS["b"] = CONDITIONS


class Program:
    """The lines of one function. Names that a block assigns first are not visible behind it."""

    def __init__(self, rng, isMain):
        self.rng, self.isMain = rng, isMain
        self.names = {"t": ["x", "y"], "i": ["n"], **{kind: [] for kind in OTHERS}}
        self.lines, self.count, self.loops = [], 0, 0

    def chance(self, share):
        return self.rng.random() < share

    def new(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def known(self, kind):
        names = self.names[kind]
        return self.rng.choice(names[-3:] if self.chance(0.6) else names)

    def fill(self, texts):
        while True:
            text = self.rng.choice(texts)
            if all(self.names[kind] or "{" + kind + "}" not in text for kind in OTHERS) and (self.isMain or "self." not in text or "self.training" in text):
                break
        values = {kind: self.known(kind) for kind in self.names if self.names[kind]}
        return text.format(u=self.known("t"), **values)

    def add(self, text, depth):
        self.lines += ["    " * depth + line for line in text.split("\n")]

    def statement(self, depth):
        kind = self.rng.choices(["tensor", "view", "write", "integer", "other", "if", "for", "while", "leave"],
                                [3, 5, 8, 2, 2, 3 if depth < 4 else 0, 2 if depth < 4 else 0, 1 if depth < 3 else 0, 1.5 if depth > 1 else 0])[0]
        if kind in ("tensor", "view", "integer"):
            letter = "i" if kind == "integer" else "t"
            value = self.fill({"tensor": TENSORS, "view": VIEWS, "integer": INTEGERS}[kind])
            name = self.new(letter) if self.chance(0.5) else self.known(letter)
            self.add(f"{name} = {value}", depth)
            if name not in self.names[letter]:
                self.names[letter].append(name)
        elif kind == "write":
            self.add(self.fill(WRITES), depth)
        elif kind == "other":
            letter = self.rng.choice(list(OTHERS))
            value, name = self.fill(OTHERS[letter]), self.new(letter)
            self.add(f"{name}{TYPES.get(letter, '')} = {value}", depth)
            self.names[letter].append(name)
        elif kind == "if":
            self.add(f"if {self.fill(CONDITIONS)}:", depth)
            self.block(depth + 1)
            if self.chance(0.2):
                self.add(f"elif {self.fill(CONDITIONS)}:", depth)
                self.block(depth + 1)
            if self.chance(0.5):
                self.add("else:", depth)
                self.block(depth + 1)
        elif kind == "for":
            letter = "t" if self.chance(0.15) else "i"
            name = self.new(letter)
            values = self.fill(["{t}.unbind(0)", "[{t}, {u}]"]) if letter == "t" else f"range({self.fill(COUNTS)})"
            self.add(f"for {name} in {values}:", depth)
            self.block(depth + 1, (letter, name))
        elif kind == "while":
            name = self.new("c")
            self.add(f"{name} = 0", depth)
            self.add(f"while {name} < {self.rng.choice([2, 3])} and {self.fill(CONDITIONS)}:", depth)
            self.add(f"    {name} += 1", depth)
            self.block(depth + 1, ("i", name))
        else:
            self.add(f"if {self.fill(CONDITIONS)}:", depth)
            if self.chance(0.5):
                self.add(self.fill(WRITES), depth + 1)
            word = self.rng.choice(["break", "continue"]) if self.loops and self.chance(0.8) else "return " + self.result()
            self.add(f"    {word}", depth)

    def block(self, depth, loop=None):
        """`loop`: the kind and name of its variable."""
        kept = {kind: len(names) for kind, names in self.names.items()}
        if loop:
            self.names[loop[0]].append(loop[1])
        self.loops += loop is not None
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            self.statement(depth)
        self.loops -= loop is not None
        for kind, count in kept.items():
            del self.names[kind][count:]

    def result(self):
        """A text of the one type that all returns of the function have."""
        if not self.isMain:
            return self.fill(["{t}", "{t}", "{t} + 1", "{t}[0]", "{u}.view(-1)"])
        parts = [self.fill(["{t}", "{t}", "{t}.flatten()", "{t}.contiguous().view(-1)", "{t}.sum(0)", "{t} + {i}", "{t}.reshape(-1)"]) for _ in range(2)]
        return f"{parts[0]}, {parts[1]}, {self.fill(['{i}', '{t}.dim()', '{t}.size(0)'])}"


def source_of(seed):
    rng = random.Random(seed)
    mix = Program(rng, isMain=False)
    for _ in range(rng.choice([1, 2, 2, 3])):
        mix.statement(2)
    mix.add("return " + mix.result(), 2)
    forward = Program(rng, isMain=True)
    forward.add("n = " + rng.choice(["int(x.sum())", "int(x.max())", "int((x > 0).sum())", "x.size(0)", "3"]), 2)
    if forward.chance(0.7):
        forward.add("x = " + rng.choice(["x.clone()", "x * 2", "x.flatten()", "x.unsqueeze(0)"]), 2)
    for _ in range(rng.choice([3, 4, 5, 6, 8])):
        forward.statement(2)
    forward.add("return " + forward.result(), 2)
    return ("class Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer(\"state\", torch.ones(2))\n\n"
            "    def mix(self, x: Tensor, y: Tensor, n: int) -> Tensor:\n" + "\n".join(mix.lines)
            + "\n\n    def forward(self, x: Tensor, y: Tensor) -> Tuple[Tensor, Tensor, int]:\n" + "\n".join(forward.lines) + "\n")


def inputs_of(seed):
    """The axes of x and y, and data sets: "B" and "T" are sizes that differ between them. None is 1: squeeze() keeps open axes."""
    numbers, rng = np.random.default_rng(seed), random.Random(seed + 1)
    isOpen = rng.random() < 0.4
    axes = {"x": rng.choice([("B", 3), ("B", "T"), (2, "T"), (1, "T"), ("B", 1, 2), ("T",)]), "y": rng.choice([("B",), ("T", 2), (2, 2), (1,), (2, 1)])}
    sets = []
    for k in range(5):
        sizes = {"B": (2, 3, 4, 2, 3)[k], "T": (3, 2, 4, 2, 5)[k]} if isOpen else {"B": 2, "T": 3}
        shapes = {name: [sizes.get(a, a) for a in axes[name]] for name in axes}
        sets.append({name: (numbers.integers(-3, 4, shape) * (1, -1, 1, 0, 1)[k]).astype(np.float32) for name, shape in shapes.items()})
    return axes if isOpen else {name: sets[0][name].shape for name in axes}, sets, isOpen


def record(out, seed, form):
    source = source_of(seed)
    axes, given, isOpen = inputs_of(seed)
    folder = os.path.join(out, f"p{seed}_{form}" + ("_open" if isOpen else ""))
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        module = module_of(HEAD + source, f"program_{seed}", scratch)
        path = os.path.join(scratch, "model.pt")
        save_script(module.Model().eval(), form, path)
        sets, why = [], "no data set"
        for arrays in given:
            try:
                results, keys = flattened(torch.jit.load(path)(*(torch.from_numpy(a.copy()) for a in arrays.values())))
            except Exception as error:
                why = f"every data set fails: {str(error).strip().splitlines()[-1]}"
                continue
            results = [x.detach().numpy().copy() for x in results]
            if any(not np.isfinite(x).all() or np.abs(x).max(initial=0) > 1e5 or x.size > 5000 for x in results):
                return "numbers that are not finite or too large"
            sets.append((list(arrays.items()), list(zip(keys, results))))
        if not sets:
            return why
        os.makedirs(folder)
        shutil.copy(path, folder)
    write_data_sets(folder, sets)
    args = [a for name, sizes in axes.items() for a in ("--shape", f"{name}={','.join(map(str, sizes))}")] if isOpen else []
    ports = [{"name": name, "dtype": "float32", "shape": [-1 if isinstance(a, str) else a for a in sizes]} for name, sizes in axes.items()]
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"name": os.path.basename(folder), "framework": f"torch {torch.__version__}", "format": FORMS[form], "category": f"program_{form}",
                   "inputs": ports, "outputs": [{"name": name, "shape": list(a.shape), "dtype": str(a.dtype)} for name, a in sets[0][1]],
                   "atol": 1e-4, "rtol": 1e-4, "args": args, "source": source}, file, indent=1)
    return None


def in_child(function, *arguments):
    """The result of the function in a process of its own, which ends after 10 s: some programs double a tensor again and again."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # its default action ends the process, also inside PyTorch
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        try:
            why = function(*arguments) or ""
        except Exception as error:  # PyTorch rejects the program
            why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        os.write(writing, b"." + why.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer[1:].decode() if answer else "takes too long or too much memory"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", type=int, help="one seed")
    parser.add_argument("--forms", default="script,freeze")
    a = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    warnings.simplefilter("ignore")
    forms, recorded = a.forms.split(","), 0
    for seed in [a.only] if a.only is not None else range(a.seed, a.seed + a.count):
        form = forms[seed % len(forms)]
        why = in_child(record, a.out, seed, form)
        recorded += not why
        if why:
            print(f"{seed} {form}: {why}", flush=True)
    print(f"{recorded} cases in {a.out}")


if __name__ == "__main__":
    main()
