#!/usr/bin/env python3
"""Draw random graphs of TensorFlow and record them as cases for judge.py.

  tensorflow_models.py OUT --seed N --count 300 [--only SEED]

Three kinds: graphs of TensorFlow 1 with recurrent layers of its cells, loops and branches (with Switch and Merge or with functions), saved
frozen, as SavedModel or as MetaGraph with a checkpoint; functions of TensorFlow 2 with loops and branches that AutoGraph writes; and models
of Keras (keras_models.py), both saved as SavedModel, also with several signatures, or frozen. Batch, time, height and width may be open; such
cases have a second data set of other sizes. The same seed and environment give the same cases; environment as for tensorflow_calls.py."""
import argparse
import contextlib
import json
import os
import random
import shutil
import sys
import warnings

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import tensorflow as tf
from onnx import helper, numpy_helper, TensorProto
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import tensorflow_steps as steps

v1 = tf.compat.v1
tf.get_logger().setLevel("ERROR")
tf.autograph.set_verbosity(0)


def random_array(numbers, kind, shape, dtype):
    if kind == "ids":
        return numbers.integers(-2, 9, shape).astype(dtype)
    if kind == "lengths":
        return numbers.integers(0, shape[1] + 1, shape[:1]).astype(dtype)
    if kind == "texts":
        words = ["ab", "cde 12", "", "x-1.5", "f,g,h", "42", "-7", "a b c"]
        return np.array([words[k] for k in numbers.integers(0, len(words), shape)], object)
    return numbers.standard_normal(shape).astype(dtype)


class Inputs:
    """The inputs of a model: kinds, sizes of which some are open, and arrays for each data set."""

    def __init__(self, rng, dtype):
        names = ["B", "T", "H", "W"]
        self.sizes = [{"B": rng.choice([2, 3]), "T": rng.choice([4, 5]), "H": 6, "W": rng.choice([5, 8])},
                      {"B": rng.choice([1, 4]), "T": rng.choice([3, 7]), "H": 9, "W": 7}]
        isOpen = {"B": rng.random() < 0.6, "T": rng.random() < 0.6, "H": rng.random() < 0.4}
        isOpen["W"] = isOpen["H"]
        self.open = {name for name in names if isOpen[name]}
        self.specs = []
        for kind in ["sequence", *rng.sample(["sequence", "vector", "image", "ids", "lengths", "texts"], rng.choice([1, 2, 3]))]:
            shape = {"sequence": ("B", "T", rng.choice([3, 4])), "vector": ("B", 4), "image": ("B", "H", "W", rng.choice([2, 3, 4])), "ids": ("B", "T"),
                     "lengths": ("B",), "texts": ("B",)}[kind]
            type_ = {"ids": rng.choice([np.int32, np.int64]), "lengths": rng.choice([np.int32, np.int64]), "texts": object}.get(kind, dtype)
            self.specs.append((f"in{len(self.specs)}", kind, shape, np.dtype(type_)))

    def static_shape(self, shape):
        return [None if d in self.open else self.sizes[0].get(d, d) for d in shape]

    def arrays(self, numbers, which):
        sizes = self.sizes[which]
        if which:
            sizes = {name: size if name in self.open else self.sizes[0][name] for name, size in sizes.items()}
        return [random_array(numbers, kind, [sizes.get(d, d) for d in (shape if kind != "lengths" else ("B", "T"))], dtype)
                for _, kind, shape, dtype in self.specs]

    def tensor_type(self, dtype):
        return tf.string if dtype == object else tf.as_dtype(dtype)


def tensor(array, name):
    array = np.asarray(array)
    if array.dtype.kind in "SUO":
        texts = [text if isinstance(text, bytes) else str(text).encode() for text in array.ravel()]
        return helper.make_tensor(name, TensorProto.STRING, array.shape, texts)
    return numpy_helper.from_array(array, name)


