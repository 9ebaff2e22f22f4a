"""Random numbers: compares the mean and spread of many samples."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made, operator

S = mx.sym
MANY = 40000


def described(symbol):
    """Two means of a bounded function of the samples, which distinguish distributions even if they have heavy tails."""
    return S.Group([S.mean(S.tanh(symbol / 4)), S.mean(S.tanh(symbol) * S.tanh(symbol)), S.mean(symbol < 0.3)])


def settings_of(d, kind):
    low = d.one_of(-2.0, 0.0, 0.5)
    return {
        "uniform": dict(low=low, high=low + d.one_of(0.5, 3.0)), "normal": dict(loc=low, scale=d.one_of(0.5, 2.0)),
        "gamma": dict(alpha=d.one_of(0.5, 1.0, 4.5), beta=d.one_of(0.5, 2.0)), "exponential": dict(lam=d.one_of(0.5, 3.0)),
        "poisson": dict(lam=d.one_of(0.7, 4.0)), "negative_binomial": dict(k=d.between(1, 4), p=d.one_of(0.3, 0.8)),
        "generalized_negative_binomial": dict(mu=d.one_of(0.5, 3.0), alpha=d.one_of(0.3, 1.0)),
    }[kind]


KINDS = ("uniform", "normal", "gamma", "exponential", "poisson", "negative_binomial", "generalized_negative_binomial")
RATES = dict(uniform=("low", "high"), normal=("mu", "sigma"), gamma=("alpha", "beta"), exponential=("lam",), poisson=("lam",),
             negative_binomial=("k", "p"), generalized_negative_binomial=("mu", "alpha"))


def without_input(d):
    kind = d.one_of(*KINDS)
    x = operator("_random_" + kind)(shape=(MANY,), **settings_of(d, kind))
    return Drawn(described(S.broadcast_add(x, S.Variable("data0"))), [np.zeros(1, "float32")], tolerance=0.03)


def like_another(d):
    kind = d.one_of(*KINDS)
    x = operator(f"_random_{kind}_like")(S.Variable("data0"), **settings_of(d, kind))
    return Drawn(described(x), [np.zeros((200, MANY // 200), "float32")], tolerance=0.03)


def of_rates(d):
    """A row of samples for each rate."""
    kind = d.one_of(*KINDS)
    drawn = [settings_of(d, kind) for _ in range(2)]
    rates = [np.array([list(s.values())[i] for s in drawn], "float32") for i in range(len(RATES[kind]))]
    x = operator("_sample_" + kind)(*[S.Variable(f"data{i}") for i in range(len(rates))], shape=(MANY,))
    rows = [S.slice_axis(x, axis=0, begin=i, end=i + 1) for i in range(2)]
    return Drawn(S.Group([o for row in rows for o in described(row)]), rates, tolerance=0.03)


def whole(d):
    low = d.between(-3, 3)
    x = S.Cast(operator("_random_randint")(low=low, high=low + d.between(1, 6), shape=(MANY,),
                                           **d.some(dtype=d.one_of("int32", "int64"))), dtype="float32")
    return Drawn(described(S.broadcast_add(x, S.Variable("data0"))), [np.zeros(1, "float32")], tolerance=0.03)


def of_probabilities(d):
    p = d.positive((d.between(1, 3), d.between(2, 4)))
    p = (p / p.sum(1, keepdims=True)).astype("float32")
    x = S.Cast(operator("_sample_multinomial")(S.Variable("data0"), shape=(MANY,)), dtype="float32")
    return Drawn(S.Group([S.mean(x, axis=1), S.mean(x * x, axis=1)]), [p], tolerance=0.04)


def in_another_order(d):
    """The sum of the rows, which a shuffle does not change."""
    x = d.floats((d.between(2, 30), *d.shape(d.between(0, 2))))
    return Drawn(S.sum(operator("_shuffle")(S.Variable("data0")), axis=0), [x])


def shape_alone(d):
    kind, shape = d.one_of(*KINDS), d.shape()
    settings = settings_of(d, kind) | d.some(dtype=d.one_of("float32", "float64", "float16"))
    made_alone = operator("_random_" + kind)(shape=shape, **settings)
    if d.maybe():
        return Drawn(S.Group([made_alone, S.identity(S.Variable("data0"))]), [d.floats((2,))], stochastic=True)
    rates = [np.full(shape, v, "float32") for v in settings_of(d, kind).values()]
    sampled = operator("_sample_" + kind)(*[S.Variable(f"data{i}") for i in range(len(rates))], **d.some(shape=d.shape()))
    return Drawn(sampled, rates, stochastic=True)


def density(d):
    kind = d.one_of("uniform", "normal", "gamma", "exponential", "poisson", "negative_binomial", "generalized_negative_binomial", "dirichlet")
    rows, count, log = d.between(1, 3), d.between(1, 4), d.some(is_log=d.maybe())
    if kind == "dirichlet":
        p = d.positive((rows, count, 3))
        p = (p / p.sum(-1, keepdims=True)).astype("float32")
        return Drawn(made("_random_pdf_dirichlet", 2, **log), [p, d.positive((rows, 3))])
    drawn = list(settings_of(d, kind).values())
    rates = [np.array([rate] * rows, "float32") for rate in drawn]
    whole_numbers = kind in ("poisson", "negative_binomial", "generalized_negative_binomial")
    x = d.integers((rows, count), 0, 8, "float32") if whole_numbers else d.positive((rows, count))
    return Drawn(made("_random_pdf_" + kind, 1 + len(rates), **log), [x, *rates])


def dropped(d):
    """A Dropout that is active at inference; along an axis of size two it drops both elements or none."""
    y = S.Dropout(S.Variable("data0"), p=d.one_of(0.1, 0.5, 0.8), mode="always", **d.some(axes=(0,)))
    rows = [S.slice_axis(y, axis=0, begin=i, end=i + 1) for i in range(2)]
    return Drawn(S.Group([S.mean(y), S.mean(rows[0] > 0), S.mean(rows[0] * rows[1])]), [np.ones((2, MANY), "float32")], tolerance=0.06)


OPERATORS = (without_input, like_another, of_rates, whole, of_probabilities, in_another_order, shape_alone, density, dropped)
