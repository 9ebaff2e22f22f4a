#!/usr/bin/env python3
"""Record single layers and operations of Keras as cases for judge.py.

  keras_calls.py OUT [--only REGEX]

Each line of a table is an expression over the symbolic inputs of INPUTS: of KERAS3 over keras.layers (L) and keras.ops (O), of
KERAS2 over tf.keras.layers (L), TensorFlow (tf) and op, a layer of an operator. A line whose name ends with "!" needs inputs of fixed size. The model is
saved, as JSON if it has no weights and as HDF5 if its name ends with "_h5", with random weights, its inputs and what Keras returns. The environment decides which
table is recorded: `pip install keras==3.15.1 jax onnx`, or `pip install tensorflow-cpu==2.15.1 onnx==1.17.0`. The recorded
cases of ../shared lack most of these layers and operations."""
import argparse
import itertools
import json
import os
import re
import shutil
import zlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ.setdefault("KERAS_BACKEND", "jax")
import numpy as np
from onnx import TensorProto, helper, numpy_helper

try:
    import tensorflow as tf
    from keras.src.engine import base_layer
    from keras.src.engine.keras_tensor import KerasTensor
    keras = tf.keras
except ImportError:
    import keras
    tf = None


def with_special(x):
    x.flat[[1, 5, 9]] = [np.inf, -np.inf, np.nan]
    return x


def with_nan(x):
    x.flat[[1, 5, 9, 14]] = np.nan
    return x


def positive_definite(random):
    x = random.standard_normal((2, 3, 3))
    return x @ x.transpose(0, 2, 1) + np.eye(3)


def nonzero(random):
    return random.integers(1, 6, (2, 3, 4)) * random.choice([-1, 1], (2, 3, 4))


numbers = itertools.count()
FLOATS = {
    "x": lambda r: r.standard_normal((2, 3, 4)), "y": lambda r: r.standard_normal((2, 3, 4)), "p": lambda r: r.uniform(0.1, 2, (2, 3, 4)),
    "q": lambda r: r.uniform(-0.95, 0.95, (2, 3, 4)), "n": lambda r: with_special(r.standard_normal((2, 3, 4))),
    "w": lambda r: with_nan(r.standard_normal((2, 3, 4))), "d": lambda r: r.standard_normal((2, 4)), "g": lambda r: r.standard_normal((2, 4)),
    "c": lambda r: r.standard_normal((2, 3)), "t": lambda r: r.standard_normal((2, 3)), "z": lambda r: r.standard_normal((4, 5)),
    "a": lambda r: r.standard_normal((2, 3, 3)) + 2 * np.eye(3), "s": positive_definite, "u": lambda r: r.standard_normal((2, 3, 2)),
    "l": lambda r: np.linalg.cholesky(positive_definite(r)), "h": lambda r: r.uniform(0, 1, (2, 4, 5, 3)), "one": lambda r: r.uniform(0, 1, (2, 4, 5, 1)),
    "e": lambda r: r.standard_normal((2, 8, 8, 3)), "f": lambda r: r.standard_normal((2, 3, 6, 6)), "v": lambda r: r.standard_normal((2, 5, 6, 4, 3)),
    "deep": lambda r: r.standard_normal((2, 4, 6, 8)), "cols": lambda r: r.standard_normal((2, 12, 9)), "wave": lambda r: r.standard_normal((2, 32)),
    "even": lambda r: r.standard_normal((2, 4, 6)), "odd": lambda r: r.standard_normal((2, 4, 6)), "half": lambda r: r.standard_normal((2, 5)),
    "half2": lambda r: r.standard_normal((2, 5)), "prob": lambda r: r.dirichlet(np.ones(3), 2), "onehot": lambda r: np.eye(3)[[0, 2]],
    "yes": lambda r: np.array([[0, 1, 1], [1, 0, 1]]), "line": lambda r: r.standard_normal(5), "short": lambda r: r.standard_normal(3),
    "affine": lambda r: np.concatenate([np.eye(3).reshape(9)[:8] + r.normal(0, 0.4, (2, 8)) * [1, 1, 9, 1, 1, 9, 0, 0]], 0),
    "corners": lambda r: np.array([[0, 0], [7, 0], [0, 7], [7, 7]]) + r.uniform(-2, 2, (2, 4, 2)),
    "corners2": lambda r: np.array([[0, 0], [7, 0], [0, 7], [7, 7]]) + r.uniform(-2, 2, (2, 4, 2)),
    "points": lambda r: r.uniform(-9, 12, (3, 4, 5)), "volume": lambda r: r.standard_normal((3, 4, 5)),
    "rows": lambda r: r.standard_normal((5, 2)), "query": lambda r: r.standard_normal((2, 5, 8)), "keys": lambda r: r.standard_normal((2, 6, 8)),
}
INTEGERS = {
    "i": lambda r: r.integers(-9, 9, (2, 3, 4)), "j": nonzero, "k": lambda r: r.integers(0, 5, (2, 3, 4)), "o": lambda r: r.integers(0, 5, (2, 3)),
    "label": lambda r: np.array([0, 2]), "segment": lambda r: np.array([0, 0, 1, 2, 2]), "loose": lambda r: np.array([2, 0, 2, 1, 0]),
    "place": lambda r: r.permutation(6)[:5, None], "flat": lambda r: r.integers(0, 12, (2, 5)), "few": lambda r: r.integers(-3, 3, 4),
}
BOOLEANS = {"yes1": lambda r: r.integers(0, 2, (2, 3, 4)), "yes2": lambda r: r.integers(0, 2, (2, 3, 4))}
INPUTS = {name: (make, dtype) for group, dtype in ((FLOATS, np.float32), (INTEGERS, np.int32), (BOOLEANS, bool)) for name, make in group.items()}

