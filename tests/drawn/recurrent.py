"""The RNN operator, unrolled cells, and layers of gluon."""
import mxnet as mx
import numpy as np

import recurrence
from draws import Drawn

S = mx.sym


def settings_of(d):
    mode, projected = d.one_of("lstm", "lstm", "gru", "rnn_relu", "rnn_tanh"), d.maybe(0.25)
    units, layers, both = d.between(1, 5), d.between(1, 3), d.maybe()
    return mode, dict(units=units, layers=layers, directions=2 if both else 1, projection=d.between(1, 4) if projected and mode == "lstm" else None)


def tensors(d, mode, units, layers, directions, projection, type="float32"):
    steps, batch, size = d.shape(3, 1, 4)
    count = recurrence.size_of_weights(mode, size, units, layers, directions, projection)
    inputs = [d.floats((steps, batch, size), type), d.floats((count,), type, 0.5), d.floats((layers * directions, batch, projection or units), type)]
    return inputs + ([d.floats((layers * directions, batch, units), type)] if mode == "lstm" else [])


def attributes(mode, units, layers, directions, projection, **more):
    return dict(mode=mode, state_size=units, num_layers=layers, bidirectional=directions == 2,
                **({"projection_size": projection} if projection else {}), **more)


NAMES = ("data", "parameters", "state", "state_cell", "sequence_length")


def layer(d):
    mode, sizes = settings_of(d)
    shows = True if sizes["projection"] else d.maybe()  # MXNet crashes with a projection and without state outputs
    inputs = tensors(d, mode, type=d.one_of("float32", "float32", "float64"), **sizes)
    given = {n: S.Variable(f"data{i}") for i, n in enumerate(NAMES[:len(inputs)])}
    return Drawn(S.RNN(**given, state_outputs=shows, **attributes(mode, **sizes), **d.some(p=0.3)), inputs, d.one_of(0, 0, len(inputs) - 2))


def ours(d, mode, sizes, inputs, more, **reference):
    names = [n for n in NAMES[:4] if n != "state_cell" or mode == "lstm"]
    given = {n: S.Variable(f"data{i}") for i, n in enumerate(names)}
    if "lengths" in reference:
        given["sequence_length"] = S.Variable(f"data{len(inputs)}")
        inputs = [*inputs, reference["lengths"]]
    symbol = S.RNN(**given, state_outputs=True, **attributes(mode, **sizes, **more))
    doubles = [x.astype("float64") for x in inputs[:len(names)]]
    outputs = recurrence.run(mode, *doubles, **sizes, **reference)
    return Drawn(symbol, inputs, expected=[x.astype("float32") for x in outputs])


def with_lengths(d):
    mode, sizes = settings_of(d)
    inputs = tensors(d, mode, **sizes)
    steps, batch = inputs[0].shape[:2]
    lengths = d.integers((batch,), 1, steps + 1, d.one_of("float32", "float32", "int32"))
    return ours(d, mode, sizes, inputs, dict(use_sequence_length=True), lengths=lengths)


def clipped(d):
    mode, sizes = settings_of(d)
    low = -d.one_of(0.1, 0.5)
    high = d.one_of(0.2, 1.0)
    more = dict(lstm_state_clip_min=low, lstm_state_clip_max=high, **d.some(lstm_state_clip_nan=False))
    return ours(d, "lstm", sizes, tensors(d, "lstm", **sizes), more, clip=(low, high))


def cell(d, prefix):
    """A cell, sometimes nested in another one."""
    units = d.between(1, 4)
    made = d.one_of(mx.rnn.RNNCell, mx.rnn.LSTMCell, mx.rnn.GRUCell)(units, prefix=prefix)
    if d.maybe(0.2):
        made = mx.rnn.ZoneoutCell(made, zoneout_outputs=0.2)
    return made, units


def completed(d, symbol, names, inputs):
    """Draws all remaining variables as weights."""
    shapes = symbol.infer_shape(**{n: x.shape for n, x in zip(names, inputs)})[0]
    rest = [(n, s) for n, s in zip(symbol.list_arguments(), shapes) if n not in names]
    return Drawn(symbol, [*inputs, *(d.floats(s, scale=0.6) for _, s in rest)], len(rest), names=[*names, *(n for n, _ in rest)])


