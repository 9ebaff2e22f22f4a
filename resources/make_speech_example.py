#!/usr/bin/env python3
"""Make resources/examples/speech_commands: a frozen graph of TensorFlow 1 that recognises spoken words.

    python3 resources/make_speech_example.py

An LSTM reads the 20 features of each frame with tf.nn.dynamic_rnn, which makes it a while loop of Enter, Switch and Merge nodes; its
last state is classified. The weights are random. The lengths of the samples differ. Needs Python 3.9 to 3.11 and
`pip install tensorflow-cpu==2.15.1 onnx "numpy<2"`: TensorFlow 2 still has the functions of version 1 that wrote such models."""
import os

import numpy as np
import onnx
import tensorflow as tf
from onnx import numpy_helper

tf1 = tf.compat.v1
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", "speech_commands")
FEATURES, UNITS, WORDS = 20, 32, 12


def build():
    features = tf1.placeholder(tf.float32, [None, None, FEATURES], "features")
    lengths = tf1.placeholder(tf.int32, [None], "lengths")
    cell = tf1.nn.rnn_cell.LSTMCell(UNITS, forget_bias=1.0)
    _, state = tf1.nn.dynamic_rnn(cell, features, lengths, dtype=tf.float32)
    kernel = tf1.get_variable("output/kernel", [UNITS, WORDS])
    bias = tf1.get_variable("output/bias", [WORDS], initializer=tf1.random_uniform_initializer(-1, 1))
    tf.nn.softmax(tf.matmul(state.h, kernel) + bias, name="labels_softmax")


def store(name, array, path):
    with open(path, "wb") as file:
        file.write(numpy_helper.from_array(array, name).SerializeToString())


def main():
    tf1.disable_v2_behavior()
    tf1.disable_resource_variables()
    tf1.set_random_seed(7)
    tf1.get_variable_scope().set_initializer(tf1.random_uniform_initializer(-0.4, 0.4))
    build()
    generator = np.random.default_rng(7)
    feeds = {"features:0": generator.standard_normal((4, 25, FEATURES), dtype=np.float32),
             "lengths:0": np.array([25, 7, 18, 1], np.int32)}
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        frozen = tf1.graph_util.convert_variables_to_constants(session, session.graph_def, ["labels_softmax"])
        result = session.run("labels_softmax:0", feeds)
    data = os.path.join(FOLDER, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    with open(os.path.join(FOLDER, "frozen.pb"), "wb") as file:
        file.write(frozen.SerializeToString(deterministic=True))
    for index, (name, array) in enumerate(feeds.items()):
        store(name, array, os.path.join(data, f"input_{index}.pb"))
    store("labels_softmax:0", result, os.path.join(data, "output_0.pb"))


if __name__ == "__main__":
    main()
