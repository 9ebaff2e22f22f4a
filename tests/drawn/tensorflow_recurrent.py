"""Random recurrent layers of TensorFlow 1, for tensorflow_models.py."""
import tensorflow as tf
from tensorflow.python.ops import rnn as layers
from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as cells

v1 = tf.compat.v1


class UpdateGateCell(cells.RNNCell):
    """A cell that ONNX does not have: one gate, and a step of its own."""

    def __init__(self, units, dtype):
        super().__init__(dtype=dtype)
        self.units = units

    state_size = property(lambda self: self.units)
    output_size = property(lambda self: self.units)

    def __call__(self, x, state, scope=None):
        with v1.variable_scope(scope or "update_gate"):
            w = v1.get_variable("kernel", [x.shape[-1] + self.units, 2 * self.units], x.dtype)
        g, c = tf.split(tf.concat([x, state], 1) @ w, 2, 1)
        h = tf.sigmoid(g) * state + (1.0 - tf.sigmoid(g)) * tf.tanh(c)
        return h, h


def plain_cell(m, units, dtype):
    rng = m.rng
    activation = rng.choice([None, None, None, tf.nn.relu, tf.nn.softsign, tf.nn.elu, tf.sigmoid])
    kind = rng.choice(["BasicLSTMCell", "LSTMCell", "LSTMCell", "GRUCell", "GRUCell", "BasicRNNCell", "UpdateGateCell"])
    if kind == "UpdateGateCell":
        m.notes.append(kind)
        return UpdateGateCell(units, dtype)
    more = {"activation": activation}
    if kind == "BasicLSTMCell":
        more |= {"forget_bias": rng.choice([0.0, 1.0, 0.4]), "state_is_tuple": m.chance(0.8)}
    if kind == "LSTMCell":
        more |= {"use_peepholes": m.chance(0.4), "cell_clip": rng.choice([None, None, None, 0.4]), "forget_bias": rng.choice([0.0, 1.0]), "state_is_tuple": m.chance(0.8)}
        if m.chance(0.25):
            more |= {"num_proj": rng.choice([2, 3]), "proj_clip": rng.choice([None, 0.5])}
    m.notes.append(f"{kind} " + " ".join(f"{name}={getattr(value, '__name__', value)}" for name, value in more.items() if value))
    return getattr(cells, kind)(units, dtype=dtype, name=f"cell{len(m.cells)}", **more)


def cell_of(m, x, units=None):
    """A cell with random wrappers for inputs like x."""
    units = units or m.rng.choice([2, 3, 4])
    count = m.rng.choice([1, 1, 1, 2, 3])
    made = []
    for k in range(count):
        cell = plain_cell(m, units, x.dtype)
        m.cells.append(cell)
        width = x.shape[-1] if k == 0 else made[-1].output_size
        if width == cell.output_size and m.chance(0.4):
            cell = cells.ResidualWrapper(cell)
        if m.chance(0.25):
            cell = cells.DropoutWrapper(cell, input_keep_prob=1.0, output_keep_prob=m.rng.choice([1.0, tf.constant(1.0, x.dtype)]))
        if m.chance(0.15):
            cell = cells.DeviceWrapper(cell, "/cpu:0")
        made.append(cell)
    return made[0] if count == 1 and m.chance(0.8) else cells.MultiRNNCell(made, state_is_tuple=m.chance(0.8) or any(not isinstance(c.state_size, int) for c in made))


def put_states(m, state):
    chosen = tf.nest.flatten(state)
    m.put(*(chosen if m.chance(0.5) else chosen[-1:]))


def lengths_of(m, x):
    return m.lengths if m.lengths is not None and m.chance(0.7) else None


def start_of(m, cell, x, batch):
    """No initial state, zeros, or a computed one."""
    kind = m.rng.choice(["none", "none", "zero", "computed"])
    if kind == "none":
        return None
    zero = cell.zero_state(batch, x.dtype)
    return zero if kind == "zero" else tf.nest.map_structure(lambda state: state + tf.reduce_mean(x), zero)


def dynamic(m, x, scope):
    cell = m.rng.choice(m.shared) if getattr(m, "shared", None) and m.chance(0.3) else cell_of(m, x)
    time_major = m.chance(0.4)
    batch = tf.shape(x)[0]
    given = tf.transpose(x, [1, 0, 2]) if time_major else x
    outputs, state = layers.dynamic_rnn(cell, given, sequence_length=lengths_of(m, x), initial_state=start_of(m, cell, x, batch), dtype=x.dtype, time_major=time_major,
                                        swap_memory=m.chance(0.2), parallel_iterations=m.rng.choice([None, 1]), scope=scope)
    outputs = tf.transpose(outputs, [1, 0, 2]) if time_major else outputs
    m.shared = [*getattr(m, "shared", []), cell]
    return outputs, state


