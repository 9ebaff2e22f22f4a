"""The variables of a drawn symbol: data0, data1..."""
import mxnet as mx


def data(count):
    return [mx.sym.Variable(f"data{i}") for i in range(count)]


def numpy_data(count):
    return [mx.sym.var(f"data{i}").as_np_ndarray() for i in range(count)]