def unrolled(d):
    stack, wide = mx.rnn.SequentialRNNCell(), d.maybe(0.3)
    for i in range(d.between(1, 2)):
        if wide and not i:
            stack.add(mx.rnn.BidirectionalCell(mx.rnn.LSTMCell(2, prefix="l_"), mx.rnn.GRUCell(3, prefix="r_"), output_prefix="both_"))
        else:
            stack.add(cell(d, f"cell{i}_")[0])
            if d.maybe(0.3):
                stack.add(mx.rnn.DropoutCell(0.3))
    steps, batch, size = d.shape(3, 1, 4)
    layout = d.one_of("NTC", "TNC")
    x = d.floats((batch, steps, size) if layout == "NTC" else (steps, batch, size))
    outputs, states = stack.unroll(steps, inputs=S.Variable("data0"), layout=layout, merge_outputs=d.one_of(True, False))
    shown = [*(outputs if isinstance(outputs, (list, tuple)) else [outputs]), *(states if d.maybe() else [])]
    shown = [s for group in shown for s in (group if isinstance(group, (list, tuple)) else [group])]
    return completed(d, S.Group(shown), ["data0"], [x])


def gluon_cell(d):
    rnn, contrib = mx.gluon.rnn, mx.gluon.contrib.rnn
    units, steps, batch, size = d.between(1, 4), *d.shape(3, 1, 4)
    kinds = (lambda: rnn.LSTMCell(units, activation=d.one_of("tanh", "relu"), recurrent_activation=d.one_of("sigmoid", "relu")),
             lambda: rnn.GRUCell(units),
             lambda: rnn.RNNCell(units, activation=d.one_of("relu", "tanh", "sigmoid", "softsign")),
             lambda: contrib.LSTMPCell(units, d.between(1, 3)),
             lambda: rnn.BidirectionalCell(rnn.LSTMCell(units), rnn.GRUCell(units)), lambda: rnn.ResidualCell(rnn.GRUCell(size)),
             lambda: contrib.VariationalDropoutCell(rnn.LSTMCell(units), drop_outputs=0.2), lambda: rnn.ZoneoutCell(rnn.GRUCell(units), 0.2, 0.2))
    made, layout = d.one_of(*kinds)(), d.one_of("NTC", "TNC")
    x = d.floats((batch, steps, size) if layout == "NTC" else (steps, batch, size))
    lengths = d.integers((batch,), 1, steps + 1, "float32") if d.maybe(0.3) else None
    more = {} if lengths is None else dict(valid_length=S.Variable("data1"))
    outputs, states = made.unroll(steps, S.Variable("data0"), layout=layout, merge_outputs=True, **more)
    names, inputs = (["data0"], [x]) if lengths is None else (["data0", "data1"], [x, lengths])
    return completed(d, S.Group([outputs, *(states if d.maybe() else [])]), names, inputs)


def convolutional_cell(d):
    contrib, steps, batch, channels = mx.gluon.contrib.rnn, d.between(1, 3), d.between(1, 2), d.between(1, 2)
    kind = d.one_of(contrib.Conv1DRNNCell, contrib.Conv1DLSTMCell, contrib.Conv1DGRUCell, contrib.Conv2DLSTMCell, contrib.Conv2DGRUCell)
    rank = 2 if "2D" in kind.__name__ else 1
    size = d.sizes(rank, 4, 6)
    made = kind(input_shape=(channels, *size), hidden_channels=d.between(1, 3), i2h_kernel=3, h2h_kernel=d.one_of(1, 3), i2h_pad=d.one_of(0, 1))
    outputs, _ = made.unroll(steps, S.Variable("data0"), layout="NTC", merge_outputs=True, begin_state=made.begin_state(batch, func=S.zeros))
    return completed(d, outputs, ["data0"], [d.floats((batch, steps, channels, *size))])


def gluon_layer(d):
    rnn, settings = mx.gluon.rnn, dict(num_layers=d.between(1, 2), bidirectional=d.maybe(), layout=d.one_of("TNC", "NTC"))
    units, shape = d.between(1, 4), d.shape(3, 1, 4)
    made = d.one_of(lambda: rnn.LSTM(units, **settings), lambda: rnn.GRU(units, **settings),
                    lambda: rnn.LSTM(units, projection_size=d.between(1, 3), **settings),
                    lambda: rnn.RNN(units, activation=d.one_of("relu", "tanh"), **settings))()
    outputs = made(S.Variable("data0"))
    return completed(d, outputs, ["data0"], [d.floats(shape)])


def gluon_loop(d):
    """A cell in foreach, whose step is a subgraph."""
    made, (steps, batch, size) = d.one_of(mx.gluon.rnn.LSTMCell, mx.gluon.rnn.GRUCell, mx.gluon.rnn.RNNCell)(d.between(1, 3)), d.shape(3, 1, 4)
    states = [S.Variable(f"data{i + 1}") for i in range(len(made.state_info()))]
    outputs, last = S.contrib.foreach(made, S.Variable("data0"), states)
    hidden = d.floats((batch, made._hidden_size))
    given = [d.floats((steps, batch, size)), *(hidden + i for i in range(len(states)))]
    return completed(d, S.Group([outputs, *last]), [f"data{i}" for i in range(len(given))], given)


OPERATORS = (layer, with_lengths, clipped, unrolled, gluon_cell, convolutional_cell, gluon_layer, gluon_loop)