KERAS3 = """
AdaptiveAveragePooling1D: L.AdaptiveAveragePooling1D(2)(x)
AdaptiveMaxPooling2D: L.AdaptiveMaxPooling2D((3, 5))(e)
AdaptiveMaxPooling3D: L.AdaptiveMaxPooling3D(2)(v)
AlphaDropout: L.AlphaDropout(0.3)(x)
AugMix: L.AugMix(value_range=(0, 1))(h)
AutoContrast: L.AutoContrast(value_range=(0, 1))(h)
AveragePooling1D: L.AveragePooling1D(2, 2, padding="same")(x)
CutMix: L.CutMix()(h)
DepthwiseConv1D: L.DepthwiseConv1D(2, strides=2, depth_multiplier=2, padding="same")(x)
GroupQueryAttention: L.GroupQueryAttention(4, 4, 2)(query, keys)
MelSpectrogram: L.MelSpectrogram(num_mel_bins=4, fft_length=16, sequence_stride=8, sampling_rate=100, min_freq=5.0)(wave)
Minimum: L.Minimum()([x, y])
MixUp: L.MixUp()(h)
Pipeline: L.Pipeline([L.Rescaling(2.0), L.RandomFlip()])(h)
RandAugment: L.RandAugment(value_range=(0, 1))(h)
RandomColorDegeneration: L.RandomColorDegeneration(0.5, value_range=(0, 1))(h)
RandomColorJitter: L.RandomColorJitter(value_range=(0, 1), brightness_factor=0.2)(h)
RandomElasticTransform: L.RandomElasticTransform()(h)
RandomErasing: L.RandomErasing()(h)
RandomGaussianBlur: L.RandomGaussianBlur()(h)
RandomGrayscale: L.RandomGrayscale()(h)
RandomHue: L.RandomHue(0.2, value_range=(0, 1))(h)
RandomInvert: L.RandomInvert(value_range=(0, 1))(h)
RandomPerspective: L.RandomPerspective()(h)
RandomPosterization: L.RandomPosterization(3, value_range=(0, 1))(h)
RandomSaturation: L.RandomSaturation(0.2, value_range=(0, 1))(h)
RandomSharpness: L.RandomSharpness(0.2, value_range=(0, 1))(h)
RandomShear: L.RandomShear(0.1, 0.1)(h)
Resizing_int!: L.Resizing(16, 4)(O.cast(e * 10.0, "int32"))
ReversibleEmbedding: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 3))
STFTSpectrogram: L.STFTSpectrogram(mode="log", frame_length=8, frame_step=4, fft_length=8)(O.expand_dims(wave, -1))
Solarization: L.Solarization(value_range=(0, 1))(h)
SpatialDropout2D: L.SpatialDropout2D(0.2)(e)
ZeroPadding1D: L.ZeroPadding1D((1, 2))(x)
ZeroPadding3D: L.ZeroPadding3D(((1, 0), (0, 1), (2, 1)))(v)
Conv1D_int: L.Conv1D(3, 2)(i)
AveragePooling1D_int: L.AveragePooling1D(2, padding="same")(k)
BatchNormalization_bool: L.BatchNormalization()(yes1)
GlobalAveragePooling1D_int: L.GlobalAveragePooling1D()(i)
LSTM_int: L.LSTM(3)(i)
Activation_int: L.Activation("gelu")(i)
ReLU_int: L.ReLU(max_value=3.0, negative_slope=0.5)(i)
ReLU_bool: L.ReLU()(yes1)
SpectralNormalization_int: L.SpectralNormalization(L.Dense(3))(i)
TimeDistributed_types: L.TimeDistributed(L.Dense(3, dtype="mixed_float16"))(x)
DTypePolicyMap: L.MultiHeadAttention(2, 3, dtype=keras.dtype_policies.DTypePolicyMap(default_policy="mixed_float16"))(x, x)
DTypePolicyMap_query: L.MultiHeadAttention(2, 3, name="mha", dtype=policies("float32", query="float16"))(x, x)
DTypePolicyMap_output: L.MultiHeadAttention(2, 3, name="mha", dtype=policies("float32", attention_output="mixed_float16"))(x, x)
DTypePolicyMap_gate: L.MultiHeadAttention(2, 3, name="mha", use_gate=True, dtype=policies("mixed_float16", gate="float32"))(x, x)
DTypePolicyMap_pattern: L.MultiHeadAttention(2, 3, name="mha", dtype=keras.dtype_policies.DTypePolicyMap("float32", {"m.*/ke.": halves()}))(x, x)
DTypePolicyMap_int8_h5: L.MultiHeadAttention(2, 3, name="mha", dtype=policies("float32", query="int8_from_float32", attention_output="int8_from_float32"))(x, x)
DTypePolicyMap_int4_h5: L.MultiHeadAttention(2, 3, name="mha", dtype=policies("float32", query="int4/2_from_float32", value="int4_from_float32"))(x, x)
DTypePolicyMap_Dense: L.Dense(3, name="d", dtype=keras.dtype_policies.DTypePolicyMap("float32", {"d": halves()}))(x)
DTypePolicyMap_Sequential: keras.Sequential([L.Dense(3, name="d", dtype=keras.dtype_policies.DTypePolicyMap("float32", {"s/d": halves()}))], name="s")(x)
nested_types: (lambda i: keras.Model(i, L.GlobalAveragePooling1D()(i * 2)))(keras.Input((None, 3)))(L.Embedding(5, 3, mask_zero=True, dtype="mixed_float16")(o))
masked_directions: (lambda e: L.Maximum()([L.GRU(3, return_sequences=True)(e), L.Bidirectional(L.GRU(3, return_sequences=True), merge_mode=None)(e)[1]]))(L.Embedding(5, 3, mask_zero=True)(o))
masked_attention_float16: (lambda e: L.MultiHeadAttention(2, 3, dtype="mixed_float16")(e, e))(L.Embedding(5, 3, mask_zero=True)(o))
masked_attention_encoder: (lambda emb: (lambda att: L.MultiHeadAttention(2, 3)(att, att))(L.LayerNormalization()(L.Add()([emb, L.MultiHeadAttention(2, 3)(emb, emb)]))))(L.Embedding(5, 4, mask_zero=True)(o))
masked_attention_decoders: (lambda emb: [L.MultiHeadAttention(2, 3)(L.Dense(4)(emb), emb), L.MultiHeadAttention(2, 3)(emb, emb), L.GroupQueryAttention(3, 2, 1)(emb, emb)])(L.Embedding(5, 4, mask_zero=True)(o))
masked_attention_dropout: (lambda emb: (lambda att: L.GroupQueryAttention(3, 2, 1)(emb, att))(L.MultiHeadAttention(2, 3)(L.Dropout(0.2)(emb), L.Activation("linear")(emb))))(L.Embedding(5, 4, mask_zero=True)(o))
masked_attention_nested: (lambda inner: keras.Model(inner, L.MultiHeadAttention(2, 3)(inner, inner)))(keras.Input((None, 4)))(L.Embedding(5, 4, mask_zero=True, name="shared")(o))
bfloat16_operations: O.cast(O.var(O.cast(x, "bfloat16"), axis=1) + O.cumsum(O.cast(p, "bfloat16"), axis=1)[:, 0], "float32")
Dense_lora_h5: L.Dense(3, lora_rank=2, lora_alpha=3)(d)
Embedding_lora_h5: L.Embedding(5, 3, lora_rank=2)(o)
LSTM_states: L.LSTM(3, return_sequences=True, return_state=True, go_backwards=True)(x)
LSTM_sequences: L.LSTM(3, return_sequences=True)(L.Masking()(x))
GRU_stateful!: L.GRU(3, stateful=True, return_sequences=True)(x)
GRU_before: L.GRU(3, reset_after=False, return_sequences=True)(L.Masking()(x))
GRU_backwards: L.GRU(3, go_backwards=True, return_state=True)(L.Embedding(5, 3, mask_zero=True)(o))
GRU_initial: L.GRU(4, return_sequences=True)(x, initial_state=d)
SimpleRNN_states: L.SimpleRNN(3, return_sequences=True, return_state=True)(x)
SimpleRNN_stateful!: L.SimpleRNN(3, stateful=True)(x)
SimpleRNN_backwards: L.SimpleRNN(3, go_backwards=True, return_sequences=True)(x)
LSTM_stateful!: L.LSTM(3, stateful=True, return_sequences=True)(x)
LSTM_unrolled: L.LSTM(3, unroll=True)(x)
Bidirectional_lstm: L.Bidirectional(L.LSTM(3, return_sequences=True))(L.Embedding(5, 3, mask_zero=True)(o))
Bidirectional_gru: L.Bidirectional(L.GRU(3, return_sequences=True), merge_mode="sum")(L.Masking()(x))
Bidirectional_rnn: L.Bidirectional(L.SimpleRNN(3, return_state=True), merge_mode="mul")(x)
Bidirectional_ave: L.Bidirectional(L.LSTM(3), merge_mode="ave")(x)
Bidirectional_none: L.Bidirectional(L.GRU(3, return_sequences=True), merge_mode=None)(x)
TimeDistributed_lstm: L.TimeDistributed(L.LSTM(3))(deep)
RNN_lstm: L.RNN(L.LSTMCell(3), return_sequences=True)(x)
RNN_gru: L.RNN(L.GRUCell(3), return_state=True)(L.Masking()(x))
RNN_simple: L.RNN(L.SimpleRNNCell(3), go_backwards=True)(x)
RNN_stacked: L.RNN([L.LSTMCell(3), L.GRUCell(2)], return_sequences=True, return_state=True)(x)
ConvLSTM1D: L.ConvLSTM1D(2, 3, padding="same", return_sequences=True)(deep)
ConvLSTM2D: L.ConvLSTM2D(2, 2, return_state=True)(v)
ops.Abs: O.abs(x)
ops.Absolute: O.absolute(i)
ops.AdaptiveAveragePool: O.adaptive_average_pool(e, (3, 3))
ops.AdaptiveMaxPool: O.adaptive_max_pool(e, (3, 5))
ops.AffineTransform!: O.image.affine_transform(e, affine)
ops.AffineTransform_nearest!: O.image.affine_transform(e, affine, interpolation="nearest", fill_value=3.0)
ops.AffineTransform_edge!: O.image.affine_transform(f, affine, fill_mode="nearest", data_format="channels_first")
ops.AffineTransform_wrap!: O.image.affine_transform(e, affine, fill_mode="wrap")
ops.AffineTransform_mirror!: O.image.affine_transform(e, affine, fill_mode="mirror")
ops.AffineTransform_reflect!: O.image.affine_transform(e, affine, fill_mode="reflect", interpolation="nearest")
ops.AffineTransform_constant!: O.image.affine_transform(e[0], np.array([0.9, 0.2, -1.5, -0.1, 1.1, 2.25, 0, 0], np.float32), fill_mode="reflect")
ops.AffineTransform_float16!: O.cast(O.image.affine_transform(O.cast(e, "float16"), affine), "float32")
ops.All: O.all(yes1, axis=1)
ops.AllClose: O.allclose(x, x * 1.000001)
ops.Amax: O.amax(x, axis=(1, 2))
ops.Amin: O.amin(x, axis=-1, keepdims=True)
ops.Angle: O.angle(x)
ops.Append: O.append(x, y, axis=1)
ops.Arccos: O.arccos(q)
ops.Arccosh: O.arccosh(p + 1)
ops.Arcsin: O.arcsin(q)
ops.Arcsinh: O.arcsinh(x)
ops.Arctan: O.arctan(x)
ops.Arctan2: O.arctan2(x, y)
ops.Arctanh: O.arctanh(q)
ops.Argmin: O.argmin(x, axis=1, keepdims=True)
ops.Argpartition: O.sort(O.take_along_axis(x, O.argpartition(x, 2, axis=-1), axis=-1)[..., :2])
ops.ArraySplit: O.array_split(x, 3, axis=2)
ops.Average: O.average(x, axis=2, weights=np.array([1, 2, 3, 4], np.float32))
ops.BatchNorm: O.batch_normalization(x, np.array([0.1, -0.2, 0.3, 0.5], np.float32), np.array([1, 2, 0.5, 1.5], np.float32), axis=-1)
ops.BinaryCrossentropy: O.binary_crossentropy(yes, t, from_logits=True)
ops.BitwiseAnd: O.bitwise_and(i, j)
ops.BitwiseInvert: O.bitwise_invert(i)
ops.BitwiseLeftShift: O.bitwise_left_shift(i, k)
ops.BitwiseNot: O.bitwise_not(i)
ops.BitwiseOr: O.bitwise_or(i, j)
ops.BitwiseRightShift: O.bitwise_right_shift(i, k)
ops.BitwiseXor: O.bitwise_xor(i, j)
ops.BroadcastTo!: O.broadcast_to(O.expand_dims(c, 1), (2, 4, 3))
ops.CDist: O.cdist(x, y)
ops.CategoricalCrossentropy: O.categorical_crossentropy(onehot, t, from_logits=True)
ops.Cbrt: O.cbrt(x)
ops.Celu: O.celu(x, alpha=0.5)
ops.Cholesky: O.cholesky(s)
ops.CholeskyInverse!: O.cholesky_inverse(l[0])
ops.Clip: O.clip(i, -2, 3)
ops.Conj: O.conj(x)
ops.Conjugate: O.conjugate(x)
ops.Conv!: O.conv(h, O.reshape(e[0, :2, :3], (2, 3, 3, 1)), padding="valid")
ops.ConvertToTensor: O.convert_to_tensor(x)
ops.Copy: O.copy(x)
ops.Corrcoef!: O.corrcoef(z)
ops.Correlate!: O.correlate(line, short, mode="same")
ops.Cosh: O.cosh(x)
ops.CountNonzero: O.count_nonzero(k, axis=1)
ops.CropImages: O.image.crop_images(e, top_cropping=1, left_cropping=2, target_height=4, target_width=5)
ops.Cross: O.cross(c, t)
ops.Cumprod: O.cumprod(x, axis=1)
ops.Cumsum: O.cumsum(i, axis=-1)
ops.Deg2rad: O.deg2rad(x)
ops.DepthToSpace: O.depth_to_space(deep, 2)
ops.DepthwiseConv!: O.depthwise_conv(h, O.reshape(e[0, :2, :2], (2, 2, 3, 1)), padding="same")
ops.Det: O.det(a)
ops.Diag!: O.diag(short, k=1)
ops.Diagflat!: O.diagflat(c, k=-1)
ops.Diagonal: O.diagonal(x, 1, 1, 2)
ops.Diff: O.diff(x, n=2)
ops.Digitize: O.digitize(x, np.array([-1, 0, 1], np.float32))
ops.Divide: O.divide(i, j)
ops.DivideNoNan: O.divide_no_nan(x, O.relu(y))
ops.Dot!: O.dot(d, z)
ops.Dsplit: O.dsplit(x, 2)
ops.Dstack: O.dstack([x, y])
ops.Eigh: O.eigh(s)[0]
ops.EmptyLike: O.zeros_like(O.empty_like(x))
ops.Equal: O.equal(i, j)
ops.Erfc: O.erfc(x)
ops.Erfinv: O.erfinv(q)
ops.Exp2: O.exp2(x)
ops.ExtractPatches: O.image.extract_patches(e, (2, 3), strides=2, padding="same")
ops.ExtractSequences: O.extract_sequences(wave, 8, 5)
ops.FFT: O.fft((half, half2))
ops.FFT2: O.fft2((even, odd))
ops.Fabs: O.fabs(x)
ops.Flip: O.flip(x, axis=1)
ops.Fliplr: O.fliplr(x)
ops.Flipud!: O.flipud(x)
ops.Fmax: O.fmax(x, n)
ops.Fmin: O.fmin(x, n)
ops.Fmod: O.fmod(i, j)
ops.Fold: O.fold(cols, (6, 6), 2, stride=2)
ops.FullLike: O.full_like(x, 2.5)
ops.GaussianBlur: O.image.gaussian_blur(e, (3, 3), (1.0, 2.0))
ops.Gcd: O.gcd(i, j)
ops.Glu: O.glu(x)
ops.GreaterEqual: O.greater_equal(i, j)
ops.HSVToRGB: O.image.hsv_to_rgb(h)
ops.HardShrink: O.hard_shrink(x, threshold=0.3)
ops.HardSigmoid: O.hard_sigmoid(x)
ops.HardSilu: O.hard_silu(x)
ops.HardTanh: O.hard_tanh(x)
ops.Heaviside: O.heaviside(O.cast(i, "float32"), x)
ops.Hsplit: O.hsplit(x, 3)
ops.Hstack: O.hstack([x, y])
ops.Hypot: O.hypot(x, y)
ops.IFFT2: O.ifft2((even, odd))
ops.IRFFT: O.irfft((half, half2))
ops.ISTFT: O.istft(O.stft(wave, 8, 4, 8), 8, 4, 8)
ops.Imag: O.imag(x)
ops.InTopK: O.in_top_k(label, t, k=2)
ops.Inner!: O.inner(x, g)
ops.Inv: O.inv(a)
ops.IsIn: O.isin(i, few)
ops.Isclose: O.isclose(x, x + 1e-6)
ops.Isfinite: O.isfinite(n)
ops.Isinf: O.isinf(n)
ops.Isnan: O.isnan(n)
ops.Isneginf: O.isneginf(n)
ops.Isposinf: O.isposinf(n)
ops.Isreal: O.isreal(x)
ops.Kron!: O.kron(c, t)
ops.Lcm: O.lcm(i, j)
ops.Ldexp: O.ldexp(x, k)
ops.LeftShift: O.left_shift(k, k)
ops.Less: O.less(i, j)
ops.LessEqual: O.less_equal(i, j)
ops.Linspace: O.linspace(c, t, 4, axis=-1)
ops.Log10: O.log10(p)
ops.Log2: O.log2(p)
ops.LogSigmoid: O.log_sigmoid(x)
ops.Logaddexp: O.logaddexp(x, y)
ops.Logaddexp2: O.logaddexp2(x, y)
ops.Logdet: O.logdet(s)
ops.LogicalAnd: O.logical_and(yes1, yes2)
ops.LogicalNot: O.logical_not(yes1)
ops.LogicalXor: O.logical_xor(yes1, yes2)
ops.Logspace: O.logspace(c, t, 4)
ops.Logsumexp: O.logsumexp(x, axis=1)
ops.MapCoordinates!: O.image.map_coordinates(volume, points, 1, fill_value=2.5)
ops.MapCoordinates_edge!: O.image.map_coordinates(volume, points, 1, fill_mode="nearest")
ops.MapCoordinates_wrap!: O.image.map_coordinates(volume, points, 1, fill_mode="wrap")
ops.MapCoordinates_mirror!: O.image.map_coordinates(volume, points, 1, fill_mode="mirror")
ops.MapCoordinates_reflect!: O.image.map_coordinates(volume, points, 1, fill_mode="reflect")
ops.MapCoordinates_nearest!: O.image.map_coordinates(volume, points, 0)
ops.MapCoordinates_nearest_reflect!: O.image.map_coordinates(volume, points, 0, fill_mode="reflect")
ops.MapCoordinates_halves!: O.image.map_coordinates(volume, O.floor(points) + 0.5, 0, fill_mode="mirror")
ops.MapCoordinates_int!: O.image.map_coordinates(i, points, 0, fill_mode="wrap")
ops.MapCoordinates_line!: O.image.map_coordinates(line, O.reshape(points, (1, 60)), 1, fill_mode="mirror")
ops.Matmul: O.matmul(x, O.transpose(y, (0, 2, 1)))
ops.Max: O.max(x, axis=1)
ops.MaxPool: O.max_pool(e, 3, 2, padding="same")
ops.Maximum: O.maximum(x, n)
ops.Median: O.median(x, axis=(1, 2), keepdims=True)
ops.Meshgrid!: O.meshgrid(line, short)
ops.Min: O.min(x, axis=1)
ops.Moments: O.moments(x, axes=[1])
ops.Moveaxis: O.moveaxis(e, [1, 3], [3, 2])
ops.MultiHot: O.multi_hot(o, 5)
ops.NanToNum: O.nan_to_num(n, nan=3.0, posinf=100.0, neginf=-100.0)
ops.Nanargmax: O.nanargmax(w, axis=1)
ops.Nanargmin: O.nanargmin(w, axis=1)
ops.Nancumprod: O.nancumprod(w, axis=1)
ops.Nancumsum: O.nancumsum(w, axis=1)
ops.Nanmax: O.nanmax(w, axis=1)
ops.Nanmean: O.nanmean(w, axis=1)
ops.Nanmedian: O.nanmedian(w, axis=1)
ops.Nanmin: O.nanmin(w, axis=1)
ops.Nanpercentile: O.nanpercentile(w, 30.0, axis=1)
ops.Nanprod: O.nanprod(w, axis=1)
ops.Nanquantile: O.nanquantile(w, 0.3, axis=1)
ops.Nanstd: O.nanstd(w, axis=1)
ops.Nansum: O.nansum(w, axis=1)
ops.Nanvar: O.nanvar(w, axis=1)
ops.Norm: O.norm(x, ord=1, axis=(1, 2), keepdims=True)
ops.Normalize: O.normalize(x, axis=1, order=1)
ops.OneHot: O.one_hot(o, 5, axis=1)
ops.Outer!: O.outer(c, t)
ops.PSNR: O.psnr(x, y, 1.0)
ops.Pad: O.pad(x, ((0, 0), (1, 2), (1, 1)), mode="reflect")
ops.PadImages: O.image.pad_images(e, top_padding=1, left_padding=2, target_height=12, target_width=11)
ops.Percentile: O.percentile(x, 30.0, axis=1)
ops.PerspectiveTransform!: O.image.perspective_transform(e, corners, corners2)
ops.PerspectiveTransform_nearest!: O.image.perspective_transform(e, corners, corners2, interpolation="nearest", fill_value=2.0)
ops.PerspectiveTransform_constant!: O.image.perspective_transform(e[0], np.array([[0, 0], [7, 1], [0, 6], [7, 7]], np.float32), np.array([[1, 0], [6, 0], [0, 7], [7, 5]], np.float32))
ops.Pinv: O.pinv(x)
ops.Prod: O.prod(x, axis=1)
ops.Ptp: O.ptp(x, axis=1)
ops.Quantile: O.quantile(x, 0.3, axis=(1, 2), method="nearest")
ops.RFFT: O.rfft(wave, fft_length=20)
ops.RGBToGrayscale: O.image.rgb_to_grayscale(h)
ops.RGBToHSV: O.image.rgb_to_hsv(h)
ops.RMSNorm: O.rms_normalization(x, axis=1)
ops.Rad2deg: O.rad2deg(x)
ops.Ravel: O.ravel(x)
ops.Real: O.real(x)
ops.Repeat: O.repeat(x, 2, axis=1)
ops.Reshape: O.reshape(x, (-1, 4, 3))
ops.RightShift: O.right_shift(i, k)
ops.Roll: O.roll(x, (1, 2), axis=(1, 2))
ops.Rot90: O.rot90(x, k=3, axes=(2, 1))
ops.STFT: O.stft(wave, 8, 4, 8)
ops.SVD: O.svd(a, compute_uv=False)
ops.SaturateCast: O.saturate_cast(x * 300, "uint8")
ops.Scatter!: O.scatter(place, rows, (6, 2))
ops.ScatterUpdate!: O.scatter_update(c, [[0, 1], [1, 2]], label)
ops.SearchSorted: O.searchsorted(np.array([-1, 0, 0.5, 1], np.float32), c, side="right")
ops.SegmentMax!: O.segment_max(rows, segment, num_segments=3)
ops.SegmentMin!: O.segment_min(rows, segment, num_segments=3)
ops.SegmentProd!: O.segment_prod(rows, segment, num_segments=3)
ops.SegmentSum!: O.segment_sum(rows, segment, num_segments=3)
ops.Select: O.select([x > 1, x > 0], [x * 2, x * 3], default=-1.0)
ops.SeparableConv!: O.separable_conv(h, O.reshape(e[0, :2, :2], (2, 2, 3, 1)), O.reshape(e[0, 2, :2], (1, 1, 3, 2)), padding="same")
ops.Signbit: O.signbit(x)
ops.Sinc: O.sinc(x)
ops.Sinh: O.sinh(x)
ops.Slice!: O.slice(x, (0, 1, 1), (2, 2, 2))
ops.SliceUpdate!: O.slice_update(x, (0, 1, 1), u[:, :2])
ops.Slogdet: O.slogdet(a)
ops.SoftShrink: O.soft_shrink(x, threshold=0.2)
ops.Softsign: O.softsign(x)
ops.Solve: O.solve(a, u)
ops.SolveTriangular: O.solve_triangular(l, u, lower=True)
ops.Sort: O.sort(x, axis=1)
ops.SpaceToDepth: O.space_to_depth(e, 2)
ops.SparseCategoricalCrossentropy: O.sparse_categorical_crossentropy(label, t, from_logits=True)
ops.SparsePlus: O.sparse_plus(x)
ops.SparseSigmoid: O.sparse_sigmoid(x)
ops.Sparsemax: O.sparsemax(x)
ops.Split: O.split(x, [1, 3], axis=2)
ops.Squareplus: O.squareplus(x, b=2)
ops.Std: O.std(x, axis=1)
ops.StopGradient: O.stop_gradient(x)
ops.Swapaxes: O.swapaxes(x, 1, -1)
ops.Tan: O.tan(x)
ops.TanhShrink: O.tanh_shrink(x)
ops.Tensordot!: O.tensordot(x, e[0, :3, :4], axes=[[1, 2], [0, 1]])
ops.Threshold: O.threshold(x, 0.3, -1.0)
ops.Tile: O.tile(x, (1, 2, 3))
ops.TopK: O.top_k(x, k=2)
ops.Trace: O.trace(x, 1, 1, 2)
ops.Trapezoid: O.trapezoid(x, dx=0.5)
ops.Tril: O.tril(x, -1)
ops.Triu: O.triu(x, 1)
ops.Trunc: O.trunc(x)
ops.Unfold: O.unfold(f, (2, 3), dilation=1, padding=1, stride=2)
ops.UnravelIndex: O.unravel_index(flat, (3, 4))
ops.Unstack: O.unstack(x, axis=1)
ops.Vander!: O.vander(short, N=4)
ops.Var: O.var(x, axis=1)
ops.Vdot: O.vdot(c, t)
ops.Vsplit!: O.vsplit(x, 2)
ops.Vstack: O.vstack([x, y])
ops.Where: O.where(x > 0, x, 0)
"""

