"""Output layers: losses, and their operators at inference."""
import mxnet as mx
import numpy as np

from draws import FLOATS, Drawn
from operators import made
from variables import data

S = mx.sym


def regression(d):
    name, shape = d.one_of("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"), d.shape(d.between(2, 4))
    return Drawn(getattr(S, name)(*data(1), S.Variable("label"), **d.some(grad_scale=2.0)), [d.floats(shape)])


def margin(d):
    return Drawn(S.SVMOutput(*data(1), S.Variable("label"), **d.some(margin=0.5, use_linear=d.maybe())), [d.floats(d.shape(2))])


def passed_on(d):
    name = d.one_of("MakeLoss", "make_loss", "BlockGrad", "IdentityAttachKLSparseReg", "_contrib_gradientmultiplier", "Dropout", "_copy",
                    "cast_storage",
                    "_grad_add", "_identity_with_attr_like_rhs")
    shape = d.shape(2 if name == "IdentityAttachKLSparseReg" else None)
    x = d.floats(shape, "float32" if name == "IdentityAttachKLSparseReg" else d.one_of(*FLOATS))
    if name in ("_grad_add", "_identity_with_attr_like_rhs"):
        return Drawn(made(name, 2), [x, x + 1])
    settings = dict(MakeLoss=d.some(grad_scale=2.0, normalization=d.one_of("null", "batch")), Dropout=d.some(p=0.3, axes=(0,)),
                    cast_storage=dict(stype="default"), _contrib_gradientmultiplier=d.some(scalar=0.3)).get(name, {})
    if name == "IdentityAttachKLSparseReg":
        return Drawn(made(name, ("data", "moving_avg")), [1 / (1 + np.exp(-x)), d.positive(shape[1:])], 1)
    return Drawn(made(name, 1, **settings), [x])


def connectionist(d):
    steps, batch, classes, marks = d.between(3, 7), d.between(1, 3), d.between(2, 5), d.between(1, 3)
    blank = d.one_of("first", "last")
    first, ends = (1, 0) if blank == "first" else (0, -1)
    labels = d.integers((batch, marks), first, classes - 1 + first, "float32")
    lengths = d.integers((batch,), 1, marks + 1)
    told, timed = d.maybe(), d.maybe()
    for row, length in zip(labels, lengths):
        row[length:] = ends
    inputs, given = [d.floats((steps, batch, classes)), labels], ["data", "label"]
    if timed:
        inputs, given = [*inputs, d.integers((batch,), 1, steps + 1, "float32")], [*given, "data_lengths"]
    if told:
        inputs, given = [*inputs, lengths.astype("float32")], [*given, "label_lengths"]
    settings = dict(use_data_lengths=timed, use_label_lengths=told, blank_label=blank)
    return Drawn(made("CTCLoss", given, **settings), inputs)


def softmax_activation(d):
    return Drawn(S.SoftmaxActivation(*data(1), **d.some(mode=d.one_of("instance", "channel"))), [d.floats(d.shape(d.between(2, 4)))])


def cross_entropy(d):
    rows, classes = d.shape(2)
    return Drawn(S.softmax_cross_entropy(*data(2)), [d.floats((rows, classes)), d.integers((rows,), 0, classes, "float32")])


OPERATORS = (regression, margin, passed_on, connectionist, softmax_activation, cross_entropy)
