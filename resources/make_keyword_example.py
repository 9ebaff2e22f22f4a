#!/usr/bin/env python3
"""usage: make_keyword_example.py FOLDER: writes the example model keyword_lstmp (mxnet 1.9.1, onnx).

Its first LSTM is projected and has its cell state clipped. MXNet computes a clipped cell on a GPU only, so what belongs to
the input is computed here, in float64, from the operator's formulas.
"""
import os, sys

import mxnet as mx
import numpy as np
from mxnet.gluon import nn, rnn
from onnx import numpy_helper

STEPS, FEATURES, CLIP = 14, 20, 0.25


def make_net():
    net = nn.HybridSequential(prefix="keyword_")
    with net.name_scope():
        net.add(rnn.LSTM(32, projection_size=16, prefix="lstmp_"))
        net.add(rnn.LSTM(12, bidirectional=True, prefix="lstm_"))
        net.add(nn.Dense(10, flatten=False, prefix="words_"))
    net.initialize(mx.init.Normal(0.35))
    net.hybridize()
    return net


def clip_first_lstm(path):
    """gluon refuses the clip on a CPU, so it goes into the file."""
    with open(path) as f:
        before, name, after = f.read().partition('"name": "keyword_lstmp_rnn0"')
    after = after.replace('"lstm_state_clip_max": "None"', f'"lstm_state_clip_max": "{CLIP}"', 1)
    after = after.replace('"lstm_state_clip_min": "None"', f'"lstm_state_clip_min": "-{CLIP}"', 1)
    with open(path, "w") as f:
        f.write(before + name + after)


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def lstm(x, parameters, name, clip=None):
    weight_x, weight_h, bias_x, bias_h = (parameters[f"keyword_{name}_{part}"]
                                          for part in ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias"))
    projection = parameters.get(f"keyword_{name}_h2r_weight")
    h = np.zeros((x.shape[1], weight_h.shape[1]))
    c = np.zeros((x.shape[1], weight_x.shape[0] // 4))
    outputs = []
    for step in x:
        i, f, g, o = np.split(step @ weight_x.T + bias_x + h @ weight_h.T + bias_h, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        if clip is not None:
            c = np.clip(c, -clip, clip)
        h = sigmoid(o) * np.tanh(c)
        if projection is not None:
            h = h @ projection.T
        outputs.append(h)
    return np.stack(outputs)


def compute(data, parameters):
    clipped = lstm(data, parameters, "lstmp_l0", CLIP)
    forward = lstm(clipped, parameters, "lstm_l0")
    backward = lstm(clipped[::-1], parameters, "lstm_r0")[::-1]
    both = np.concatenate([forward, backward], axis=2)
    words = both @ parameters["keyword_words_weight"].T + parameters["keyword_words_bias"]
    return {"keyword_lstmp_rnn0_output": clipped, "keyword_lstm_rnn0_output": both, "keyword_words_fwd_output": words}


def save(path, name, array):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(numpy_helper.from_array(array.astype("float32"), name).SerializeToString())


def main(folder):
    np.random.seed(7)
    mx.random.seed(7)
    net = make_net()
    data = np.random.randn(STEPS, 1, FEATURES)
    net(mx.nd.array(data))
    net.export(os.path.join(folder, "model"), epoch=0)
    clip_first_lstm(os.path.join(folder, "model-symbol.json"))
    parameters = {name: p.data().asnumpy().astype("float64") for name, p in net.collect_params().items()}
    *inner, (last, result) = compute(data.astype("float32").astype("float64"), parameters).items()
    recorded = os.path.join(folder, "test_data_set_0")
    save(os.path.join(recorded, "input_0.pb"), "data", data)
    save(os.path.join(recorded, "output_0.pb"), last, result)
    for k, (name, value) in enumerate(inner):
        save(os.path.join(recorded, "inner", f"{k}.pb"), name, value)


if __name__ == "__main__":
    main(sys.argv[1])