KERAS2 = """
nested_types: (lambda i: keras.Model(i, L.GlobalAveragePooling1D()(i)))(keras.Input((None, 3)))(L.Embedding(5, 3, mask_zero=True, dtype="mixed_float16")(o))
masked_attention_float16: (lambda e: L.MultiHeadAttention(2, 3, dtype="mixed_float16")(e, e))(L.Embedding(5, 3, mask_zero=True, dtype="mixed_float16")(o))
masked_attention_cast: (lambda e: L.MultiHeadAttention(2, 3, dtype="mixed_float16")(e, e))(L.Embedding(5, 3, mask_zero=True)(o))
Bidirectional_ConvLSTM1D: L.Bidirectional(L.ConvLSTM1D(2, 2, return_sequences=True))(deep)
UpSampling2D_float16: L.UpSampling2D(2, interpolation="bilinear", dtype="mixed_float16")(one)
RandomHeight: L.RandomHeight(0.2)(h)
RandomWidth: L.RandomWidth(0.2)(h)
BatchNormalization_int: L.BatchNormalization()(i)
Bidirectional_types: L.Bidirectional(L.LSTM(3, dtype="mixed_float16"))(x)
GlobalAveragePooling1D_bool: L.GlobalAveragePooling1D()(yes1)
GRU_time_major: L.GRU(3, time_major=True, return_sequences=True)(x)
GRU_masked: L.GRU(3, return_sequences=True)(L.Masking()(x))
LSTM_masked: L.LSTM(3, return_sequences=True, return_state=True)(L.Masking()(x))
Bidirectional_masked: L.Bidirectional(L.GRU(3, return_sequences=True))(L.Embedding(5, 3, mask_zero=True)(o))
ConvLSTM3D: L.ConvLSTM3D(2, 2)(tf.reshape(v, [-1, 2, 5, 3, 4, 3]))
tf.argmax: tf.argmax(x, axis=1)
tf.argmin: tf.argmin(x, axis=1, output_type=tf.int32)
tf.argsort: tf.argsort(x, axis=1, direction="DESCENDING")
tf.bitwise.bitwise_and: tf.bitwise.bitwise_and(i, j)
tf.bitwise.bitwise_or: tf.bitwise.bitwise_or(i, j)
tf.bitwise.bitwise_xor: tf.bitwise.bitwise_xor(i, j)
tf.cast: tf.cast(x * 3, tf.int32)
tf.divide: tf.divide(x, y)
tf.clip_by_norm: tf.clip_by_norm(x, 1.5, axes=[-1])
tf.concat_constant!: tf.concat([x, np.ones([2, 1, 4], np.float32)], 1)
tf.expand_dims: tf.expand_dims(x, 1)
tf.gather_batch: tf.gather(x, tf.argsort(x, axis=-1), axis=2, batch_dims=2)
tf.gather_nd: tf.gather_nd(x, [[0, 1], [1, 2]])
tf.identity: tf.identity(x)
tf.image.adjust_brightness: tf.image.adjust_brightness(h, 0.1)
tf.image.adjust_contrast: tf.image.adjust_contrast(h, 1.5)
tf.image.central_crop: tf.image.central_crop(e, 0.6)
tf.image.extract_patches: tf.image.extract_patches(e, [1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 2, 1], "SAME")
tf.image.hsv_to_rgb: tf.image.hsv_to_rgb(h)
tf.image.resize_with_crop_or_pad: tf.image.resize_with_crop_or_pad(h, 7, 2)
tf.image.rgb_to_hsv: tf.image.rgb_to_hsv(h)
tf.image.rot90: tf.image.rot90(h, 3)
tf.image.crop_to_bounding_box: tf.image.crop_to_bounding_box(e, 1, 2, 4, 5)
tf.image.flip_left_right: tf.image.flip_left_right(e)
tf.image.flip_up_down: tf.image.flip_up_down(e)
tf.image.grayscale_to_rgb: tf.image.grayscale_to_rgb(one)
tf.image.pad_to_bounding_box: tf.image.pad_to_bounding_box(e, 1, 2, 12, 13)
tf.image.per_image_standardization: tf.image.per_image_standardization(e)
tf.image.rgb_to_grayscale: tf.image.rgb_to_grayscale(h)
tf.image.transpose: tf.image.transpose(e)
tf.keras.backend.batch_flatten: tf.keras.backend.batch_flatten(x)
tf.linalg.cholesky: tf.linalg.cholesky(s)
tf.linalg.cross: tf.linalg.cross(c, t)
tf.linalg.det: tf.linalg.det(a)
tf.linalg.diag: tf.linalg.diag(c)
tf.linalg.diag_part: tf.linalg.diag_part(a)
tf.linalg.inv: tf.linalg.inv(a)
tf.linalg.norm: tf.linalg.norm(x, axis=-1)
tf.linalg.trace: tf.linalg.trace(a)
tf.math.abs: tf.math.abs(x)
tf.math.accumulate_n: tf.math.accumulate_n([x, y])
tf.math.acos: tf.math.acos(q)
tf.math.acosh: tf.math.acosh(p + 1)
tf.math.add: tf.math.add(x, y)
tf.math.add_n: tf.math.add_n([x, y, x])
tf.math.argmax: tf.math.argmax(x, axis=-1)
tf.math.argmin: tf.math.argmin(x, axis=1)
tf.math.asin: tf.math.asin(q)
tf.math.asinh: tf.math.asinh(x)
tf.math.atan: tf.math.atan(x)
tf.math.atanh: tf.math.atanh(q)
tf.math.ceil: tf.math.ceil(x)
tf.math.cos: tf.math.cos(x)
tf.math.cosh: tf.math.cosh(x)
tf.math.count_nonzero: tf.math.count_nonzero(k, axis=1)
tf.math.cumprod: tf.math.cumprod(x, axis=1)
tf.math.cumsum: tf.math.cumsum(x, axis=1, exclusive=True, reverse=True)
tf.math.divide: tf.math.divide(x, y)
tf.math.equal: tf.math.equal(i, j)
tf.math.erf: tf.math.erf(x)
tf.math.erfc: tf.math.erfc(x)
tf.math.erfinv: tf.math.erfinv(q)
tf.math.exp: tf.math.exp(x)
tf.math.expm1: tf.math.expm1(x)
tf.math.floor: tf.math.floor(x)
tf.math.floordiv: tf.math.floordiv(i, j)
tf.math.greater_equal: tf.math.greater_equal(i, j)
tf.math.is_finite: tf.math.is_finite(n)
tf.math.is_inf: tf.math.is_inf(n)
tf.math.is_nan: tf.math.is_nan(n)
tf.math.less: tf.math.less(i, j)
tf.math.log: tf.math.log(p)
tf.math.log1p: tf.math.log1p(p)
tf.math.log_sigmoid: tf.math.log_sigmoid(x)
tf.math.logical_xor: tf.math.logical_xor(yes1, yes2)
tf.math.minimum: tf.math.minimum(x, y)
tf.math.multiply_no_nan: tf.math.multiply_no_nan(n, tf.nn.relu(y))
tf.math.not_equal: tf.math.not_equal(i, j)
tf.math.reciprocal: tf.math.reciprocal(x)
tf.math.reduce_all: tf.math.reduce_all(yes1, axis=1)
tf.math.reduce_any: tf.math.reduce_any(yes1, axis=1)
tf.math.reduce_euclidean_norm: tf.math.reduce_euclidean_norm(x, axis=1)
tf.math.reduce_logsumexp: tf.math.reduce_logsumexp(x, axis=1)
tf.math.reduce_max: tf.math.reduce_max(x, axis=1)
tf.math.reduce_min: tf.math.reduce_min(x, axis=1)
tf.math.reduce_prod: tf.math.reduce_prod(x, axis=1)
tf.math.reduce_std: tf.math.reduce_std(x, axis=1)
tf.math.reduce_sum: tf.math.reduce_sum(x, axis=1)
tf.math.reduce_variance: tf.math.reduce_variance(x, axis=1)
tf.math.rint: tf.math.rint(x)
tf.math.round: tf.math.round(x)
tf.math.rsqrt: tf.math.rsqrt(p)
tf.math.sigmoid: tf.math.sigmoid(x)
tf.math.sign: tf.math.sign(x)
tf.math.sin: tf.math.sin(x)
tf.math.sinh: tf.math.sinh(x)
tf.math.sqrt: tf.math.sqrt(p)
tf.math.square: tf.math.square(x)
tf.math.tan: tf.math.tan(x)
tf.math.tanh: tf.math.tanh(x)
tf.math.top_k: tf.math.top_k(x, 2)
tf.math.truediv_int: tf.math.truediv(i, j)
tf.math.zero_fraction: tf.math.zero_fraction(k)
tf.math.unsorted_segment_max!: tf.math.unsorted_segment_max(rows, loose, 4)
tf.math.unsorted_segment_min!: tf.math.unsorted_segment_min(rows, loose, 4)
tf.math.unsorted_segment_prod!: tf.math.unsorted_segment_prod(rows, loose, 4)
tf.math.unsorted_segment_sum!: tf.math.unsorted_segment_sum(rows, loose, 4)
tf.math.xdivy: tf.math.xdivy(x, p)
tf.math.xlogy: tf.math.xlogy(x, p)
tf.nn.avg_pool: tf.nn.avg_pool(e, 3, 2, "SAME")
tf.nn.avg_pool2d: tf.nn.avg_pool2d(e, 3, 2, "SAME")
tf.nn.bias_add: tf.nn.bias_add(e, [1.0, 2.0, 3.0])
tf.nn.conv1d: tf.nn.conv1d(x, tf.ones([2, 4, 1]), stride=1, padding="SAME")
tf.nn.conv2d: tf.nn.conv2d(e, tf.ones([2, 3, 3, 1]), strides=[1, 2, 1, 1], padding="SAME")
tf.nn.crelu: tf.nn.crelu(x)
tf.nn.depthwise_conv2d: tf.nn.depthwise_conv2d(e, tf.ones([3, 3, 3, 2]), strides=[1, 1, 1, 1], padding="SAME")
tf.nn.embedding_lookup: tf.nn.embedding_lookup(tf.reshape(tf.range(15.0), [5, 3]), o)
tf.nn.l2_loss: tf.nn.l2_loss(x)
tf.nn.max_pool: tf.nn.max_pool(e, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
tf.nn.max_pool2d: tf.nn.max_pool2d(e, 2, 2, "VALID")
tf.nn.local_response_normalization: tf.nn.local_response_normalization(e, depth_radius=1, bias=2, alpha=0.5, beta=0.7)
tf.nn.pool: tf.nn.pool(e, [2, 3], "AVG", strides=[2, 1], padding="SAME")
tf.nn.sigmoid_cross_entropy_with_logits: tf.nn.sigmoid_cross_entropy_with_logits(p, x)
tf.nn.softmax_cross_entropy_with_logits_v2: tf.nn.softmax_cross_entropy_with_logits(p, x)
tf.nn.moments: tf.nn.moments(e, [1, 2])
tf.nn.sigmoid: tf.nn.sigmoid(x)
tf.nn.softplus: tf.nn.softplus(x)
tf.nn.softsign: tf.nn.softsign(x)
tf.nn.space_to_depth: tf.nn.space_to_depth(e, 2)
tf.nn.swish: tf.nn.swish(x)
tf.nn.tanh: tf.nn.tanh(x)
tf.norm_1: tf.norm(x, ord=1, axis=-1)
tf.norm_inf: tf.norm(x, ord=np.inf, axis=1, keepdims=True)
tf.ones_like: tf.ones_like(x)
tf.pad: tf.pad(x, [[0, 0], [1, 1], [0, 2]], mode="SYMMETRIC")
tf.rank: tf.rank(x)
tf.reshape: tf.reshape(x, [-1, 12])
tf.sequence_mask: tf.sequence_mask(label, 4)
tf.shape: tf.shape(x)
tf.size: tf.size(x)
tf.slice: tf.slice(x, [0, 1, 1], [-1, 2, 2])
tf.sort: tf.sort(x, axis=1)
tf.squeeze: tf.squeeze(one, [3])
tf.stop_gradient: tf.stop_gradient(x)
tf.strided_slice: tf.strided_slice(x, [0, 0, 1], [2, 3, 4], [1, 2, 1])
tf.tensor_scatter_nd_update!: tf.tensor_scatter_nd_update(rows, [[0], [3]], c[:, :2])
tf.tensordot!: tf.tensordot(x, z, axes=1)
tf.tile: tf.tile(x, [1, 2, 1])
tf.transpose: tf.transpose(x, [0, 2, 1])
tf.unstack: tf.unstack(x, axis=1)
tf.zeros_like: tf.zeros_like(x)
op_AddN: op("AddN", inputs=[x, y, p])
op_AddV2: op("AddV2", x=x, y=np.float32(2.5))
op_All: op("All", input=yes1, axis=1)
op_Any: op("Any", input=yes1, axis=[1, 2], keep_dims=True)
op_ArgMax: op("ArgMax", input=x, dimension=1, output_type=tf.int32)
op_Atan2: op("Atan2", y=x, x=p)
op_AvgPool: op("AvgPool", value=e, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
op_BatchMatMulV2: op("BatchMatMulV2", x=x, y=y, adj_y=True)
op_BiasAdd: op("BiasAdd", value=x, bias=np.float32([1, 2, 3, 4]))
op_Cast: op("Cast", x=x, DstT=tf.int32)
op_ClipByValue: op("ClipByValue", t=x, clip_value_min=np.float32(-0.5), clip_value_max=np.float32(0.5))
op_ConcatV2: op("ConcatV2", values=[x, y, p], axis=2)
op_ConcatV2_constant: op("ConcatV2", values=[x, np.ones((2, 3, 2), np.float32)], axis=2)
op_Cumsum: op("Cumsum", x=x, axis=1, exclusive=True, reverse=True)
op_DepthToSpace: op("DepthToSpace", input=deep, block_size=2)
op_DivNoNan: op("DivNoNan", x=x, y=np.float32([0, 1, 0, 2]))
op_Equal: op("Equal", x=i, y=k)
op_Erf: op("Erf", x=x)
op_ExpandDims: op("ExpandDims", input=x, axis=-1)
op_FloorDiv: op("FloorDiv", x=i, y=j)
op_FloorMod: op("FloorMod", x=i, y=np.int32(4))
op_GatherNd: op("GatherNd", params=x, indices=np.int32([[0, 1], [1, 2]]))
op_GatherV2: op("GatherV2", params=x, indices=np.int32([2, 0]), axis=1)
op_GatherV2_rows: op("GatherV2", params=np.float32([[1, 2], [3, 4], [5, 6], [7, 8], [9, 0]]), indices=k, axis=0)
op_LeakyRelu: op("LeakyRelu", features=x, alpha=0.3)
op_Log1p: op("Log1p", x=p)
op_LogSoftmax: op("LogSoftmax", logits=x)
op_LogicalNot: op("LogicalNot", x=yes1)
op_MatMul: op("MatMul", a=d, b=g, transpose_b=True)
op_MatMul_constant: op("MatMul", a=d, b=np.float32([[1, 2], [3, 4], [5, 6], [7, 8]]))
op_Max: op("Max", input=x, axis=[1], keep_dims=True)
op_MaxPool: op("MaxPool", input=e, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="VALID")
op_Mean: op("Mean", input=x, axis=[1, 2])
op_Mean_kept: op("Mean", input=x, axis=-1, keep_dims=True)
op_MirrorPad: op("MirrorPad", input=x, paddings=[[0, 0], [1, 1], [0, 2]], mode="REFLECT")
op_Mul_first: op("Mul", x=np.float32(3), y=x)
op_Mul_ints: op("Mul", x=i, y=np.int32([1, 2, 3, 4]))
op_Neg: op("Neg", x=i)
op_OneHot: op("OneHot", indices=o, depth=5, on_value=np.float32(2), off_value=np.float32(-1), axis=1)
op_Pack: op("Pack", values=[x, y], axis=1)
op_Pad: op("Pad", input=x, paddings=[[0, 0], [1, 1], [0, 2]])
op_PadV2: op("PadV2", input=x, paddings=[[0, 0], [1, 1], [0, 2]], constant_values=np.float32(7))
op_Pow: op("Pow", x=p, y=np.float32(1.7))
op_Pow_ints: op("Pow", x=i, y=np.int32(3))
op_Prod: op("Prod", input=x, axis=[1])
op_RealDiv: op("RealDiv", x=x, y=p)
op_Relu6: op("Relu6", features=x)
op_Reshape: op("Reshape", tensor=x, shape=[-1, 12])
op_Reshape_computed: op("Reshape", tensor=x, shape=op("Pack", values=[op("StridedSlice", input=op("Shape", input=x), begin=[0], end=[1], strides=[1], shrink_axis_mask=1), np.int32(12)], axis=0))
op_ReverseV2: op("ReverseV2", tensor=x, axis=[1])
op_Rsqrt: op("Rsqrt", x=p)
op_Select: op("SelectV2", condition=yes1, t=x, e=np.float32(0))
op_Slice: op("Slice", input=x, begin=[0, 1, 1], size=[-1, 2, 2])
op_Softmax: op("Softmax", logits=x)
op_SpaceToDepth: op("SpaceToDepth", input=e, block_size=2)
op_Split: op("Split", axis=2, value=x, num_split=2)
op_SplitV: op("SplitV", value=x, size_splits=[1, 3], axis=2, num_split=2)
op_SquaredDifference: op("SquaredDifference", x=x, y=y)
op_Squeeze: op("Squeeze", input=one, axis=[3])
op_StridedSlice: op("StridedSlice", input=x, begin=[0, 0, 1], end=[0, 2, 4], strides=[1, 1, 2], begin_mask=1, end_mask=1)
op_StridedSlice_axes: op("StridedSlice", input=x, begin=[0, 0, -1], end=[0, 0, 0], strides=[1, 1, 1], ellipsis_mask=1, new_axis_mask=2, shrink_axis_mask=4)
op_Sub: op("Sub", x=np.float32(1), y=x)
op_Sum: op("Sum", input=x, axis=[1, 2], keep_dims=True)
op_Sum_chained: op("Sqrt", x=op("Sum", input=op("Square", x=x), axis=[2]))
op_Tile: op("Tile", input=x, multiples=[1, 2, 1])
op_TopKV2: op("TopKV2", input=x, k=2)
op_Transpose: op("Transpose", x=x, perm=[0, 2, 1])
op_Unpack: op("Unpack", value=x, num=3, axis=1)
op_Xlogy: op("Xlogy", x=x, y=p)
op_ZerosLike: op("ZerosLike", x=x)
"""