def both_ways(m, x, scope):
    units = m.rng.choice([2, 3])
    state = m.rng.getstate()
    forward = cell_of(m, x, units)
    if m.chance(0.6):  # a backward cell like the forward one
        after = m.rng.getstate()
        m.rng.setstate(state)
        backward = cell_of(m, x, units)
        m.rng.setstate(after)
    else:
        backward = cell_of(m, x, units)
    time_major = m.chance(0.3)
    given = tf.transpose(x, [1, 0, 2]) if time_major else x
    outputs, state = layers.bidirectional_dynamic_rnn(forward, backward, given, sequence_length=lengths_of(m, x), dtype=x.dtype, time_major=time_major, scope=scope,
                                                      initial_state_fw=start_of(m, forward, x, tf.shape(x)[0]), initial_state_bw=start_of(m, backward, x, tf.shape(x)[0]))
    merged = m.rng.choice([lambda: tf.concat(outputs, -1), lambda: tf.concat(outputs[::-1], -1), lambda: outputs[0] + outputs[1], lambda: outputs[0], lambda: outputs[1]])()
    return tf.transpose(merged, [1, 0, 2]) if time_major else merged, state


def static(m, x, scope):
    if x.shape[1] is None:
        raise ValueError("open time")
    cell = cell_of(m, x)
    parts = tf.unstack(x, axis=1)
    if m.chance(0.3):
        backward = cell_of(m, x)
        outputs, *state = layers.static_bidirectional_rnn(cell, backward, parts, dtype=x.dtype, sequence_length=lengths_of(m, x), scope=scope)
    else:
        outputs, state = layers.static_rnn(cell, parts, dtype=x.dtype, sequence_length=lengths_of(m, x), initial_state=start_of(m, cell, x, tf.shape(x)[0]), scope=scope)
    return tf.stack(outputs, 1), state


def raw(m, x, scope):
    cell = cell_of(m, x, x.shape[-1] if m.chance(0.5) else None)
    batch, time = tf.shape(x)[0], tf.shape(x)[1]
    source = tf.TensorArray(x.dtype, time).unstack(tf.transpose(x, [1, 0, 2]))
    feeds = cell.output_size == x.shape[-1] and m.chance(0.6)
    lengths = tf.cast(m.lengths, tf.int32) if lengths_of(m, x) is not None else tf.fill([batch], time)

    def loop(step, output, state, _):
        finished = step >= lengths
        state = cell.zero_state(batch, x.dtype) if output is None else state
        none = lambda: tf.zeros([batch, x.shape[-1]], x.dtype)
        next_input = tf.cond(tf.reduce_all(finished), none, lambda: source.read(tf.minimum(step, time - 1)) if not feeds or output is None else output)
        next_input.set_shape([x.shape[0], x.shape[-1]])
        return finished, next_input, state, output, None

    outputs, state, _ = layers.raw_rnn(cell, loop, scope=scope)
    return tf.transpose(outputs.stack(), [1, 0, 2]), state


def block(m, x, scope):
    """The fused operators of TensorFlow's contrib."""
    n, units = x.shape[-1], 3
    time = tf.shape(x)[1]
    inputs = tf.transpose(x, [1, 0, 2])
    zero = tf.zeros([tf.shape(x)[0], units], x.dtype)
    peephole = m.chance(0.4)
    more = {"use_peephole": peephole, "wci": m.weight(units), "wcf": m.weight(units), "wco": m.weight(units)}
    if m.chance(0.6):
        result = tf.raw_ops.BlockLSTM(seq_len_max=tf.cast(time, tf.int64), x=inputs, cs_prev=zero, h_prev=zero, w=m.weight(n + units, 4 * units), b=m.weight(4 * units),
                                      forget_bias=m.rng.choice([1.0, 0.0]), cell_clip=m.rng.choice([-1.0, 3.0, 0.4]), **more)
    else:
        result = tf.raw_ops.BlockLSTMV2(seq_len_max=tf.cast(time, tf.int64), x=inputs, cs_prev=zero, h_prev=zero, w=m.weight(n + units, 4 * units), b=m.weight(4 * units),
                                        cell_clip=m.rng.choice([0.0, 0.4]), **more)
    return tf.transpose(result.h, [1, 0, 2]), [result.cs[-1]] if m.chance(0.5) else [result.h[-1]]


def layer(m):
    if not m.isGraph:
        raise ValueError("graphs only")
    x = m.pick("sequences")
    if x.shape[-1] is None:
        raise ValueError("open features")
    m.layers += 1
    make = m.rng.choice([dynamic, dynamic, dynamic, both_ways, both_ways, static, raw, block])
    m.notes.append(make.__name__)
    with v1.variable_scope(f"layer{m.layers}", initializer=v1.random_normal_initializer(0, 0.5)):
        outputs, state = make(m, x, "rnn")
    kept = m.rng.choice(["outputs", "outputs", "states", "both", "last"])
    if kept == "last":
        m.put(outputs[:, -1])
    if kept in ("outputs", "both"):
        m.put(outputs)
    if kept in ("states", "both"):
        put_states(m, state)