def write_case(folder, kind, inputs, outputs, data_sets, tolerance, arguments, notes=""):
    """`inputs` and `outputs` by name with their shapes in the model, `data_sets` with the arrays of each."""
    for k, (given, results) in enumerate(data_sets):
        data = os.path.join(folder, f"test_data_set_{k}")
        os.makedirs(data)
        for prefix, names, arrays in (("input", [name for name, _ in inputs], given), ("output", outputs, results)):
            for i, (name, array) in enumerate(zip(names, arrays)):
                with open(os.path.join(data, f"{prefix}_{i}.pb"), "wb") as file:
                    file.write(tensor(array, name).SerializeToString())
    given, results = data_sets[0]
    type_name = lambda array: "string" if array.dtype.kind in "SUO" else array.dtype.name
    case = {"name": os.path.basename(folder), "framework": f"tensorflow {tf.__version__}", "category": kind,
            "inputs": [{"name": name, "dtype": type_name(x), "shape": [-1 if d is None else d for d in shape]} for (name, shape), x in zip(inputs, given)],
            "outputs": [{"name": name, "dtype": type_name(np.asarray(x)), "shape": list(np.shape(x))} for name, x in zip(outputs, results)],
            "rtol": tolerance, "atol": tolerance, "args": arguments, "notes": notes}
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)


def is_plain(arrays):
    """Whether all numbers are finite and of a size at which tolerances mean something."""
    numbers = [np.asarray(x).astype(np.float64) for x in arrays if np.asarray(x).dtype.kind in "fc"]
    return all(np.all(np.isfinite(x)) and np.abs(x).max(initial=0) < 1e3 for x in numbers)


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def run_data_sets(run, feeds):
    """The results for each data set; other sizes than those of the first may not suit the graph."""
    results = [(feeds[0], run(feeds[0]))]
    for feed in feeds[1:]:
        with contextlib.suppress(tf.errors.OpError, ValueError):
            results.append((feed, run(feed)))
    return [(given, found) for given, found in results if is_plain(found)] if is_plain(results[0][1]) else []


def reaches(source, outputs):
    seen, todo = set(), [source.op]
    while todo:
        node = todo.pop()
        if node.name not in seen:
            seen.add(node.name)
            todo += [reader for x in node.outputs for reader in x.consumers()] + node._control_outputs
    return any(x.op.name in seen for x in outputs)


def record_graph(out, seed, rng, dtype):
    """A graph of TensorFlow 1."""
    numbers = np.random.default_rng(seed)
    inputs = Inputs(rng, dtype)
    functions = rng.random() < 0.4
    (v1.enable_control_flow_v2 if functions else v1.disable_control_flow_v2)()
    form = rng.choice(["frozen", "frozen", "saved", "meta"])
    with tf.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        v1.set_random_seed(seed)
        v1.get_variable_scope().set_use_resource(functions or rng.random() < 0.4)
        fed = [v1.placeholder(inputs.tensor_type(t), inputs.static_shape(shape), name=name) for name, _, shape, t in inputs.specs]
        m = steps.Model(rng, numbers, isGraph=True, isOpen=bool(inputs.open))
        m.fill(inputs, fed)
        results = steps.drawn(m)
        outputs = [tf.identity(x, name=f"out{k}") for k, x in enumerate(results)]
        form = rng.choice(["saved", "meta"]) if m.isWriting and form == "frozen" else form  # nothing writes a constant
        saver = v1.train.Saver() if form == "meta" and v1.global_variables() else None
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        drawn = {x: numbers.normal(0, 0.5, x.shape).astype(x.dtype.base_dtype.as_numpy_dtype) for x in v1.global_variables() if x.dtype.is_floating}
        names = [x.name for x in outputs]

        def restore():  # what a run writes
            for variable, value in drawn.items():
                variable.load(value, session)

        def run(feed):
            restore()
            return session.run(names, dict(zip(fed, feed)))

        data_sets = run_data_sets(run, [inputs.arrays(numbers, k) for k in range(2 if inputs.open else 1)])
        if not data_sets:
            return None
        restore()
        folder = emptied(os.path.join(out, f"g{seed}_{form if form != 'meta' or saver else 'frozen'}_cf{'2' if functions else '1'}"))
        arguments = []
        if form == "saved":
            v1.saved_model.simple_save(session, os.path.join(folder, "saved_model"), {x.op.name: x for x in fed}, {x.op.name: x for x in outputs})
        elif saver:
            saver.save(session, os.path.join(folder, "ckpt"), write_meta_graph=False)
            saver.export_meta_graph(os.path.join(folder, "graph.meta"))
            os.remove(os.path.join(folder, "checkpoint"))
            arguments = ["--outputs", ",".join(x.op.name for x in outputs)]
        else:
            frozen = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), [x.op.name for x in outputs])
            with open(os.path.join(folder, "frozen.pb"), "wb") as file:
                file.write(frozen.SerializeToString(deterministic=True))
    if form != "saved":  # a signature has its unused inputs too
        used = [k for k, x in enumerate(fed) if reaches(x, outputs)]
        fed = [fed[k] for k in used]
        data_sets = [([feed[k] for k in used], found) for feed, found in data_sets]
    write_case(folder, "graph", [(x.name, x.shape.as_list()) for x in fed], names, data_sets, TOLERANCES[dtype], arguments, "; ".join(m.notes))
    return folder