# Models of Keras 3 that are quantized after their weights are set: the mode, perhaps with a configuration, and the expression.
QUANTIZED = """
Dense_int8: int8: L.Dense(5, activation="relu")(x)
Dense_int8_plain: int8 weights: L.Dense(5, use_bias=False)(x)
Dense_int8_range: int8 range: L.Dense(5)(x)
Dense_int8_lora_h5: int8: L.Dense(3, lora_rank=2, lora_alpha=3)(d)
Dense_int8_bfloat16: int8: O.cast(L.Dense(5, dtype="mixed_bfloat16")(x), "float32")
Dense_int4: int4: L.Dense(5, activation="tanh")(x)
Dense_int4_groups: int4 2: L.Dense(5)(x)
Dense_int4_groups_h5: int4 3: L.Dense(4)(x)
Dense_int4_channels: int4 -1: L.Dense(5)(x)
Dense_int4_channels_h5: int4 -1: L.Dense(4)(x)
Dense_int4_inputs: int4 inputs: L.Dense(5)(x)
Dense_int4_float16: int4 2: L.Dense(5, dtype="mixed_float16")(x)
Dense_float8: float8: L.Dense(5)(x)
Dense_float8_h5: float8: L.Dense(5, activation="gelu")(x)
Dense_float8_float16: float8: L.Dense(5, dtype="mixed_float16")(x)
Dense_float8_bfloat16: float8: O.cast(L.Dense(5, dtype="mixed_bfloat16")(x), "float32")
EinsumDense_int8: int8: L.EinsumDense("abc,cde->abde", (None, 2, 5), bias_axes="de")(x)
EinsumDense_int8_moved: int8: L.EinsumDense("abc,bd->adc", (6, 4), bias_axes="d")(x)
EinsumDense_int8_plain: int8 weights: L.EinsumDense("abc,cd->abd", (None, 5))(x)
EinsumDense_int4: int4: L.EinsumDense("abc,cde->abde", (None, 2, 5), bias_axes="de")(x)
EinsumDense_int4_groups: int4 2: L.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d")(x)
EinsumDense_int4_channels: int4 -1: L.EinsumDense("abcd,cde->abe", (None, 5), bias_axes="e")(deep)
EinsumDense_int4_inputs: int4 inputs: L.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d")(x)
EinsumDense_int4_moved: int4 -1: L.EinsumDense("abc,bd->adc", (6, 4))(x)
EinsumDense_float8: float8: L.EinsumDense("abc,cde->abde", (None, 2, 5), bias_axes="de")(x)
EinsumDense_float8_ellipsis: float8: L.EinsumDense("...c,cd->...d", (5,), bias_axes="d")(x)
Dense_gptq: gptq 4 3: L.Dense(5, activation="relu")(x)
Dense_gptq_single: gptq 4 -1: L.Dense(1)(x)
Dense_gptq_bytes: gptq 8 2: L.Dense(5)(x)
Dense_gptq_two_bits: gptq 2 -1: L.Dense(5)(x)
Dense_gptq_float16: gptq 4 2: L.Dense(5, dtype="mixed_float16")(x)
Dense_awq: awq 4 3: L.Dense(5, activation="tanh")(x)
EinsumDense_gptq: gptq 4 2: L.EinsumDense("abc,cde->abde", (None, 2, 5), bias_axes="de")(x)
EinsumDense_gptq_bytes: gptq 8 3: L.EinsumDense("abc,cd->abd", (None, 5))(x)
EinsumDense_awq: awq 4 2: L.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d")(x)
EinsumDense_awq_heads: awq 4 2: L.EinsumDense("abcd,cde->abe", (None, 5), bias_axes="e")(deep)
Embedding_int8: int8: L.Embedding(5, 3)(o)
Embedding_int4: int4: L.Embedding(5, 3)(o)
Embedding_int4_groups: int4 2: L.Embedding(5, 7)(o)
Embedding_int4_channels: int4 -1: L.Embedding(5, 4)(o)
ReversibleEmbedding_int8: int8: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 3))
ReversibleEmbedding_int8_untied: int8: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 3, tie_weights=False, logit_soft_cap=2.0))
ReversibleEmbedding_int4: int4: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 3))
ReversibleEmbedding_int4_groups: int4 2: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 7))
ReversibleEmbedding_int4_untied: int4 2: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 7, tie_weights=False))
ReversibleEmbedding_int4_channels: int4 -1: (lambda e: e(e(o), reverse=True))(L.ReversibleEmbedding(5, 3, tie_weights=False))
MultiHeadAttention_int8: int8: L.MultiHeadAttention(2, 3, name="mha")(query, keys)
MultiHeadAttention_int8_h5: int8: L.MultiHeadAttention(2, 3, name="mha", use_bias=False)(query, keys)
MultiHeadAttention_int4: int4: L.MultiHeadAttention(2, 3, name="mha", output_shape=5)(query, keys)
MultiHeadAttention_int4_channels: int4 -1: L.MultiHeadAttention(2, 3, name="mha")(query, keys, use_causal_mask=True)
MultiHeadAttention_int4_gate: int4 3: L.MultiHeadAttention(2, 4, name="mha", use_gate=True, output_shape=(2, 3))(query, keys)
MultiHeadAttention_float8: float8: L.MultiHeadAttention(2, 3, name="mha")(query, keys)
MultiHeadAttention_float8_h5: float8: L.MultiHeadAttention(2, 3, name="mha")(query, keys)
GroupQueryAttention_int8: int8: L.GroupQueryAttention(4, 4, 2, name="gqa")(query, keys)
GroupQueryAttention_int4: int4: L.GroupQueryAttention(4, 4, 2, name="gqa")(query, keys)
Sequential_int8: int8: keras.Sequential([L.Dense(6, activation="relu"), L.LayerNormalization(), L.Dense(3)])(x)
"""


