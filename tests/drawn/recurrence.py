"""The RNN operator in NumPy, for features that MXNet supports only on GPUs: sequence lengths and a clipped cell state."""
import numpy as np

GATES = dict(rnn_relu=1, rnn_tanh=1, gru=3, lstm=4)


def size_of_weights(mode, inputs, units, layers, directions, projection=None):
    out = projection or units
    each = [GATES[mode] * units * (size + out + 2) + (projection or 0) * units for size in (inputs, *[directions * out] * (layers - 1))]
    return directions * sum(each)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(mode, x, h, c, w, r, b, bh, clip):
    a, s = x @ w.T + b, h @ r.T + bh
    if mode == "lstm":
        i, f, g, o = np.split(a + s, 4, -1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        c = np.clip(c, *clip) if clip else c
        return sigmoid(o) * np.tanh(c), c
    if mode == "gru":
        (ar, az, an), (sr, sz, sn) = np.split(a, 3, -1), np.split(s, 3, -1)
        z = sigmoid(az + sz)
        return (1 - z) * np.tanh(an + sigmoid(ar + sr) * sn) + z * h, c
    return (np.maximum(a + s, 0) if mode == "rnn_relu" else np.tanh(a + s)), c


def run(mode, x, parameters, state, cell=None, *, units, layers, directions, projection=None, lengths=None, clip=None):
    """The outputs, the last states and the last cell states."""
    steps, batch, size = x.shape
    lengths = np.full(batch, steps) if lengths is None else lengths.astype(int)
    out, place, weights = projection or units, 0, []

    def take(*shape):
        nonlocal place
        place += int(np.prod(shape))
        return parameters[place - int(np.prod(shape)):place].reshape(shape)

    gates = GATES[mode] * units
    for layer in range(layers):
        for _ in range(directions):
            weights.append([take(gates, directions * out if layer else size), take(gates, out), take(projection, units) if projection else None])
    biases = [[take(gates), take(gates)] for _ in weights]
    states, cells = [], []
    for layer in range(layers):
        given, y = x, np.zeros((steps, batch, directions * out), x.dtype)
        for direction in range(directions):
            row = layer * directions + direction
            last_h, last_c = np.zeros((batch, out), x.dtype), np.zeros((batch, units), x.dtype)
            for n in range(batch):
                h, c = state[row, n], None if cell is None else cell[row, n]
                for t in range(lengths[n]) if direction == 0 else reversed(range(lengths[n])):
                    w, r, p = weights[row]
                    h, c = step(mode, given[t, n], h, c, w, r, *biases[row], clip)
                    h = h if p is None else p @ h
                    y[t, n, direction * out:(direction + 1) * out] = h
                last_h[n], last_c[n] = h, 0 if c is None else c
            states.append(last_h)
            cells.append(last_c)
        x = y
    return [x, np.stack(states)] + ([np.stack(cells)] if mode == "lstm" else [])
