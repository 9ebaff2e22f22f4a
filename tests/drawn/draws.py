"""Random settings and tensors, all from one seed."""
import dataclasses, random

import numpy as np

FLOATS = ("float32", "float32", "float64", "float16")
INTEGERS = ("int32", "int64", "int8", "uint8")


@dataclasses.dataclass
class Drawn:
    """A symbol of variables data0, data1... (or `names`), their values, and the number of stored weights, which come last."""
    symbol: object
    inputs: list
    weights: int = 0
    names: list = None
    expected: list = None  # replaces the result of MXNet
    tolerance: float = None
    finite: bool = True  # cases with outputs that are not finite are rejected
    open_size: bool = False  # the shape of an output depends on data, which the executor does not support
    stochastic: bool = False  # only the shapes of the outputs are compared

    def __post_init__(self):
        if self.names is None:
            used = {*self.symbol.list_arguments(), *self.symbol.list_auxiliary_states()}
            self.names = [f"data{i}" for i in range(len(self.inputs))]
            self.inputs = [x for n, x in zip(self.names, self.inputs) if n in used]
            self.names = [n for n in self.names if n in used]


class Draws:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.RandomState(self.random.getrandbits(32))

    def one_of(self, *choices):
        return self.random.choice(choices)

    def maybe(self, chance=0.5):
        return self.random.random() < chance

    def between(self, low, high):
        return self.random.randint(low, high)

    def sizes(self, count, low, high):
        return tuple(self.between(low, high) for _ in range(count))

    def shape(self, rank=None, low=1, high=5):
        return self.sizes(self.between(1, 4) if rank is None else rank, low, high)

    def axis(self, shape):
        return self.between(-len(shape), len(shape) - 1)

    def axes(self, shape):
        return tuple(sorted(self.random.sample(range(len(shape)), self.between(1, len(shape)))))

    def permutation(self, count):
        return tuple(self.random.sample(range(count), count))

    def some(self, **settings):
        """A random subset of the settings; an omitted attribute has its default."""
        return {name: value for name, value in settings.items() if self.maybe(0.6)}

    def broadcastable(self, shape):
        return tuple(self.one_of(1, size) for size in shape)

    def floats(self, shape, type="float32", scale=2.0):
        return np.asarray(self.numbers.randn(*shape) * scale, type)

    def positive(self, shape, type="float32"):
        return np.asarray(np.abs(self.floats(shape, type)) + np.asarray(0.1, type), type)

    def integers(self, shape, low=-5, high=6, type="int32"):
        return self.numbers.randint(low, high, shape).astype(type)

    def values(self, shape, type):
        if type.startswith("float"):
            return self.floats(shape, type)
        return self.integers(shape, 0 if type == "uint8" else -5, 6, type)

    def distinct(self, shape, type="float32"):
        """Distinct numbers, because the sort order of equal ones is undefined."""
        return self.numbers.permutation(int(np.prod(shape))).reshape(shape).astype(type)


def nonzero(x, instead=3):
    return np.where(x == 0, np.asarray(instead, x.dtype), x).astype(x.dtype)