def freeze(function, folder):
    """Writes the function as a frozen graph, and returns the names of its inputs and outputs."""
    frozen = convert_variables_to_constants_v2(function)
    with open(os.path.join(folder, "frozen.pb"), "wb") as file:
        file.write(frozen.graph.as_graph_def().SerializeToString(deterministic=True))
    return [(x.name, x.shape.as_list()) for x in frozen.inputs], [x.name for x in frozen.outputs]


def record_function(out, seed, rng, dtype):
    """A function of TensorFlow 2."""
    numbers = np.random.default_rng(seed)
    inputs = Inputs(rng, dtype)
    module = tf.Module()
    variables, tables, models = [], [], []

    @tf.function(autograph=False)
    def model(*fed):  # traced twice if it creates variables
        m = steps.Model(random.Random(seed), np.random.default_rng(seed), isGraph=False, isOpen=bool(inputs.open))
        m.variables, m.tables = variables, tables
        m.fill(inputs, fed)
        models.append(m)
        return {f"out{k}": tf.identity(x) for k, x in enumerate(steps.drawn(m))}

    concrete = model.get_concrete_function(*(tf.TensorSpec(inputs.static_shape(shape), inputs.tensor_type(t), name=name) for name, _, shape, t in inputs.specs))
    module.weights, module.tables = variables, tables
    keys = sorted(concrete.structured_outputs, key=lambda key: int(key[3:]))
    initial = [x.numpy() for x in variables]

    def restore():  # what a run writes
        for variable, value in zip(variables, initial):
            variable.assign(value)

    def run(feed):
        restore()
        found = concrete(*map(tf.constant, feed))
        return [found[key].numpy() for key in keys]

    data_sets = run_data_sets(run, [inputs.arrays(numbers, k) for k in range(2 if inputs.open else 1)])
    if not data_sets:
        return None
    restore()
    form = "saved" if rng.random() < 0.5 or tables or models[-1].isWriting else "frozen"
    folder = emptied(os.path.join(out, f"f{seed}_{form}"))
    if form == "frozen":
        named, names = freeze(concrete, folder)
        # Outputs of a frozen function are those of its graph, which sorts them by their keys.
        order = sorted(range(len(keys)), key=lambda k: keys[k])
        data_sets = [(feed, [found[k] for k in order]) for feed, found in data_sets]
    else:
        model.other = tf.function(lambda in0: {"same": in0 * 2}, input_signature=[tf.TensorSpec([None, 3], name="in0")])
        tf.saved_model.save(module, os.path.join(folder, "saved_model"), {"serving_default": concrete, "another": model.other})
        named, names = [(name, inputs.static_shape(shape)) for name, _, shape, _ in inputs.specs], keys
        order = sorted(range(len(keys)), key=lambda k: keys[k])
        names = [keys[k] for k in order]
        data_sets = [(feed, [found[k] for k in order]) for feed, found in data_sets]
    write_case(folder, "function", named, names, data_sets, TOLERANCES[dtype], [])
    return folder