def halves():
    return keras.dtype_policies.get("float16")


def policies(default, **parts):
    """The policies of parts of a layer "mha"."""
    return keras.dtype_policies.DTypePolicyMap(default, {f"mha/{part}": keras.dtype_policies.get(name) for part, name in parts.items()})


def quantization(words):
    """A mode without calibration, and "weights" (inputs are not quantized), "inputs" (they are), "range" (to other limits) or the size of a block."""
    mode, detail = (words.split() + [""])[:2]
    q = keras.quantizers
    if mode == "float8" or not detail and mode == "int8":
        return {"mode": mode}
    if mode == "int8":
        quantizer = None if detail == "weights" else q.AbsMaxQuantizer(axis=-1, value_range=(-100, 100), epsilon=1e-5)
        return {"config": q.Int8QuantizationConfig(activation_quantizer=quantizer)}
    if detail == "inputs":
        return {"config": q.Int4QuantizationConfig(activation_quantizer=q.AbsMaxQuantizer(axis=-1), block_size=None)}
    return {"config": q.Int4QuantizationConfig(block_size=int(detail))} if detail else {"mode": mode}


def calibrate(model, words):
    """As GPTQ or AWQ would leave the dense layers, with random numbers: the mode, the bits and the inputs that share a scale."""
    mode, bits, group = words.split()
    q, random = keras.quantizers, np.random.default_rng(5)
    configs = {"gptq": lambda: q.GPTQConfig(None, None, weight_bits=int(bits), group_size=int(group)),
               "awq": lambda: q.AWQConfig(None, None, weight_bits=int(bits), group_size=int(group))}
    for layer in model.layers:
        if isinstance(layer, (keras.layers.Dense, keras.layers.EinsumDense)):
            layer.quantize(mode, config=configs[mode]())
            packed = 256 if bits == "4" else 2 ** int(bits)
            layer.quantized_kernel.assign(random.integers(0, packed, layer.quantized_kernel.shape).astype("uint8"))
            layer.kernel_zero.assign(random.integers(0, 2 ** int(bits), layer.kernel_zero.shape).astype("uint8"))
            layer.kernel_scale.assign(random.uniform(0.01, 0.1, layer.kernel_scale.shape))
            size = int(group) if int(group) > 0 else layer.g_idx.shape[0]
            layer.g_idx.assign(np.arange(layer.g_idx.shape[0]) // size)
            if mode == "awq":
                layer.awq_scales.assign(random.uniform(0.5, 2, layer.awq_scales.shape))
            setattr(layer, f"is_{mode}_calibrated", True)
            # Keras 3.15 does not save the zero points, and so does not load its own files; earlier versions do.
            layer._get_kernel_with_merged_lora = lambda layer=layer: (None, None, layer.kernel_zero)


def op(name, **arguments):
    """A TensorFlowOpLayer, in which tf.keras 2.1 to 2.3 has a call of an operator, called with the tensors among the arguments."""
    tensors, graph = [], tf.Graph()

    def placeholder(value):
        if isinstance(value, list) and any(isinstance(item, KerasTensor) for item in value):
            return [placeholder(item) for item in value]
        if not isinstance(value, KerasTensor):
            return value
        tensors.append((value, tf.compat.v1.placeholder(value.dtype, value.shape)))
        return tensors[-1][1]

    with graph.as_default():
        result = getattr(tf.raw_ops, name)(**{key: placeholder(value) for key, value in arguments.items()})
        node = (result[0] if isinstance(result, (list, tuple)) else result).op
        fed = [placeholder.ref() for _, placeholder in tensors]
        constants = {k: tf.get_static_value(x) for k, x in enumerate(node.inputs) if x.ref() not in fed}
    layer = base_layer.TensorFlowOpLayer(node.node_def.SerializeToString(), f"{name}_{next(numbers)}", constants)
    return layer([value for value, _ in tensors] if len(tensors) > 1 else tensors[0][0])



def randomize(model, seed):
    random = np.random.default_rng(seed)
    for variable in model.weights:
        old = np.asarray(variable)
        if old.dtype.kind == "f":
            positive = "variance" in variable.name
            variable.assign((random.uniform(0.5, 1.6, old.shape) if positive else random.normal(0, 0.5, old.shape)).astype(old.dtype))
        elif old.dtype == np.int8:
            variable.assign(random.integers(-127, 128, old.shape).astype(np.int8))


def flat(outputs):
    """Keras flattens dictionaries in the order of their keys."""
    if isinstance(outputs, dict):
        return [leaf for key in sorted(outputs) for leaf in flat(outputs[key])]
    return [leaf for item in outputs for leaf in flat(item)] if isinstance(outputs, (list, tuple)) else [outputs]


def tensor(array, name):
    if array.dtype.kind in "SUO":
        texts = [text if isinstance(text, bytes) else str(text).encode() for text in array.ravel()]
        return helper.make_tensor(name, TensorProto.STRING, array.shape, texts)
    return numpy_helper.from_array(array, name)


def save(model, folder):
    if model.weights:
        model.save(os.path.join(folder, "model.h5" if "_h5" in folder else "model.keras"))
        return
    with open(os.path.join(folder, "model.json"), "w") as file:
        file.write(model.to_json())


def write_case(folder, inputs, outputs, shapes, rtol, atol):
    """The tensors of a case by their names, and its description. `shapes` of the inputs in the model."""
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    for kind, named in (("input", inputs), ("output", outputs)):
        for k, (given, array) in enumerate(named.items()):
            with open(os.path.join(data, f"{kind}_{k}.pb"), "wb") as file:
                file.write(tensor(array, given).SerializeToString())
    case = {"name": os.path.basename(folder), "category": "drawn", "framework": "keras",
            "inputs": [{"name": given, "dtype": x.dtype.name, "shape": [-1 if d is None else d for d in shape]}
                       for (given, x), shape in zip(inputs.items(), shapes)],
            "outputs": [{"name": given, "dtype": "string" if x.dtype.kind in "SUO" else x.dtype.name, "shape": list(x.shape)} for given, x in outputs.items()],
            "rtol": rtol, "atol": atol}
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)


