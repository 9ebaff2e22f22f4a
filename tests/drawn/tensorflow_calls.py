#!/usr/bin/env python3
"""Record single calls of TensorFlow's operators as cases for judge.py.

  tensorflow_calls.py OUT [--only REGEX]

Each line of CALLS is an expression over tf.raw_ops (R) and the arrays of INPUTS; its graph is frozen, with its inputs and what TensorFlow
returns. Of operators that TensorFlow removed, REMOVED names the present operator of the same kernel: its graph gets the old
name and the version of a graph that may contain it, and is run like that. The recorded cases of ../shared lack most of
these operators. Needs `pip install tensorflow-cpu==2.15.1 onnx==1.17.0`, in an environment of its own."""
import argparse
import json
import os
import re
import shutil
import zlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from onnx import numpy_helper
from tensorflow.python.framework import op_def_library, op_def_registry
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import tensorflow_lists as lists

REMOVED = {"BatchCholesky": "Cholesky", "BatchMatrixDeterminant": "MatrixDeterminant", "BatchMatrixInverse": "MatrixInverse",
           "BatchMatrixSolve": "MatrixSolve", "BatchMatrixTriangularSolve": "MatrixTriangularSolve",
           "BatchMatrixBandPart": "MatrixBandPart", "BatchMatrixDiag": "MatrixDiag", "BatchMatrixDiagPart": "MatrixDiagPart",
           "BatchMatrixSetDiag": "MatrixSetDiag"}
REMOVED_SINCE = 13  # version of graphs


def sparse(shape, count, seed, dtype=np.float32):
    """Indices in C order, values and dimensions."""
    random = np.random.default_rng(seed)
    places = np.sort(random.choice(np.prod(shape), count, replace=False))
    return (np.stack(np.unravel_index(places, shape), 1).astype(np.int64), (random.standard_normal(count) * 4).astype(dtype),
            np.array(shape, np.int64))


def with_special(x):
    x.flat[[1, 5, 9]] = [np.inf, -np.inf, np.nan]
    return x