def other_sizes(arrays, shapes):
    """Arrays with one more sample, and one step less where the model leaves the second axis open."""
    longer = [np.concatenate([x, x[:1]]) for x in arrays]
    return [x[:, :-1] if len(shape) > 1 and shape[1] is None and x.shape[1] > 2 else x for x, shape in zip(longer, shapes)]


def record_keras(out, seed, rng):
    """A model of Keras."""
    import keras_calls
    import keras_models
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(seed)
    policy = rng.choice(["float32"] * 7 + ["float64"])
    tf.keras.mixed_precision.set_global_policy(policy)
    try:
        drawn, outputs = keras_models.drawn(rng, policy)
        model = tf.keras.Model(drawn.inputs, outputs)
    finally:
        tf.keras.mixed_precision.set_global_policy("float32")
    keras_calls.randomize(model, seed)
    specs = [tf.TensorSpec(x.shape, x.dtype, name=x.name) for x in drawn.inputs]
    function = tf.function(lambda *fed: {f"out{k}": x for k, x in enumerate(keras_calls.flat(model(list(fed), training=False)))}, input_signature=specs)
    concrete = function.get_concrete_function()
    keys = sorted(concrete.structured_outputs)
    shapes = [x.shape.as_list() for x in drawn.inputs]
    run = lambda feed: [(lambda found: [found[key].numpy() for key in keys])(concrete(*map(tf.constant, feed)))][0]
    arrays = [np.asarray(x) for x in drawn.arrays]
    data_sets = run_data_sets(run, [arrays, other_sizes(arrays, shapes)])
    if not data_sets:
        return None
    form = rng.choice(["frozen", "saved", "signature"])
    folder = emptied(os.path.join(out, f"k{seed}_{form}"))
    arguments = []
    if form == "frozen":
        named, keys = freeze(concrete, folder)
    else:
        signatures = {"serving_default": concrete} if form == "saved" else {"serving_default": tf.function(
            lambda *fed: {"sum": tf.add_n([tf.reduce_sum(tf.cast(x, tf.float32)) for x in fed])}, input_signature=specs), "scores": concrete}
        tf.saved_model.save(model, os.path.join(folder, "saved_model"), signatures)
        named = [(x.name, shape) for x, shape in zip(drawn.inputs, shapes)]
        arguments = ["--signature", "scores"] if form == "signature" else []
    write_case(folder, "keras", named, keys, data_sets, 1e-4, arguments)
    return folder


TOLERANCES = {np.float32: 1e-4, np.float64: 1e-5, np.float16: 2e-2}


def record(out, seed):
    rng = random.Random(seed)
    kind = rng.choice(["graph", "graph", "graph", "function", "keras"])
    dtype = rng.choice([np.float32] * 7 + [np.float64, np.float16])
    if kind == "keras":
        return record_keras(out, seed, rng)
    return (record_graph if kind == "graph" else record_function)(out, seed, rng, dtype)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", type=int, help="the case of this seed")
    a = parser.parse_args()
    for seed in [a.only] if a.only is not None else range(a.seed, a.seed + a.count):
        try:
            if record(a.out, seed) is None:
                print(f"{seed}: numbers that are not finite or too large", flush=True)
        except Exception as error:  # shown with the seed that it belongs to
            print(f"{seed}: {type(error).__name__}: {str(error)[:300]}", flush=True)


if __name__ == "__main__":
    main()