def record(out, name, expression, mode=None):
    fixed, name = name.endswith("!"), name.rstrip("!")
    keras.backend.clear_session()
    keras.utils.set_random_seed(3)
    random = np.random.default_rng(zlib.crc32(name.encode()))
    arrays = {word: np.asarray(INPUTS[word][0](random)).astype(INPUTS[word][1])
              for word in dict.fromkeys(re.findall(r"[a-z]\w*", re.sub(r'"[^"]*"|\.\w+|\w+=', "", expression))) if word in INPUTS}
    inputs = {word: keras.Input(batch_shape=x.shape if fixed else (None, *x.shape[1:]), dtype=x.dtype.name, name=word)
              for word, x in arrays.items()}
    scope = {"policies": policies, "halves": halves, "keras": keras, "L": keras.layers, "np": np, "tf": tf, "O": getattr(keras, "ops", None), "op": op}
    model = keras.Model(list(inputs.values()), eval(expression, scope | inputs))
    randomize(model, 7)
    if mode and mode.startswith(("gptq", "awq")):
        calibrate(model, mode)
    elif mode:
        model.quantize(**quantization(mode))
        for variable in model.weights:  # of float8, as after training
            if variable.name in ("inputs_scale", "kernel_scale") and variable.shape == ():
                variable.assign(0.01 if variable.name == "inputs_scale" else 0.004)
    values = list(arrays.values())
    outputs = [np.asarray(x) for x in flat(model(values, training=False))]
    names = model.output_names if tf else [f"output_{k}" for k in range(len(outputs))]

    folder = os.path.join(out, name.replace(".", "_") + ("_k2" if tf else "_k3"))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    save(model, folder)
    sharp = r"\.(erfinv|pinv|stft|istft|inv|solve|svd|eigh|cholesky_inverse)\("
    atol = 0.05 if "bfloat16" in expression else 5e-3 if "float16" in expression or "halves()" in expression else 1e-4 if re.search(sharp, expression) else 1e-5
    write_case(folder, arrays, dict(zip(names, outputs)), [inputs[word].shape for word in arrays], 1e-4, atol)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--only", default="", help="a regular expression")
    arguments = parser.parse_args()
    lines = (KERAS2 if tf else KERAS3 + QUANTIZED).strip().splitlines()
    quantized = set(QUANTIZED.strip().splitlines())
    for line in filter(None, lines):
        name, *mode, expression = line.split(": ", 2 if line in quantized else 1)
        if re.search(arguments.only, name):
            try:
                record(arguments.out, name, expression, *mode)
            except Exception as error:  # shown with the line that it belongs to
                print(f"{name}: {type(error).__name__}: {str(error)[:300]}")


if __name__ == "__main__":
    main()