def extreme_integers(dtype, seed, lacks=()):
    """(6, 4), among them those at the ends of the type and those whose lower halves look negative."""
    ends = np.iinfo(dtype)
    wide = [2**31, 2**31 + 5, 2**40, 2**53 + 1] if dtype == np.int64 else [65536, 65537]
    pool = [n for n in [ends.min, ends.max, ends.min + 1, ends.max // 2 + 1, 100, 7, -7, 3, -1, 0, *wide] if n not in lacks]
    return np.random.default_rng(seed).choice(np.array(pool, dtype), (6, 4))


def positive_definite(random):
    x = random.standard_normal((2, 3, 3))
    return x @ x.transpose(0, 2, 1) + np.eye(3)


INPUTS = {
    "x": lambda r: r.standard_normal((2, 3, 4)), "y": lambda r: r.standard_normal((2, 3, 4)), "n": lambda r: with_special(r.standard_normal((2, 3, 4))),
    "m": lambda r: r.standard_normal((4, 6)), "v": lambda r: r.standard_normal(6), "o": lambda r: r.standard_normal((6, 3)),
    "a": lambda r: r.standard_normal((2, 3, 3)) + 2 * np.eye(3), "t": positive_definite, "b": lambda r: r.standard_normal((2, 3, 2)),
    "d": lambda r: r.standard_normal((2, 3)), "e": lambda r: r.standard_normal((2, 7, 8, 3)), "w": lambda r: r.standard_normal((2, 3, 3)),
    "E": lambda r: with_special(r.standard_normal((1, 4, 5, 2))), "W": lambda r: with_special(r.standard_normal((2, 3, 2))),
    "h": lambda r: r.standard_normal((1, 4, 5, 6, 2)), "u": lambda r: r.standard_normal((1, 4)), "r": lambda r: r.standard_normal((6, 3)),
    "k": lambda r: np.array([0, 0, 2, 2, 3, 3], np.int32),
    "i2": lambda r: sparse((4, 6), 9, 1)[0], "v2": lambda r: sparse((4, 6), 9, 1)[1], "s2": lambda r: np.array((4, 6), np.int64),
    "i3": lambda r: sparse((3, 4, 5), 20, 3)[0], "v3": lambda r: sparse((3, 4, 5), 20, 3)[1], "s3": lambda r: np.array((3, 4, 5), np.int64),
    "z3": lambda r: sparse((3, 4, 5), 20, 3, np.int32)[1],
    "j3": lambda r: sparse((3, 4, 5), 17, 9)[0], "w3": lambda r: sparse((3, 4, 5), 17, 9)[1], "q3": lambda r: sparse((3, 4, 5), 17, 9, np.int32)[1],
    "I": lambda r: extreme_integers(np.int32, 1), "H": lambda r: extreme_integers(np.int32, 2, (0, -1)),
    "J": lambda r: extreme_integers(np.int64, 3), "G": lambda r: extreme_integers(np.int64, 4, (0, -1)),
    "p3": lambda r: sparse((3, 4, 5), 20, 3)[0][np.random.default_rng(5).permutation(20)],
    "fi": lambda r: r.standard_normal((3, 2, 2, 2)), "fd": lambda r: r.standard_normal((3, 2, 2, 3)), "e1": lambda r: r.standard_normal((1, 4, 3, 2)),
    "c2": lambda r: r.standard_normal(2), "g2": lambda r: r.uniform(0.5, 2, 2), "b2": lambda r: r.standard_normal(2), "v2c": lambda r: r.uniform(0.1, 2, 2),
    "c6": lambda r: r.standard_normal(6), "f5": lambda r: r.standard_normal((2, 6)), "c4": lambda r: r.standard_normal(4), "g4": lambda r: r.uniform(0.5, 2, 4), "e4": lambda r: r.standard_normal((1, 2, 2, 4)),
    "q8": lambda r: r.integers(0, 256, (2, 3, 4)).astype(np.uint8), "r8": lambda r: r.integers(-128, 128, (2, 3, 4)).astype(np.int8),
    "lo": lambda r: np.array([-1.3, -0.2, 0.1]), "hi": lambda r: np.array([2.9, 0.7, 5.0]),
    "st": lambda r: np.array(["a,b;;c", "", ",", "x y  z ", " \tfoo\nbar"], object), "sm": lambda r: np.array([["a", "b,", ""], ["", "d", "ef"]], object),
    "sf": lambda r: np.array([0, -0.0, -1, -2, -0.5, 1e-3, -1e-3, 0.5, 1, 3.25, 9.5, 50, -3.25, 1e6, np.inf, -np.inf, np.nan]),
    "pt": lambda r: np.array([[1, 0.2, -1, -0.1, 0.9, 0.5, 0.01, -0.02], [0.3, -1, 4, 1.2, 0.4, -9, -0.25, 0]]), "so": lambda r: r.uniform(-1, 1, (27, 2)), "sp": lambda r: r.uniform(0, 5, (1, 1, 33)),
}

CALLS = """
Dequantize: R.Dequantize(input=R.Bitcast(input=q8, type=tf.quint8), min_range=-1.37, max_range=2.9, mode="MIN_FIRST")
Dequantize_axis: R.Dequantize(input=R.Bitcast(input=r8, type=tf.qint8), min_range=lo, max_range=hi, mode="SCALED", narrow_range=True, axis=1)
Dequantize_combined: R.Dequantize(input=R.Bitcast(input=r8, type=tf.qint8), min_range=R.Reshape(tensor=lo[:1], shape=[]), max_range=R.Reshape(tensor=hi[:1], shape=[]))
Dequantize_stored: x + R.Dequantize(input=tf.constant(np.arange(12, dtype=np.uint8).reshape(3, 4).view(tf.quint8.as_numpy_dtype), tf.quint8), min_range=-1.37, max_range=2.9, mode="MIN_FIRST")
QuantizeV2: (lambda t: [R.Bitcast(input=t[0], type=tf.uint8), t[1], t[2]])(R.QuantizeV2(input=x, min_range=-1.37, max_range=2.9, T=tf.quint8))
QuantizeV2_axis: (lambda t: [R.Bitcast(input=t[0], type=tf.int8), t[1], t[2]])(R.QuantizeV2(input=x, min_range=lo, max_range=hi, T=tf.qint8, mode="SCALED", round_mode="HALF_TO_EVEN", axis=1))
QuantizeV2_first: (lambda t: [R.Bitcast(input=t[0], type=tf.uint8), t[1], t[2]])(R.QuantizeV2(input=x, min_range=R.Reshape(tensor=lo[:1], shape=[]), max_range=R.Reshape(tensor=hi[:1], shape=[]), T=tf.quint8, mode="MIN_FIRST"))
FusedPadConv2D: R.FusedPadConv2D(input=e1, paddings=tf.constant([[0, 0], [2, 1], [0, 1], [0, 0]]), filter=fi, mode="REFLECT", strides=[1, 2, 1, 1], padding="VALID")
FusedPadConv2D_symmetric: R.FusedPadConv2D(input=e1, paddings=tf.constant([[0, 0], [2, 1], [0, 1], [0, 0]]), filter=fi, mode="SYMMETRIC", strides=[1, 2, 2, 1], padding="SAME")
FusedResizeAndPadConv2D: R.FusedResizeAndPadConv2D(input=e1, size=tf.constant([4, 5]), paddings=tf.constant([[0, 0], [2, 1], [0, 1], [0, 0]]), filter=fi, mode="REFLECT", strides=[1, 1, 1, 1], padding="VALID")
_FusedBatchNormEx: internal("_FusedBatchNormEx", x=e4, scale=g4, offset=c4, mean=c4, variance=g4, side_input=[], epsilon=0.02, activation_mode="Relu", is_training=False)[0]
_FusedConv2D: internal("_FusedConv2D", input=e1, filter=fi, args=[c2], host_args=[], num_args=1, strides=[1, 2, 1, 1], padding="SAME", fused_ops=["BiasAdd", "LeakyRelu"], leakyrelu_alpha=0.3)
_FusedConv2D_normalized: internal("_FusedConv2D", input=e1, filter=fi, args=[g2, c2, b2, v2c], host_args=[], num_args=4, strides=[1, 1, 1, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0], fused_ops=["FusedBatchNorm", "Elu"], epsilon=0.01)
_FusedDepthwiseConv2dNative: internal("_FusedDepthwiseConv2dNative", input=e1, filter=fd, args=[c6], strides=[1, 2, 2, 1], padding="SAME", fused_ops=["BiasAdd", "Relu6"])
_FusedMatMul: internal("_FusedMatMul", a=f5, b=m, args=[c4], transpose_b=True, fused_ops=["BiasAdd", "Relu6"])
AudioSpectrogram: R.AudioSpectrogram(input=so, window_size=12, stride=9)
AudioSpectrogram_squared: R.AudioSpectrogram(input=so, window_size=16, stride=11, magnitude_squared=True)
Mfcc: R.Mfcc(spectrogram=sp, sample_rate=8000, upper_frequency_limit=3000.0, filterbank_channel_count=20, dct_coefficient_count=7)
Angle: R.Angle(input=R.Complex(real=x, imag=y))
Asinh_double: R.Asinh(x=tf.constant(1e200, tf.float64) * R.Cast(x=n, DstT=tf.float64))
BitwiseAnd_uint16: R.BitwiseAnd(x=R.Cast(x=k, DstT=tf.uint16) + tf.constant(65530, tf.uint16), y=tf.constant(65534, tf.uint16))
ClipByValue_crossed: R.ClipByValue(t=x, clip_value_min=0.5, clip_value_max=-0.5)
EuclideanNorm_none: R.EuclideanNorm(input=x, axis=tf.constant([], tf.int32))
Mean_int8: R.Mean(input=R.Cast(x=x * 50.0, DstT=tf.int8) + tf.constant(60, tf.int8), axis=tf.constant([1]))
Sign_half: R.Sign(x=R.Cast(x=n, DstT=tf.half))
AvgPool3D: R.AvgPool3D(input=h, ksize=[1, 2, 3, 2, 1], strides=[1, 1, 2, 2, 1], padding="SAME")
BatchCholesky: R.Cholesky(input=t)
BatchMatrixBandPart: R.MatrixBandPart(input=x, num_lower=tf.constant(1, tf.int64), num_upper=tf.constant(0, tf.int64))
BatchMatrixDeterminant: R.MatrixDeterminant(input=a)
BatchMatrixDiag: R.MatrixDiag(diagonal=d)
BatchMatrixDiagPart: R.MatrixDiagPart(input=x)
BatchMatrixInverse: R.MatrixInverse(input=a, adjoint=True)
BatchMatrixSetDiag: R.MatrixSetDiag(input=x, diagonal=d)
BatchMatrixSolve: R.MatrixSolve(matrix=a, rhs=b, adjoint=False)
BatchMatrixTriangularSolve: R.MatrixTriangularSolve(matrix=a, rhs=b, lower=False, adjoint=True)
Conv3DBackpropInputV2: R.Conv3DBackpropInputV2(input_sizes=tf.constant([1, 4, 9, 6, 3]), filter=R.Reshape(tensor=x, shape=[2, 2, 1, 3, 2]), out_backprop=h, strides=[1, 1, 2, 1, 1], padding="SAME")
Copy: R.Copy(input=x)
CopyHost: R.CopyHost(input=x)
CropAndResize: R.CropAndResize(image=e, boxes=R.Reshape(tensor=x, shape=[6, 4]), box_ind=[0, 1, 1, 0, 1, 0], crop_size=[3, 2], method="bilinear", extrapolation_value=-7.0)
Dilation2D: R.Dilation2D(input=e, filter=w, strides=[1, 2, 1, 1], rates=[1, 1, 2, 1], padding="SAME")
Dilation2D_special: R.Dilation2D(input=E, filter=W, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="VALID")
ExtractImagePatches: R.ExtractImagePatches(images=e, ksizes=[1, 2, 3, 1], strides=[1, 3, 2, 1], rates=[1, 2, 1, 1], padding="SAME")
ExtractVolumePatches: R.ExtractVolumePatches(input=h, ksizes=[1, 2, 3, 2, 1], strides=[1, 1, 2, 1, 1], padding="SAME")
GuaranteeConst: R.GuaranteeConst(input=x)
IRFFT: R.IRFFT(input=R.Complex(real=x, imag=y), fft_length=[6])
IRFFT_odd: R.IRFFT(input=R.Complex(real=x, imag=y), fft_length=[5])
IRFFT_cut: R.IRFFT(input=R.Complex(real=x, imag=y), fft_length=[3])
IRFFT2D: R.IRFFT2D(input=R.Complex(real=x, imag=y), fft_length=[3, 6])
IRFFT2D_cut: R.IRFFT2D(input=R.Complex(real=x, imag=y), fft_length=[2, 5])
IRFFT3D: R.IRFFT3D(input=R.Complex(real=x, imag=y), fft_length=[2, 3, 6])
SegmentMaxV2: R.SegmentMaxV2(data=r, segment_ids=k, num_segments=5)
SegmentMinV2: R.SegmentMinV2(data=r, segment_ids=k, num_segments=5)
SegmentProdV2: R.SegmentProdV2(data=r, segment_ids=k, num_segments=5)
SegmentSumV2: R.SegmentSumV2(data=r, segment_ids=k, num_segments=5)
SparseAdd: R.SparseAdd(a_indices=i3, a_values=v3, a_shape=s3, b_indices=j3, b_values=w3, b_shape=s3, thresh=0.0)
SparseAdd_threshold: R.SparseAdd(a_indices=i3, a_values=v3, a_shape=s3, b_indices=j3, b_values=w3, b_shape=s3, thresh=2.0)
SparseAdd_int: R.SparseAdd(a_indices=i3, a_values=z3, a_shape=s3, b_indices=j3, b_values=q3, b_shape=s3, thresh=2)
SparseDenseCwiseAdd: R.SparseDenseCwiseAdd(sp_indices=i2, sp_values=v2, sp_shape=s2, dense=v)
SparseDenseCwiseDiv: R.SparseDenseCwiseDiv(sp_indices=i2, sp_values=v2, sp_shape=s2, dense=m)
SparseDenseCwiseMul: R.SparseDenseCwiseMul(sp_indices=i2, sp_values=v2, sp_shape=s2, dense=m)
SparseReduceMax: R.SparseReduceMax(input_indices=i3, input_values=v3, input_shape=s3, reduction_axes=tf.constant([1, -1]), keep_dims=True)
SparseReduceMax_none: R.SparseReduceMax(input_indices=i3, input_values=v3, input_shape=s3, reduction_axes=tf.constant([], tf.int32), keep_dims=False)
SparseReduceMax_int: R.SparseReduceMax(input_indices=i3, input_values=z3, input_shape=s3, reduction_axes=tf.constant([0]), keep_dims=False)
SparseReduceSum: R.SparseReduceSum(input_indices=i3, input_values=v3, input_shape=s3, reduction_axes=tf.constant([0]), keep_dims=False)
SparseReduceSum_all: R.SparseReduceSum(input_indices=i3, input_values=v3, input_shape=s3, reduction_axes=tf.constant([0, 1, 2]), keep_dims=False)
SparseReorder: R.SparseReorder(input_indices=p3, input_values=v3, input_shape=s3)
SparseSlice: R.SparseSlice(indices=i3, values=v3, shape=s3, start=[1, 0, 2], size=[9, 2, 2])
SparseTensorDenseAdd: R.SparseTensorDenseAdd(a_indices=i2, a_values=v2, a_shape=s2, b=m)
SparseTensorDenseMatMul: R.SparseTensorDenseMatMul(a_indices=i2, a_values=v2, a_shape=s2, b=o)
SparseTensorDenseMatMul_adjoint: R.SparseTensorDenseMatMul(a_indices=i2, a_values=v2, a_shape=s2, b=tf.transpose(m), adjoint_a=True, adjoint_b=True)
TensorStridedSliceUpdate: R.TensorStridedSliceUpdate(input=x, begin=[0, 1], end=[2, 3], strides=[2, 1], value=x[:1, :2] * 2.0)
TensorStridedSliceUpdate_masks: R.TensorStridedSliceUpdate(input=x, begin=[-1, 0, 2], end=[0, 0, 0], strides=[1, 1, -1], value=x[0, :, 1:] * 2.0, shrink_axis_mask=1, begin_mask=2, end_mask=6)
Bitcast: R.Bitcast(input=tf.constant([1.5, -2.0, 0.0]), type=tf.int32) + k[:3]
Bitcast_narrow: R.Bitcast(input=tf.constant([1, -2, 70000]), type=tf.uint8)[:, 1] + tf.cast(k[:3], tf.uint8)
Bitcast_wide: R.Bitcast(input=tf.constant([[1, 0], [5, 1]]), type=tf.int64) + tf.cast(k[:2], tf.int64)
Bitcast_computed: R.Bitcast(input=x, type=tf.int32)
BatchMatMul: R.BatchMatMul(x=x, y=y, adj_y=True)
BiasAddV1: R.BiasAddV1(value=x, bias=x[0, 0])
CheckNumerics: R.CheckNumerics(tensor=x, message="")
CheckNumericsV2: R.CheckNumericsV2(tensor=x, message="")
Concat: R.Concat(concat_dim=1, values=[x, y])
ConjugateTranspose: R.ConjugateTranspose(x=x, perm=[2, 0, 1])
DeepCopy: R.DeepCopy(x=x)
EnsureShape: R.EnsureShape(input=x, shape=[2, None, 4])
FFT2D: R.Real(input=R.FFT2D(input=R.Complex(real=x, imag=y)))
FFT3D: R.Real(input=R.FFT3D(input=R.Complex(real=x, imag=y)))
FakeQuantWithMinMaxVarsPerChannel: R.FakeQuantWithMinMaxVarsPerChannel(inputs=x, min=[-1.0, -0.5, -2.0, 0.0], max=[1.0, 0.7, 1.5, 1.0])
Gather: R.Gather(params=r, indices=k)
IFFT: R.Imag(input=R.IFFT(input=R.Complex(real=x, imag=y)))
IFFT3D: R.Real(input=R.IFFT3D(input=R.Complex(real=x, imag=y)))
ParallelDynamicStitch: R.ParallelDynamicStitch(indices=[[0, 3], [1, 2]], data=[r[:2], r[2:4]])
PreventGradient: R.PreventGradient(input=x)
QuantizeAndDequantizeV3: R.QuantizeAndDequantizeV3(input=x, input_min=-1.0, input_max=1.0, num_bits=8, range_given=True)
QuantizeAndDequantizeV4: R.QuantizeAndDequantizeV4(input=x, input_min=-1.0, input_max=1.0)
RFFT3D: R.Real(input=R.RFFT3D(input=x, fft_length=[2, 3, 4]))
Snapshot: R.Snapshot(input=x)
ParallelConcat: R.ParallelConcat(values=[x[:1], y[:1]], shape=[2, 3, 4])
ScaleAndTranslate: R.ScaleAndTranslate(images=e, size=[9, 5], scale=[9 / 7, 5 / 8], translation=[0.0, 0.0])
ScaleAndTranslate_triangle: R.ScaleAndTranslate(images=e, size=[4, 13], scale=[0.6, 1.6], translation=[0.3, -2.5], kernel_type="triangle")
ScaleAndTranslate_gaussian: R.ScaleAndTranslate(images=e, size=[3, 11], scale=[3 / 7, 11 / 8], translation=[0.0, 0.0], kernel_type="gaussian")
ScaleAndTranslate_keyscubic: R.ScaleAndTranslate(images=e, size=[3, 11], scale=[3 / 7, 11 / 8], translation=[0.0, 0.0], kernel_type="keyscubic", antialias=False)
ScaleAndTranslate_mitchell: R.ScaleAndTranslate(images=e, size=[20, 3], scale=[2.0, 0.4], translation=[4.0, 0.5], kernel_type="mitchellcubic")
ScaleAndTranslate_lanczos5: R.ScaleAndTranslate(images=tf.cast(e * 50.0, tf.int32), size=[5, 5], scale=[5 / 7, 5 / 8], translation=[0.0, 0.0], kernel_type="lanczos5")
ScaleAndTranslate_resize: tf.image.resize(e, [5, 4], method="bilinear", antialias=True)
SparseConcat: R.SparseConcat(indices=[i3, j3], values=[v3, w3], shapes=[s3, s3], concat_dim=-2)
SparseMatMul: R.SparseMatMul(a=m, b=o, a_is_sparse=True)
SparseMatMul_transposed: R.SparseMatMul(a=m, b=m, transpose_b=True)
ArgMax_wide: R.ArgMax(input=J, dimension=1)
BitwiseAnd_scalar: R.BitwiseAnd(x=I[0, 0], y=H[1, 0])
Cast_bfloat16: R.Cast(x=R.Cast(x=x * 30.0, DstT=tf.bfloat16), DstT=tf.int8)
Einsum_ellipsis: R.Einsum(inputs=[x, m], equation="...ij,...jk->...ik")
EuclideanNorm_half: R.EuclideanNorm(input=R.Cast(x=x * 300.0, DstT=tf.half), axis=[2])
EuclideanNorm_wrapping: R.EuclideanNorm(input=I, axis=[1])
FloorDiv_extreme: R.FloorDiv(x=I, y=H)
FloorDiv_wide: R.FloorDiv(x=J, y=G)
FloorMod_extreme: R.FloorMod(x=I, y=H)
FloorMod_wide: R.FloorMod(x=J, y=G)
HistogramFixedWidth_extreme: R.HistogramFixedWidth(values=I, value_range=[-2, 3], nbins=5)
InplaceUpdate: R.InplaceUpdate(x=r, i=[1, 0], v=r[2:4])
LogSoftmax_infinite: R.LogSoftmax(logits=R.Cast(x=n, DstT=tf.float64))
Max_none: R.Max(input=R.Cast(x=I[:0], DstT=tf.int16), axis=[0])
Max_wide: R.Max(input=J, axis=[1])
MaxPool_infinite: R.MaxPool(input=R.Cast(x=e, DstT=tf.float64) * 0.0 - float("inf"), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
MaxPool_int16: R.MaxPool(input=R.Cast(x=e * 50.0, DstT=tf.int16), ksize=[1, 2, 3, 1], strides=[1, 2, 2, 1], padding="SAME")
MaxPoolWithArgmax_int32: R.MaxPoolWithArgmax(input=R.Cast(x=e * 50.0, DstT=tf.int32), ksize=[1, 2, 3, 1], strides=[1, 2, 2, 1], padding="SAME")
Maximum_wide: R.Maximum(x=J, y=G)
Min_wide: R.Min(input=J, axis=[0, 1])
Minimum_wide: R.Minimum(x=J, y=G)
Mod_wide: R.Mod(x=J, y=G)
NthElement_unsigned: R.NthElement(input=R.Cast(x=J, DstT=tf.uint64), n=2)
Pow_computed: R.Pow(x=I, y=tf.expand_dims(k, 1))
Pow_wrapping: R.Pow(x=J, y=tf.constant(3, tf.int64))
Prod_wide: R.Prod(input=J, axis=[1], keep_dims=True)
Prod_wrapping: R.Prod(input=I, axis=[0, 1])
Relu6_wide: R.Relu6(features=J)
ResizeArea_pixel: R.ResizeArea(images=e[:, :1, :1], size=[3, 2], align_corners=True)
ResizeNearestNeighbor_int64: R.ResizeNearestNeighbor(images=R.Cast(x=e * 50.0, DstT=tf.int64), size=[4, 13], half_pixel_centers=True)
SegmentMax_unsigned: R.SegmentMax(data=R.Cast(x=J, DstT=tf.uint64), segment_ids=k)
SegmentMean_wrapping: R.SegmentMean(data=R.Cast(x=I, DstT=tf.int8), segment_ids=k)
Sign_wide: R.Sign(x=J)
Size_bfloat16: R.Size(input=R.Cast(x=x, DstT=tf.bfloat16)) + k
SpaceToBatchND_int16: R.SpaceToBatchND(input=R.Cast(x=e * 50.0, DstT=tf.int16), block_shape=[2, 3], paddings=[[0, 1], [1, 0]])
Sum_wide: R.Sum(input=J, axis=[1])
Sum_wrapping: R.Sum(input=I, axis=[0])
TensorScatterMax_special: R.TensorScatterMax(tensor=n, indices=[[0], [1]], updates=tf.reverse(n, [2]))
TopKV2_unsigned: R.TopKV2(input=R.Cast(x=J, DstT=tf.uint64), k=2)
Unique_unsigned: R.Unique(x=R.Cast(x=J[:, 0], DstT=tf.uint64))
UnsortedSegmentMax_bfloat16: R.Cast(x=R.UnsortedSegmentMax(data=R.Cast(x=r, DstT=tf.bfloat16), segment_ids=k, num_segments=5), DstT=tf.float32)
UnsortedSegmentMin_unsigned: R.UnsortedSegmentMin(data=R.Cast(x=I, DstT=tf.uint32), segment_ids=k, num_segments=5)
AddV2_complex: parts(R.AddV2(x=R.Complex(real=x, imag=y), y=R.Complex(real=y[:1, 0], imag=x[:1, 0])))
Cast_complex: R.ComplexAbs(x=R.FFT(input=R.Cast(x=x, DstT=tf.complex64)))
Cast_real: R.Cast(x=R.Complex(real=x, imag=y), DstT=tf.float64)
ConcatV2_complex: parts(R.ConcatV2(values=[R.Complex(real=x, imag=y), R.Complex(real=y, imag=x)], axis=-1))
Exp_complex: parts(R.Exp(x=R.Complex(real=x, imag=y)))
ExpandDims_complex: parts(R.ExpandDims(input=R.Complex(real=x, imag=y), axis=-1))
Mean_complex: parts(R.Mean(input=R.Complex(real=x, imag=y), axis=[-1], keep_dims=True))
Mul_complex: parts(R.IFFT(input=R.Mul(x=R.FFT(input=R.Complex(real=x, imag=y)), y=R.Cast(x=y[0], DstT=tf.complex64))))
Neg_complex: parts(R.Neg(x=R.Complex(real=x, imag=y)))
Pack_complex: parts(R.Pack(values=[R.Complex(real=x, imag=y), R.Complex(real=y, imag=x)], axis=-1))
RealDiv_complex: parts(R.RealDiv(x=R.Complex(real=x, imag=y), y=R.Complex(real=y[0], imag=x[0])))
Reshape_complex: parts(R.Reshape(tensor=R.Complex(real=x, imag=y), shape=[4, -1]))
Square_complex: parts(R.Square(x=R.Complex(real=x, imag=y)))
Squeeze_complex: parts(R.Squeeze(input=R.Complex(real=x[:1], imag=y[:1]), axis=[]))
GatherV2_complex: parts(R.GatherV2(params=R.Complex(real=x, imag=y), indices=[2, 0], axis=1))
StridedSlice_complex: parts(R.Complex(real=x, imag=y)[:, ::-1, 1:3])
Sub_complex: parts(R.Sub(x=R.Complex(real=x, imag=y), y=R.Complex(real=y, imag=x)))
Sum_complex: parts(R.Sum(input=R.Complex(real=x, imag=y), axis=[0, -1]))
Transpose_complex: parts(R.Transpose(x=R.Complex(real=x, imag=y), perm=[2, 0, 1]))
TridiagonalMatMul: R.TridiagonalMatMul(superdiag=x[:, :1], maindiag=x[:, 1:2], subdiag=x[:, 2:], rhs=tf.transpose(y, [0, 2, 1]))
BesselI0: R.BesselI0(x=sf)
BesselI0e: R.BesselI0e(x=R.Cast(x=sf, DstT=tf.float64))
BesselI1: R.BesselI1(x=sf)
BesselI1e: R.BesselI1e(x=sf)
Digamma: R.Digamma(x=sf)
Digamma_half: R.Digamma(x=R.Cast(x=x, DstT=tf.half))
ImageProjectiveTransformV2_bilinear: R.ImageProjectiveTransformV2(images=e, transforms=pt, output_shape=[6, 5], interpolation="BILINEAR")
ImageProjectiveTransformV2_nearest: R.ImageProjectiveTransformV2(images=R.Cast(x=e * 50.0, DstT=tf.int32), transforms=pt, output_shape=[9, 10], interpolation="NEAREST", fill_mode="REFLECT")
ImageProjectiveTransformV3_half: R.ImageProjectiveTransformV3(images=R.Cast(x=e, DstT=tf.half), transforms=pt, output_shape=[6, 5], fill_value=0.5, interpolation="NEAREST", fill_mode="CONSTANT")
ImageProjectiveTransformV3_nowhere: R.ImageProjectiveTransformV3(images=e, transforms=[[1.0, 0, 0, 0, 1, 0, -0.5, 0]], output_shape=[4, 4], fill_value=-3.0, interpolation="NEAREST")
ImageProjectiveTransformV3_nearest: R.ImageProjectiveTransformV3(images=e, transforms=pt, output_shape=[6, 5], fill_value=0.0, interpolation="BILINEAR", fill_mode="NEAREST")
ImageProjectiveTransformV3_reflect: R.ImageProjectiveTransformV3(images=e, transforms=pt * 3.0, output_shape=[8, 7], fill_value=0.0, interpolation="BILINEAR", fill_mode="REFLECT")
ImageProjectiveTransformV3_unsigned: R.ImageProjectiveTransformV3(images=q8[:, :, :, None], transforms=pt, output_shape=[6, 5], fill_value=7.0, interpolation="BILINEAR")
ImageProjectiveTransformV3_wrap: R.ImageProjectiveTransformV3(images=e, transforms=pt * 3.0, output_shape=[8, 7], fill_value=0.0, interpolation="BILINEAR", fill_mode="WRAP")
InplaceAdd: R.InplaceAdd(x=r, i=[1, 0, -1, 7], v=r[2:])
InplaceSub: R.InplaceSub(x=r, i=k, v=r)
Polygamma: R.Polygamma(a=tf.fill([2, 1], 2.0), x=sf)
Polygamma_odd: R.Polygamma(a=tf.constant(3.0), x=sf)
Polygamma_zero: R.Polygamma(a=tf.constant(0.0), x=sf)
ReduceJoin: R.ReduceJoin(inputs=sm, reduction_indices=[1], keep_dims=True)
ReduceJoin_axes: R.ReduceJoin(inputs=sm, reduction_indices=[1, 0], separator="-")
ReduceJoin_loop: R.ReduceJoin(inputs=tf.tile(sm, [9, 1]), reduction_indices=[0], separator="; ")
ReduceJoin_none: R.ReduceJoin(inputs=sm[:, :0], reduction_indices=[-1], separator="; ")
ScatterNdNonAliasingAdd: R.ScatterNdNonAliasingAdd(input=r, indices=[[0], [2], [0]], updates=r[3:])
StringSplit: R.StringSplit(input=st, delimiter=" ")
StringSplit_empty: R.StringSplit(input=st, delimiter=",", skip_empty=False)
StringSplit_several: R.StringSplit(input=st, delimiter=",; ")
StringSplitV2: R.StringSplitV2(input=st, sep="")
StringSplitV2_limit: R.StringSplitV2(input=st, sep=";", maxsplit=1)
StringSplitV2_none: R.StringSplitV2(input=st[:0], sep=",")
StringSplitV2_separator: R.StringSplitV2(input=st, sep=";;")
StringSplitV2_zero: R.StringSplitV2(input=st, sep=",", maxsplit=0)
GatherV2_strings: R.GatherV2(params=sm, indices=[[1, 0], [1, 1]], axis=0)
GatherV2_rows: R.GatherV2(params=tf.reshape(sm, [3, 2, 1]), indices=[1, 0], axis=1)
GatherNd_strings: R.GatherNd(params=sm, indices=[[1], [0]])
TensorListFromTensor_swapped: lists.swapped(x)
TensorListLength_initial_size: lists.initial_size(x)
TensorListLength_initial_size_of_loop: lists.initial_size_of_loop(x)
TensorListLength_size: lists.size(x)
TensorListLength_some_steps: lists.some_steps(x)
TensorListPopBack_push_pop: lists.push_pop(x)
TensorListPushBack_push: lists.push(x)
TensorListPushBack_push_to_partial: lists.push_to_partial(x)
TensorListPushBack_push_to_reserved: lists.push_to_reserved(x)
TensorListScatterIntoExistingList_scatter: lists.scatter(x)
TensorListScatterIntoExistingList_scatter_range: lists.scatter_range(x)
TensorListScatterIntoExistingList_scatter_short: lists.scatter_short(x)
TensorListScatterIntoExistingList_scattered_to_larger: lists.scattered_to_larger(x)
TensorListSetItem_backwards: lists.backwards(x)
TensorListSetItem_branch_in_loop: lists.branch_in_loop(x)
TensorListSetItem_branches: lists.branches(x)
TensorListSetItem_branches_of_one: lists.branches_of_one(x)
TensorListSetItem_bubble_sort: lists.bubble_sort(x)
TensorListSetItem_history: lists.history(x)
TensorListSetItem_delayed: lists.delayed(x)
TensorListSetItem_int16_gaps: lists.int16_gaps(x)
TensorListSetItem_joined_in_loop: lists.joined_in_loop(x)
TensorListSetItem_longer_history: lists.longer_history(x)
TensorListSetItem_masked: lists.masked(x)
TensorListSetItem_mean_of_history: lists.mean_of_history(x)
TensorListSetItem_nested: lists.nested(x)
TensorListSetItem_no_steps: lists.no_steps(x)
TensorListSetItem_partial: lists.partial(x)
TensorListSetItem_read_in_loop: lists.read_in_loop(x)
TensorListSetItem_sides: lists.sides(x)
TensorListSetItem_sizes_swapped: lists.sizes_swapped(x)
TensorListSetItem_two_loops: lists.two_loops(x)
TensorListSetItem_two_writes: lists.two_writes(x)
TensorListSetItem_unrolled: lists.unrolled(x)
TensorListSplit_split: lists.split(x)
TensorListSplit_split_various: lists.split_various(x)
"""


def set_version(graph, removed, present):
    """Renames a present operator to the removed one, in a graph of the last version that may contain it."""
    for node in graph.node:
        if node.op == present:
            node.op = removed
    graph.versions.producer = REMOVED_SINCE - 1


def run(graph, feeds, outputs):
    with tf.Graph().as_default() as scope:
        tf.import_graph_def(graph, name="")
        with tf.compat.v1.Session(graph=scope) as session:
            return session.run(outputs, feeds)


def write(folder, kind, arrays):
    for i, (label, array) in enumerate(arrays):
        with open(os.path.join(folder, "test_data_set_0", f"{kind}_{i}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(np.asarray(array, object if isinstance(array, bytes) else None), label).SerializeToString())


def internal(operator, **arguments):
    """An operator of TensorFlow's own passes, which has no Python function. Nothing stands for a default."""
    definition = op_def_registry.get(operator)
    inferred = {argument.number_attr for argument in definition.input_arg}
    attributes = {attribute.name: None for attribute in definition.attr
                  if attribute.HasField("default_value") and attribute.name not in inferred}
    return op_def_library.apply_op(operator, name="internal", **{**attributes, **arguments})


def record(name, call, folder):
    used = [key for key in INPUTS if re.search(rf"(?<![\w.]){key}(?![\w(=])", call)]
    random = np.random.default_rng(zlib.crc32(name.encode()))
    values = [np.ascontiguousarray(v.astype(np.float32) if v.dtype == np.float64 else v) for v in (INPUTS[key](random) for key in used)]
    scope = {"tf": tf, "np": np, "lists": lists, "R": tf.raw_ops, "internal": internal, "parts": lambda z: [tf.raw_ops.Real(input=z), tf.raw_ops.Imag(input=z)]}
    exec(f"def call({', '.join(used)}):\n    return {call}\n", scope)

    def model(*arguments):
        return [tf.identity(result, f"output_{i}") for i, result in enumerate(tf.nest.flatten(scope["call"](*arguments)))]

    # Operators that only XLA runs are compiled; their graph is the same.
    function = tf.function(model, jit_compile=bool(re.match(r"Segment\w+V2", name)) or None)
    concrete = function.get_concrete_function(*(tf.TensorSpec(v.shape, v.dtype, name=key) for key, v in zip(used, values)))
    frozen = convert_variables_to_constants_v2(concrete)
    graph = frozen.graph.as_graph_def()
    inputs = [(tensor.name, value) for tensor, value in zip(frozen.inputs, values)]
    names = [f"output_{i}:0" for i in range(len(frozen.outputs))]
    operator = re.match("_?[^_]*", name)[0]
    if operator in REMOVED:
        set_version(graph, operator, REMOVED[operator])
    if re.match(r"Segment\w+V2", name):
        results = [result.numpy() for result in tf.nest.flatten(function(*map(tf.constant, values)))]
    else:
        results = run(graph, {label: value.copy() for label, value in inputs}, names)  # InplaceAdd may write to what it is fed
    assert any(node.op == operator for node in graph.node), f"{operator} is not in the graph"
    os.makedirs(os.path.join(folder, "test_data_set_0"))
    with open(os.path.join(folder, "frozen.pb"), "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))
    write(folder, "input", inputs)
    write(folder, "output", list(zip(names, results)))
    ports = lambda items: [{"name": label, "shape": list(a.shape), "dtype": "string" if a.dtype == object else str(a.dtype)} for label, a in items]
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"name": os.path.basename(folder), "framework": f"tensorflow {tf.__version__}", "format": "frozen", "category": "calls",
                   "inputs": ports(inputs), "outputs": ports(zip(names, map(np.asarray, results))), "atol": 1e-5, "rtol": 1e-4,
                   "source": call}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    recorded = 0
    for line in filter(None, CALLS.splitlines()):
        name, call = line.split(": ", 1)
        if not re.search(a.only, name):
            continue
        folder = os.path.join(a.out, "raw_" + name)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            record(name, call, folder)
            recorded += 1
        except Exception as error:  # TensorFlow rejects the call
            print(f"{name}: {str(error).splitlines()[0]}")
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{recorded} cases in {a.out}")


if __name__ == "__main__":
    main()
