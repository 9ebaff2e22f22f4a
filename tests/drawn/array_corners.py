"""Moving, slicing, joining, indexing and reducing arrays, in all types, with axes, ends and numbers at the limits."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made
from variables import data

S = mx.sym
TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def any_of(d, shape, types=TYPES):
    return d.values(shape, d.one_of(*types))


def reshape(d):
    """Reshape codes, created together with the shape to which they apply."""
    shape, codes, i = d.shape(d.between(1, 5), 1, 4), [], 0
    while i < len(shape):
        kind = d.one_of("same", "size", "pair", "split", "rest", "one")
        if kind == "pair" and i + 1 < len(shape):
            codes.append(-3)
            i += 2
        elif kind == "split":
            parts = [k for k in range(1, shape[i] + 1) if shape[i] % k == 0]
            left = d.one_of(*parts)
            codes += [-4, *d.one_of((left, shape[i] // left), (-1, shape[i] // left), (left, -1))]
            i += 1
        elif kind == "rest" and d.maybe(0.3):
            codes.append(-2)
            break
        elif kind == "one" and not codes:
            codes.append(d.one_of(0, shape[i]))
            i += 1
        else:
            codes.append(d.one_of(0, shape[i]))
            i += 1
    return Drawn(S.Reshape(*data(1), shape=tuple(codes), **d.some(reverse=False)), [any_of(d, shape)])


def slice_(d):
    shape = d.shape(None, 1, 6)
    begin, end, step = [], [], []
    for size in shape[:d.between(1, len(shape))]:
        back = d.maybe(0.4)
        step.append(d.one_of(-1, -2, -3) if back else d.one_of(None, 1, 2, 5))
        begin.append(d.one_of(None, d.between(-size, size - 1)))
        end.append(d.one_of(None, d.between(-size, size)))
    return Drawn(S.slice(*data(1), begin=tuple(begin), end=tuple(end), step=tuple(step)), [any_of(d, shape)])


def slice_axis(d):
    shape = d.shape(None, 1, 6)
    axis = d.axis(shape)
    size = shape[axis]
    if d.maybe(0.3):
        axes = d.one_of((), d.axes(shape), tuple(-1 - a for a in d.axes(shape)))
        return Drawn(S.slice_like(*data(2), **({"axes": axes} if axes else {})), [any_of(d, shape), d.floats([d.between(1, s) for s in shape])])
    begin = d.between(-size, size - 1)
    return Drawn(S.slice_axis(*data(1), axis=axis, begin=begin, end=d.one_of(None, d.between(-size, size), size)), [any_of(d, shape)])


def split(d):
    shape = list(d.shape(None, 1, 4))
    axis, x = d.axis(shape), None
    kind = d.one_of("channel", "sections", "indices")
    if kind == "indices":
        shape[axis] = 6
        places = d.one_of((2, 4), (1,), (0, 3), (1, 2, 5))
        symbol = S.split_v2(*data(1), places, axis=axis)
    else:
        count, squeeze = d.between(1, 4), d.maybe()
        shape[axis] = count * (1 if squeeze else d.between(1, 2))
        if kind == "channel":
            symbol = S.SliceChannel(*data(1), num_outputs=count, axis=axis, squeeze_axis=squeeze)
        else:
            symbol = S.split_v2(*data(1), count, axis=axis, squeeze_axis=squeeze)
    outputs = list(symbol)
    some = d.random.sample(outputs, d.between(1, len(outputs)))
    return Drawn(S.Group(some) if len(some) > 1 else some[0], [any_of(d, shape)])


def moved(d):
    shape = d.shape(d.between(1, 5), 1, 4)
    rank, v = len(shape), data(1)[0]
    kinds = (lambda: S.transpose(v, axes=tuple(a - d.one_of(0, rank) for a in d.permutation(rank))), lambda: S.transpose(v),
             lambda: S.SwapAxis(v, dim1=d.axis(shape), dim2=d.axis(shape)),
             lambda: S.reverse(v, axis=tuple(a - d.one_of(0, rank) for a in d.axes(shape))),
             lambda: S.tile(v, reps=d.shape(d.between(1, 6), 1, 2)), lambda: S.repeat(v, repeats=d.between(1, 3), **d.some(axis=d.axis(shape))),
             lambda: S.expand_dims(v, axis=d.between(-rank - 1, rank)), lambda: S.Flatten(v), lambda: S.zeros_like(v), lambda: S.ones_like(v),
             lambda: S.shape_array(v), lambda: S.size_array(v), lambda: S.BlockGrad(v), lambda: S.identity(v))
    return Drawn(d.one_of(*kinds)(), [any_of(d, shape)])


def squeezed(d):
    shape = tuple(d.one_of(1, 1, 2, 3) for _ in range(d.between(1, 5)))
    ones = [i for i, s in enumerate(shape) if s == 1]
    chosen = tuple(i - d.one_of(0, len(shape)) for i in ones if d.maybe())
    return Drawn(S.squeeze(*data(1), **({"axis": d.one_of(chosen, chosen[0])} if chosen else {})), [any_of(d, shape)])


def joined(d):
    shape, count, type = list(d.shape(None, 1, 4)), d.between(1, 4), d.one_of(*TYPES)
    if d.maybe(0.4):
        return Drawn(S.stack(*data(count), axis=d.between(-len(shape) - 1, len(shape))), [d.values(shape, type) for _ in range(count)])
    axis, parts = d.axis(shape), []
    for _ in range(count):
        shape[axis] = d.between(1, 3)
        parts.append(d.values(shape, type))
    v = data(count)
    return Drawn(S.Concat(*v, *([v[0]] if d.maybe(0.2) else []), dim=axis), parts)


def broadcast(d):
    shape, v = d.shape(None, 1, 4), data(2)
    small = d.broadcastable(shape)
    kind = d.one_of("axis", "like", "to")
    ones = [i for i, s in enumerate(small) if s == 1]
    if kind == "axis" and ones:
        axes = tuple(i for i in ones if d.maybe()) or (ones[0],)
        return Drawn(S.broadcast_axis(v[0], axis=axes, size=d.sizes(len(axes), 1, 3)), [any_of(d, small)])
    if kind == "like" and ones:
        left = d.one_of(*ones)
        other = d.shape(d.between(1, 3), 1, 4)
        axes = dict(lhs_axes=(d.one_of(left, left - len(small)),), rhs_axes=(d.axis(other),))
        return Drawn(S.broadcast_like(*v, **axes), [any_of(d, small), d.floats(other)])
    return Drawn(S.broadcast_to(v[0], shape=tuple(d.one_of(0, s) if t == s else s for t, s in zip(small, shape))), [any_of(d, small)])


def padded(d):
    shape = (*d.shape(2, 1, 3), *d.shape(d.one_of(2, 3), 2, 5))
    mode = d.one_of("constant", "edge", "reflect")
    most = min(shape[2:]) - 1 if mode == "reflect" else 4
    widths = (0, 0, 0, 0, *d.sizes(2 * (len(shape) - 2), 0, most))
    return Drawn(S.Pad(*data(1), mode=mode, pad_width=widths, **d.some(constant_value=d.one_of(1.5, -2))),
                 [any_of(d, shape, ("float32", "float64", "float16"))])


def diagonal(d):
    shape = d.shape(d.between(1, 4), 1, 5)
    if len(shape) > 2:
        a, b = d.permutation(len(shape))[:2]
        k = d.between(1 - shape[a], shape[b] - 1)
        return Drawn(S.diag(*data(1), k=k, axis1=d.one_of(a, a - len(shape)), axis2=b), [any_of(d, shape)])
    return Drawn(S.diag(*data(1), **d.some(k=d.between(-3, 3))), [any_of(d, shape)])


def reduced(d):
    name, shape = d.one_of("sum", "mean", "max", "min", "prod", "nansum", "nanprod", "sum_axis", "max_axis"), d.shape(d.between(1, 5), 1, 3)
    x = any_of(d, shape, ("float32", "float64", "float16") if name.startswith("nan") or name == "mean" else TYPES)
    if name == "prod" or name == "nanprod":
        x = np.clip(x, -2, 2)
    axes = d.one_of((), d.axis(shape), tuple(a - d.one_of(0, len(shape)) for a in d.axes(shape)))
    settings = d.some(axis=axes, keepdims=d.maybe(), exclude=d.maybe())
    return Drawn(made(name, 1, **settings), [x])


def norm(d):
    shape = d.shape(None, 1, 4)
    axes = d.one_of(d.axis(shape), (d.axis(shape),), tuple(d.permutation(len(shape))[:2]))
    settings = d.some(axis=axes, keepdims=d.maybe(), out_dtype=d.one_of("float32", "float64"))
    return Drawn(S.norm(*data(1), ord=d.between(1, 2), **settings), [any_of(d, shape, ("float32", "float64", "float16", "int32"))])


def places(d):
    shape = d.shape(None, 1, 5)
    kind = d.one_of("argmax", "argmin", "argmax_channel", "topk", "argsort", "sort")
    type = d.one_of("float32", "float64", "int32", "uint8", "int64", "float16")
    axis = d.one_of(None, d.axis(shape))
    if kind == "argmax_channel":
        shape = d.shape(d.between(2, 4))
        return Drawn(S.argmax_channel(*data(1)), [d.values(shape, d.one_of("float32", "float64"))])
    if kind in ("argmax", "argmin"):
        return Drawn(getattr(S, kind)(*data(1), axis=axis, **d.some(keepdims=d.maybe())), [d.values(shape, type)])
    count = int(np.prod(shape)) if axis is None else shape[axis]
    ordered = d.some(is_ascend=d.maybe())
    if kind == "sort":
        return Drawn(S.sort(*data(1), axis=axis, **ordered), [d.distinct(shape, type)])
    if kind == "argsort":
        return Drawn(S.argsort(*data(1), axis=axis, **ordered, **d.some(dtype=d.one_of("float32", "int32", "int64", "uint8", "float16", "float64"))),
                     [d.distinct(shape, type)])
    returned = d.one_of("indices", "value", "both", "mask")
    symbol = S.topk(*data(1), axis=axis, k=d.one_of(0, d.between(1, count)), ret_typ=returned, **ordered,
                    **d.some(dtype=d.one_of("float32", "int32", "int64", "uint8", "float16", "float64")))
    return Drawn(S.Group(list(symbol)) if returned == "both" else symbol, [d.distinct(shape, type)])


def picked(d):
    kind, shape = d.one_of("take", "pick", "embedding", "one_hot", "batch_take", "gather_nd", "where"), d.shape(None, 2, 5)
    x = any_of(d, shape)
    of_indices = d.one_of("int32", "float32", "int64", "float64", "uint8", "int8")
    low = 0 if of_indices == "uint8" else -8
    if kind == "take":
        settings = d.some(axis=d.axis(shape), mode=d.one_of("clip", "wrap"))
        return Drawn(S.take(*data(2), **settings), [x, d.integers(d.shape(d.between(1, 3)), low, 9, of_indices)])
    if kind == "pick":
        axis = d.one_of(None, d.axis(shape)) if len(shape) > 1 else -1
        if axis is None:
            return Drawn(S.pick(*data(2), axis=None, **d.some(mode=d.one_of("clip", "wrap"))), [x, d.integers((1,), low, 9, of_indices)])
        one = [1] if d.maybe() else []
        rest = [*shape[:axis % len(shape)], *one, *shape[axis % len(shape) + 1:]] or [1]
        settings = d.some(keepdims=d.maybe(), mode=d.one_of("clip", "wrap"))
        return Drawn(S.pick(*data(2), axis=axis, **settings), [x, d.integers(rest, low, 9, of_indices)])
    if kind == "embedding":
        rows, width = d.between(2, 6), d.between(1, 4)
        type = d.one_of("float32", "float64", "float16")
        places = d.integers(d.shape(d.between(1, 4)), 0, rows + 2, of_indices)
        return Drawn(S.Embedding(*data(2), input_dim=rows, output_dim=width, dtype=type), [places, d.floats((rows, width), type)], 1)
    if kind == "one_hot":
        settings = d.some(on_value=d.one_of(2.5, 3), off_value=-1, dtype=d.one_of(*TYPES))
        return Drawn(S.one_hot(*data(1), depth=d.between(1, 5), **settings), [d.integers(d.shape(d.between(1, 3)), max(low, -2), 6, of_indices)])
    if kind == "batch_take":
        rows, width = d.between(1, 5), d.between(1, 5)
        return Drawn(S.batch_take(*data(2)), [any_of(d, (rows, width)), d.integers((rows,), -2, width + 2)])
    if kind == "gather_nd":
        rest = d.shape(d.between(1, 2))
        indices = np.stack([d.integers(rest, -s, s) for s in shape[:d.between(1, len(shape))]])
        return Drawn(S.gather_nd(*data(2)), [x, indices.astype(d.one_of("float32", "int32", "int64"))])
    condition = d.integers(d.one_of(shape, shape[:1]), 0, 2, d.one_of("float32", "int32", "uint8", "float64"))
    return Drawn(S.where(*data(3)), [condition, x, d.values(shape, str(x.dtype))])


OPERATORS = (reshape, slice_, slice_axis, split, moved, squeezed, joined, broadcast, padded, diagonal, reduced, norm, places, picked)
