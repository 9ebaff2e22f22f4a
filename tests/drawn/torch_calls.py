#!/usr/bin/env python3
"""Record single calls of PyTorch's operators as cases for judge.py.

  torch_calls.py OUT [--only REGEX] [--export]

Each line of CALLS is traced into a TorchScript archive (--export: an exported program), with its inputs and what PyTorch returns.
The recorded cases of ../shared lack most of these operators. Needs `pip install torch==2.15.0 torchvision onnx numpy`, in an
environment of its own."""
import argparse
import json
import os
import re
import shutil
import zlib

import numpy as np
import torch
import torch.nn.functional as F  # noqa: F401, for the calls
import torchvision  # noqa: F401
from onnx import numpy_helper

INPUTS = {
    "x": lambda r: r.standard_normal((2, 3, 4)), "y": lambda r: r.standard_normal((2, 3, 4)),
    "p": lambda r: r.uniform(0.2, 3, (2, 3, 4)), "u": lambda r: r.uniform(-0.9, 0.9, (2, 3, 4)),
    "g": lambda r: r.uniform(1.1, 3, (2, 3, 4)), "n": lambda r: with_special(r.standard_normal((2, 3, 4))),
    "i": lambda r: r.integers(-5, 10, (2, 3, 4)), "j": lambda r: r.integers(1, 7, (2, 3, 4)),
    "b": lambda r: r.integers(0, 2, (2, 3, 4)).astype(bool), "c": lambda r: r.integers(0, 2, (2, 3, 4)).astype(bool),
    "v": lambda r: r.standard_normal(5), "w": lambda r: r.standard_normal(5), "q": lambda r: r.integers(0, 4, 6),
    "m": lambda r: r.standard_normal((3, 4)), "o": lambda r: r.standard_normal((4, 3)), "d": lambda r: r.standard_normal((3, 4)),
    "s": lambda r: r.standard_normal((2, 3, 3)) + 2 * np.eye(3), "t": lambda r: positive_definite(r),
    "e": lambda r: r.standard_normal((2, 4, 6, 5)), "h": lambda r: r.standard_normal((1, 2, 5, 6, 4)),
    "k": lambda r: r.integers(0, 3, (2, 4)), "l": lambda r: r.integers(0, 3, 2), "z": lambda r: r.standard_normal((2, 3)),
    "f": lambda r: r.choice([-1.0, 1.0], (2, 3, 4)), "wide": lambda r: r.integers(-2**63, 2**63 - 1, (2, 3, 4)),
}

CALLS = """
cdist_forward: torch._C._VariableFunctions._cdist_forward(m, d, 1.0, None)
log_softmax: torch._log_softmax(x, 1, False)
logcumsumexp: torch.logcumsumexp(x, 1)
unique: torch._unique(q, True, True)
upsample_exact1d: torch._C._nn._upsample_nearest_exact1d(x, [7], None)
upsample_exact3d: torch._C._nn._upsample_nearest_exact3d(h, [7, 4, 3], None)
upsample1d: torch._C._nn.upsample_nearest1d(x, [7], None)
weight_norm: torch._weight_norm(m, d[:, :1], 0)
absolute: torch.absolute(x)
acosh: torch.acosh(g)
addmv: torch.addmv(m[:, 0], m, d[0], beta=0.5, alpha=2)
addr: torch.addr(m, m[:, 0], d[0], beta=0.5, alpha=2)
adjoint: s.adjoint()
angle: torch.angle(n)
arccos: torch.arccos(u)
arccosh: torch.arccosh(g)
arcsin: torch.arcsin(u)
arcsinh: torch.arcsinh(x)
arctan: torch.arctan(x)
arctan2: torch.arctan2(x, y)
arctanh: torch.arctanh(u)
asinh: torch.asinh(x)
atleast_1d: torch.atleast_1d(x.sum())
atleast_2d: torch.atleast_2d(v)
atleast_3d: torch.atleast_3d(m)
bincount: torch.bincount(q, minlength=7)
bincount_weights: torch.bincount(q, m[:, :2].reshape(6))
bitwise_and: torch.bitwise_and(i, j)
bitwise_or: torch.bitwise_or(i, j)
bitwise_xor: torch.bitwise_xor(i, j)
bitwise_and_bool: torch.bitwise_and(b, c)
bitwise_right: torch.bitwise_right_shift(i, j)
bitwise_left: torch.bitwise_left_shift(i, j)
bitwise_not: torch.bitwise_not(i)
block_diag: torch.block_diag(m, o, v)
broadcast_to: torch.broadcast_to(v, [3, 5])
ceil: torch.ceil(x)
chain_matmul: torch.linalg.multi_dot([m, o, d])
channel_shuffle: torch.channel_shuffle(e, 2)
cholesky: torch.linalg.cholesky(t)
cholesky_upper: torch.cholesky(t, upper=True)
clip: torch.clip(x, -0.5, 0.7)
clip_tensors: torch.clip(x, u, g)
column_stack: torch.column_stack([v, w])
concat: torch.concat([m, d], 1)
conv3d: F.conv3d(h, h.repeat(3, 1, 1, 1, 1)[:, :, :2, :3, :2], None, [1, 2, 1], [1, 0, 1])
cosh: torch.cosh(x)
count_nonzero: torch.count_nonzero(i * b, dim=1)
count_nonzero_all: torch.count_nonzero(i)
cross_entropy: F.cross_entropy(z, l)
cross_entropy_smooth: F.cross_entropy(e[:, :, 0, 0], k[:, 0], label_smoothing=0.1, reduction='none')
cross_entropy_ignore: F.cross_entropy(x, k, ignore_index=1)
cross_entropy_weight: F.cross_entropy(x, k, weight=p[0, :, 0])
cross_entropy_probabilities: F.cross_entropy(z, torch.softmax(z * 2, 1))
cross: torch.cross(x, y, dim=1)
linalg_cross: torch.linalg.cross(x, y, dim=1)
cumulative_trapezoid: torch.cumulative_trapezoid(x, dim=1)
cumulative_trapezoid_x: torch.cumulative_trapezoid(v, w)
trapezoid: torch.trapezoid(x, dx=0.5, dim=1)
trapz: torch.trapz(v, w)
det: torch.linalg.det(s)
logdet: torch.logdet(t)
slogdet: torch.linalg.slogdet(s)
inverse: torch.inverse(s)
solve: torch.linalg.solve(s, s[:, :, :2])
solve_vector: torch.linalg.solve(s, s[:, :, 0])
triangular: torch.linalg.solve_triangular(torch.triu(s) + 3 * torch.eye(3), s[:, :, :2], upper=True)
matrix_power: torch.linalg.matrix_power(s, 3)
matrix_power_negative: torch.linalg.matrix_power(s, -2)
diag: torch.diag(v, 1)
diag_of: torch.diag(m, -1)
diagflat: torch.diagflat(m, 1)
diagonal_scatter: torch.diagonal_scatter(m, v[:3], 0)
diag_embed: torch.diag_embed(m, 1)
divide: torch.divide(i, j)
divide_floor: torch.divide(i, j, rounding_mode='floor')
divide_trunc: torch.divide(x, y, rounding_mode='trunc')
dsplit: torch.dsplit(x, 2)
hsplit: torch.hsplit(m, [1, 3])
vsplit: torch.vsplit(o, 2)
fftshift: torch.fft.fftshift(x)
ifftshift: torch.fft.ifftshift(x, dim=[1])
fix: torch.fix(x)
fliplr: torch.fliplr(x)
flipud: torch.flipud(x)
float_power: torch.float_power(p, 2.5)
float_power_int: torch.float_power(j, i)
frac: torch.frac(x * 3)
gcd: torch.gcd(i, j)
lcm: torch.lcm(i, j)
ger: torch.ger(v, w)
greater: torch.greater(x, y)
greater_equal: torch.greater_equal(i, 2)
less: torch.less(x, y)
less_equal: torch.less_equal(i, 2)
not_equal: torch.not_equal(i, j)
hinge_embedding: F.hinge_embedding_loss(x, f, margin=0.7)
margin_ranking: F.margin_ranking_loss(x, y, f, margin=0.3)
soft_margin: F.soft_margin_loss(x, f)
multilabel_soft_margin: F.multilabel_soft_margin_loss(z, (z > 0).float())
multi_margin: F.multi_margin_loss(z, l)
poisson_nll: F.poisson_nll_loss(x, p)
poisson_nll_full: F.poisson_nll_loss(p, g, log_input=False, full=True)
nll: F.nll_loss(z, l)
nll2d: F.nll_loss(e[:, :3], (e[:, 3] > 0).long(), reduction='sum')
nll_ignore: F.nll_loss(z, l, ignore_index=1, reduction='mean')
gaussian_nll: F.gaussian_nll_loss(x, y, p)
kl_div: F.kl_div(x, p)
kl_div_log: F.kl_div(x, y, log_target=True, reduction='batchmean')
huber: F.huber_loss(x, y, delta=0.5)
smooth_l1: F.smooth_l1_loss(x, y, beta=0.5)
bce: F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y))
bce_logits: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y), pos_weight=p[0, 0])
triplet: F.triplet_margin_loss(m, d, m + d)
cosine_embedding: F.cosine_embedding_loss(m, d, f[0, :, 0])
histc: torch.histc(x, bins=5, min=-1, max=1)
histc_range: torch.histc(x, bins=4)
index_reduce: torch.index_reduce(m, 0, l, d[:2], 'amax')
index_reduce_mean: torch.index_reduce(m, 0, l, d[:2], 'mean')
inner: torch.inner(m, d)
isin: torch.isin(i, j)
isneginf: torch.isneginf(n)
isposinf: torch.isposinf(n)
isfinite: torch.isfinite(n)
isreal: torch.isreal(x)
kron: torch.kron(m, o)
ldexp: torch.ldexp(x, i)
vecdot: torch.linalg.vecdot(x, y, dim=1)
log10: torch.log10(p)
log2: torch.log2(p)
log1p: torch.log1p(p)
logaddexp: torch.logaddexp(x, y)
logaddexp2: torch.logaddexp2(x, y)
logical_and: torch.logical_and(x, b)
logical_or: torch.logical_or(i, c)
logical_xor: torch.logical_xor(b, c)
masked_scatter: torch.masked_scatter(x, b, y)
masked_select: torch.masked_select(x, b)
masked_fill_int: torch.masked_fill(i, b, 7)
max_pool3d: F.max_pool3d(h, 2, 2, 1, 1, True)
max_pool1d_indices: F.max_pool1d(x, 2, 1, return_indices=True)
max_unpool2d: F.max_unpool2d(*F.max_pool2d(e, 2, 2, return_indices=True), 2, 2, output_size=[6, 5])
avg_pool3d: F.avg_pool3d(h, 2, 2, 1, True, False)
lp_pool3d: F.lp_pool3d(h.abs(), 2, 2)
mode: torch.mode((i % 3), dim=1)[0]
moveaxis: torch.moveaxis(x, 0, 2)
multiply: torch.multiply(i, 0.5)
nanmean: torch.nanmean(torch.where(b, x, float('nan')), dim=1)
nansum: torch.nansum(torch.where(b, x, float('nan')), dim=1)
nanmedian: torch.nanmedian(torch.where(b, x, float('nan')), dim=2)[0]
nanquantile: torch.nanquantile(torch.where(b, x, float('nan')), 0.3, dim=2)
quantile_midpoint: torch.quantile(x, 0.4, dim=2, interpolation='midpoint')
native_layer_norm: torch.native_layer_norm(x, [4], p[0, 0], y[0, 0], 1e-5)
native_batch_norm: torch.native_batch_norm(x, p[0, :, 0], y[0, :, 0], x[1, :, 0], p[1, :, 0], False, 0.1, 1e-5)[0]
negative: torch.negative(x)
positive: torch.positive(x)
new_ones: x.new_ones([2, 2]) + x[0, 0, 0]
nonzero_numpy: torch.nonzero(b, as_tuple=True)
nonzero: torch.nonzero(i * b)
argwhere: torch.argwhere(b)
pdist: F.pdist(m)
pdist_inf: F.pdist(m, float('inf'))
put: torch.put(m, q, v[[0, 1, 2, 3, 4, 0]], accumulate=True)
reflection_pad3d: F.pad(h, [1, 2, 1, 0, 2, 1], 'reflect')
replication_pad1d: F.pad(x, [1, 2], 'replicate')
replication_pad2d: F.pad(e, [1, 0, 2, 1], 'replicate')
replication_pad3d: F.pad(h, [1, 0, 2, 1, 1, 1], 'replicate')
circular3d: F.pad(h, [1, 0, 2, 1, 1, 1], 'circular')
renorm: torch.renorm(m, 2, 0, 1.0)
resolve_conj: x.resolve_conj().resolve_neg()
row_stack: torch.row_stack([v, w])
sinh: torch.sinh(x)
digamma: torch.special.digamma(x)
entr: torch.special.entr(u)
erf: torch.special.erf(x)
erfc: torch.special.erfc(x)
erfinv: torch.special.erfinv(u)
erfcx: torch.special.erfcx(p)
exp2: torch.special.exp2(x)
expm1: torch.special.expm1(x)
gammaln: torch.special.gammaln(g)
lgamma: torch.lgamma(x)
log_ndtr: torch.special.log_ndtr(x)
i0: torch.special.i0(x)
i0e: torch.special.i0e(x)
i1: torch.special.i1(x)
i1e: torch.special.i1e(x)
logit: torch.special.logit(torch.sigmoid(x), 0.2)
logsumexp: torch.special.logsumexp(x, 1)
ndtr: torch.special.ndtr(x)
ndtri: torch.special.ndtri(torch.sigmoid(x))
round: torch.special.round(x * 100, decimals=1)
sinc: torch.special.sinc(x)
xlog1py: torch.special.xlog1py(x, p)
xlogy: torch.special.xlogy(p, g)
zeta: torch.special.zeta(g, p)
polygamma: torch.polygamma(1, p)
multigammaln: torch.special.multigammaln(g, 2)
std_mean: torch.std_mean(x, dim=1)
var_mean: torch.var_mean(x, dim=[0, 2], keepdim=True, correction=0)
subtract: torch.subtract(x, y, alpha=2)
swapaxes: torch.swapaxes(x, 0, 2)
tanhshrink: F.tanhshrink(x)
tril_indices: torch.tril_indices(3, 4, -1) + l[0]
triu_indices: torch.triu_indices(3, 4, 1) + l[0]
true_divide: torch.true_divide(i, j)
trunc: torch.trunc(x * 3)
type_as: x.type_as(i)
unique_consecutive: torch.unique_consecutive(q, return_inverse=True, return_counts=True)
unique_dim: torch.unique(i % 2, dim=0)
unsafe_chunk: torch.unsafe_chunk(x, 2, 2)
unsafe_split: torch.unsafe_split(x, 2, 1)
view_as: x.view_as(x.reshape(2, 12))
stft: torch.stft(e.reshape(8, 30), 8, 3, window=torch.hann_window(8), return_complex=True).abs()
istft: torch.istft(torch.stft(e.reshape(8, 30), 8, 2, window=torch.hann_window(8), return_complex=True), 8, 2, window=torch.hann_window(8))
fft: torch.view_as_real(torch.fft.fft(x, dim=1, norm='ortho'))
fft2: torch.view_as_real(torch.fft.fft2(x))
fftn: torch.view_as_real(torch.fft.fftn(x))
ifft: torch.view_as_real(torch.fft.ifft(x, n=6))
irfft: torch.fft.irfft(torch.fft.rfft(x, dim=2), n=4, dim=2)
irfft_odd: torch.fft.irfft(torch.fft.rfft(v), n=5)
rfft2: torch.view_as_real(torch.fft.rfft2(x, norm='forward'))
irfft2: torch.fft.irfft2(torch.fft.rfft2(x), s=[3, 4])
hfft: torch.fft.hfft(torch.fft.ihfft(v), n=5)
conj: torch.view_as_real(torch.fft.fft(x).conj() * 2)
complex_division: torch.view_as_real(torch.fft.fft(x) / (torch.fft.fft(y) + 3))
polar: torch.view_as_real(torch.polar(p, x))
roi_pool: torchvision.ops.roi_pool(e, torch.cat([(l * 0)[:1, None].float(), p[0, :1, :2], p[0, :1, :2] + 2.6], 1), 2)
ps_roi_align: torchvision.ops.ps_roi_align(e, torch.cat([(l * 0)[:1, None].float(), p[0, :1, :2], p[0, :1, :2] + 2.6], 1), 2, 0.8, 2)
roi_align: torchvision.ops.roi_align(e, torch.cat([(l * 0)[:1, None].float(), p[0, :1, :2], p[0, :1, :2] + 2.6], 1), 2, 0.8, 2, True)
nms: torchvision.ops.nms(torch.cat([o[:, :2], o[:, :2] + p[0, 0, :4, None] + 0.5], 1), o[:, 2], 0.3)
batched_nms: torchvision.ops.boxes._batched_nms_coordinate_trick(torch.cat([o[:, :2], o[:, :2] + 1.5], 1), o[:, 2], k[0], 0.3)
box_iou: torchvision.ops.box_iou(torch.cat([o[:, :2], o[:, :2] + 1.5], 1), torch.cat([o[:, 1:], o[:, 1:] + 1.2], 1))
deform_conv2d: torchvision.ops.deform_conv2d(e, torch.sin(torch.cat([e, e], 1))[:, :8, 1:, 1:], e.reshape(-1)[:32].reshape(2, 4, 2, 2), mask=torch.sigmoid(e)[:, :, 1:, 1:])
cov: torch.cov(m)
corrcoef: torch.corrcoef(m)
tensordot: torch.tensordot(x, y, dims=([1, 2], [1, 2]))
baddbmm: torch.baddbmm(s, s, s, beta=0.5, alpha=2)
addbmm: torch.addbmm(s[0], s, s, beta=0.5, alpha=2)
addcdiv: torch.addcdiv(x, y, p, value=0.5)
vander: torch.vander(v, 4)
cartesian_prod: torch.cartesian_prod(v, w)
combinations: torch.combinations(v, 2)
aminmax: torch.aminmax(x, dim=1)
nextafter: torch.nextafter(x, y)
hypot: torch.hypot(x, y)
signbit: torch.signbit(n)
sgn: torch.sgn(x)
rad2deg: torch.rad2deg(x)
deg2rad: torch.deg2rad(x)
frexp: torch.frexp(x)
clamp_min_tensor: torch.clamp_min(x, u)
bucketize: torch.bucketize(x, torch.sort(v)[0], right=True)
searchsorted: torch.searchsorted(torch.sort(m)[0], d)
cummin: torch.cummin(x, 1)
cumprod: torch.cumprod(x, 1)
take_along_dim: torch.take_along_dim(x, torch.argsort(x, 1), 1)
gather: torch.gather(m, 1, k[:, :3].t()[:, :2] % 3)
msort: torch.msort(x)
argsort_descending: torch.argsort(x, dim=1, descending=True)
segment_reduce: torch.segment_reduce(v, 'sum', lengths=torch.tensor([2, 3]))
scatter_reduce_prod: torch.scatter_reduce(m, 1, k[:, :3].t() % 4, d, 'prod', include_self=False)
select_scatter: torch.select_scatter(x, y[:, 0], 1, 2)
slice_scatter: torch.slice_scatter(x, y[:, :, :2], 2, 0, 4, 2)
rot90: torch.rot90(x, 3, [1, 2])
roll: torch.roll(x, [1, -1], [0, 2])
unfold: x.unfold(2, 2, 1)
fold: F.fold(F.unfold(e, 2), [6, 5], 2)
pixel_unshuffle: F.pixel_unshuffle(e[:, :, :, :4], 2)
native_group_norm: F.group_norm(e, 2, p[0, 0], y[0, 0])
local_response_norm: F.local_response_norm(e, 3)
alpha_dropout: F.alpha_dropout(x, 0.5, False)
softmin: F.softmin(x, 1)
softsign: F.softsign(x)
rrelu: F.rrelu(x)
glu: F.glu(x, 2)
bilinear: F.bilinear(m, d, o.t()[:2, :, None] * d[0, None, None, :])
embedding_bag: F.embedding_bag(k, m, mode='max')
pairwise_distance: F.pairwise_distance(m, d, p=1.5)
cosine_similarity: F.cosine_similarity(x, y, dim=1)
normalize: F.normalize(x, p=3, dim=1)
one_hot: F.one_hot(k, 4)
matrix_norm_nuclear: torch.linalg.matrix_norm(m, 'fro')
vector_norm: torch.linalg.vector_norm(x, 3, dim=[1, 2])
diff: torch.diff(x, n=2, dim=2)
gradient: torch.gradient(v)
logspace: torch.logspace(0, 2, 5) * x[0, 0, 0]
bartlett: torch.bartlett_window(7) * x[0, 0, 0]
blackman: torch.blackman_window(7) * x[0, 0, 0]
hamming: torch.hamming_window(7, periodic=False) * x[0, 0, 0]
kaiser: torch.kaiser_window(7) * x[0, 0, 0]
sign_nan: torch.sign(n * 0)
pow_negative: torch.pow(j - 3, i - 2)
rpow_negative: torch.pow(-1, i)
wide_fmod: torch.fmod(wide, j - 8)
wide_floor_divide: torch.div(wide, j - 8, rounding_mode="floor")
wide_pow: torch.pow(wide, 3)
wide_prod: torch.prod(wide, 2)
wide_remainder: torch.remainder(wide, j - 8)
wide_sign: torch.sign(wide)
wide_sum: torch.sum(wide, 1)
index_add_0d: torch.index_add(v[0], 0, l[:1] * 0, w[0], alpha=-1)
index_add_0d_uint8: torch.index_add(q[0].byte(), 0, l[:1] * 0, q[1].byte(), alpha=-1)
index_copy_0d: torch.index_copy(v[0], 0, l[:1] * 0, w[0])
index_reduce_amax_0d: torch.index_reduce(v[0], 0, l[:1] * 0, w[0], 'amax')
index_fill_0d: torch.index_fill(v[0], 0, l[:1] * 0, 2.5)
scatter_0d: torch.scatter(v[0], 0, l[0] * 0, 2.5)
scatter_reduce_amin_0d: torch.scatter_reduce(v[0], 0, l[0] * 0, w[0], 'amin')
cosine_broadcast: torch.cosine_similarity(x[:1], y[:, :1], -2)
cosine_0d: torch.cosine_similarity(v[0], w[0], 0)
pairwise_distance_int64: torch.pairwise_distance(i, j, keepdim=True)
pairwise_distance_uint8: torch.pairwise_distance(i.byte(), j.byte(), keepdim=True)
margin_ranking_int32: F.margin_ranking_loss(i.int(), j.int(), (i % 3).int(), margin=0.5, reduction='sum')
margin_ranking_uint8: F.margin_ranking_loss(i.byte(), j.byte(), (j + 9).byte(), reduction='none')
triplet_uint8: F.triplet_margin_loss(i[0].byte(), j[0].byte(), (i[0] + j[0]).byte())
trapezoid_uint8: torch.trapezoid(i.byte(), j.byte(), dim=1)
trapezoid_even_uint8: torch.trapezoid(i.byte(), dx=0.5, dim=1)
cumulative_trapezoid_uint8: torch.cumulative_trapezoid(i.byte(), j.byte(), dim=1)
einsum_int32_sum: torch.einsum('abc->ac', i.int())
einsum_uint8: torch.einsum('abc,abd->acd', i.byte(), j.byte())
einsum_ellipses: torch.einsum('...ik,...j->ij', x[:1], v)
diff_order_0: torch.diff(x, n=0, prepend=y)
hypot_large_double: torch.hypot(x.double() * 1e300, y.double() * 1e300)
hypot_infinite: torch.hypot(n, n * float('nan'))
bilinear_uint8: F.interpolate((e * 40 + 120).byte(), [9, 4], mode='bilinear')
bilinear_corners_uint8: F.interpolate((e * 40 + 120).byte(), [9, 4], mode='bilinear', align_corners=True)
bicubic_uint8: F.interpolate((e * 40 + 120).byte(), [9, 4], mode='bicubic')
bicubic_antialias_uint8: F.interpolate((e * 40 + 120).byte(), [4, 3], mode='bicubic', antialias=True)
bilinear_double: F.interpolate(e.double(), scale_factor=1.7, mode='bilinear')
trilinear_double: F.interpolate(h.double(), [7, 4, 3], mode='trilinear')
nearest_double: F.interpolate(e.double(), [4, 9])
nearest_exact_double: F.interpolate(e.double(), [4, 9], mode='nearest-exact')
bilinear_factors: torch._C._nn.upsample_bilinear2d(e, [8, 9], False, 1.4, 1.9)
antialias_factors: torch._C._nn._upsample_bilinear2d_aa(e, [4, 2], False, 0.7, 0.55)
area_factor: F.interpolate(e, scale_factor=1.7, mode='area')
linear_of_nothing: F.linear(m[:, :0], d[:, :0], d[:, 0])
mean_of_nothing: torch.stack([torch.mean(x[:, :0], 1), x[:, 0]])
var_mean_of_nothing: torch.stack([*torch.var_mean(x[:, :0], 1), x[:, 0]])
erfc_of_nothing: torch.cat([torch.erfc(x[:, :0]), x], 1)
stack_of_nothing: torch.cat([torch.stack([x[:, :0], y[:, :0]], 1), torch.stack([x, y], 1)], 2)
pixel_unshuffle_of_nothing: F.pixel_unshuffle(e[:0, :, :, :4], 2)
unique_consecutive_of_nothing: torch.unique_consecutive(q[:0], return_inverse=True)
slogdet_of_nothing: torch.linalg.slogdet(s[:, :0, :0])
matrix_norm_of_nothing: torch.linalg.norm(m[:0], 2, keepdim=True)
det_double: torch.linalg.det(s.double())
solve_right: torch.linalg.solve(s, s[:, :2], left=False)
grid_sample_half: F.grid_sample(e.half(), torch.tanh(e[:, :2]).permute(0, 2, 3, 1).half(), align_corners=False)
grid_sample_bicubic_half: F.grid_sample(e.half(), torch.tanh(e[:, :2]).permute(0, 2, 3, 1).half(), 'bicubic', 'reflection', align_corners=True)
grid_sample_bicubic_double: F.grid_sample(e.double(), torch.tanh(e[:, :2]).permute(0, 2, 3, 1).double() * 1.5, 'bicubic', align_corners=False)
grid_sample_tricubic: F.grid_sample(h, torch.tanh(h.permute(0, 2, 3, 4, 1)[..., :1] * x[0, 0, :3]), 'bicubic', 'border', align_corners=False)
addbmm_half: torch.addbmm(s[0].half(), s.half() * 5, s.half() * 3, alpha=0.6)
soft_margin_half: F.soft_margin_loss(x.half() * 9, f.half(), reduction='none')
histc_half: torch.histc(g.half() * 3, 20, 0, 10)
scatter_add_half: torch.scatter_add(m.half(), 1, k[:, :3].t() % 4, d.half())
index_put_half: torch.index_put(m.half(), [k[0] % 3], d.half()[:1], accumulate=True)
embedding_bag_half: F.embedding_bag(k, m.half(), mode='sum')
ldexp_half: torch.ldexp(x.half(), i.int())
softplus_double: F.softplus(x.double() * 9)
mish_double: F.mish(x.double())
log_sigmoid_double: F.logsigmoid(x.double())
pixel_shuffle_int32: F.pixel_shuffle((e * 9).int(), 2)
pixel_shuffle_bool: F.pixel_shuffle(e > 0, 2)
max_pool_dilated: F.max_pool2d(e, 2, 3, dilation=3, ceil_mode=True, return_indices=True)
conv2d_int64: F.conv2d((e * 9).long(), (e * 5).long()[:, :, :3, :2], padding=1)
conv_transpose2d_int64: F.conv_transpose2d((e * 9).long(), (e * 5).long().transpose(0, 1)[:, :, :2, :2], stride=2)
avg_pool_int64: F.avg_pool2d((e * 9).long(), 2, padding=1, count_include_pad=False)
logit_eps: torch.logit(torch.sigmoid(x), 0.6)
nonzero_0d: torch.nonzero(v[0])
unfold_0d: v[0].unfold(0, 1, 1)
squeeze_no_axes: torch.squeeze(x[:1], [])
index_select_0d: torch.index_select(v[0], 0, l[:1] * 0)
masked_scatter_broadcast: torch.masked_scatter(x[0], b, y)
tensor_split_computed: torch.tensor_split(x, l, 2)
one_hot_counted: F.one_hot(k)
linspace_computed: torch.linspace(v[0], v[1], 7)
linspace_int64: torch.linspace(i[0, 0, 0], j[0, 0, 0] + 9, 7, dtype=torch.int64)
logspace_computed: torch.logspace(v[0], v[1], 5, base=2)
alias_copy: torch.alias_copy(x)
as_strided_copy: torch.as_strided_copy(x, [3, 2], [4, 2], 1)
as_strided_scatter: torch.as_strided_scatter(x, z, [2, 3], [12, 4], 1)
embedding_renorm: F.embedding(k, m.clone(), max_norm=1.3)
detach_copy: torch.detach_copy(x)
diagonal_copy: torch.diagonal_copy(x, 1, 1, 2)
expand_copy: torch.expand_copy(z[:, :1], [2, 3])
narrow_copy: torch.narrow_copy(x, 1, 1, 2)
permute_copy: torch.permute_copy(x, [2, 0, 1])
select_copy: torch.select_copy(x, 1, 2)
slice_copy: torch.slice_copy(x, 2, 1, 4, 2)
split_copy: torch.split_copy(x, 2, 1)
split_with_sizes_copy: torch.split_with_sizes_copy(x, [1, 3], 2)
squeeze_copy: torch.squeeze_copy(x[:1])
t_copy: torch.t_copy(m)
transpose_copy: torch.transpose_copy(x, 0, 2)
unbind_copy: torch.unbind_copy(x, 1)
unfold_copy: torch.unfold_copy(x, 2, 2, 1)
unsqueeze_copy: torch.unsqueeze_copy(x, 1)
view_copy: torch.view_copy(x, [4, 6])
matrix_h: m.H
safe_softmax: torch._safe_softmax(torch.where(b[:, :, :1], x, float('-inf')), 2)
sum_to_size: x.sum_to_size(3, 1)
sum_to_size_int32: i.int().sum_to_size(3, 1)
unsafe_index: torch._unsafe_index(x, [k % 2, k])
unsafe_masked_index: torch._unsafe_masked_index(o, b[0, :2], [k * 3, k], -2.0)
empty: torch.empty([2, 3]).copy_(z)
new_empty_strided: x.new_empty_strided([2, 3], [3, 1]).copy_(z)
chunk_cat: torch._chunk_cat([m, d], 0, 2)
native_batch_norm_legit: torch.ops.aten._native_batch_norm_legit.no_stats(e, p[0, 0], y[0, 0], True, 0.1, 1e-5)
layer_norm_statistics: torch.native_layer_norm(x, [4], p[0, 0], y[0, 0], 1e-5)
group_norm_statistics: torch.native_group_norm(e, p[0, 0], y[0, 0], 2, 4, 30, 2, 1e-5)
mvlgamma: torch.mvlgamma(g + 2, 3)
multigammaln: torch.special.multigammaln(g + 2, 2)
i0: torch.i0(x * 3)
special_i0: torch.special.i0(x * 20)
i0e: torch.special.i0e(x * 20)
i1: torch.special.i1(x * 20)
i1e: torch.special.i1e(x * 20)
feature_alpha_dropout: torch.feature_alpha_dropout(x, 0.5, False)
nonzero_static: torch.nonzero_static(i * b, size=20)
linalg_diagonal: torch.linalg.diagonal(s, offset=1)
cov: torch.cov(m)
cov_weights: torch.cov(m, correction=2, fweights=j[0, 0], aweights=p[0, 0])
cov_ints: torch.cov(i[0], correction=0)
cov_single: torch.cov(v)
corrcoef: torch.corrcoef(m)
corrcoef_single: torch.corrcoef(v)
frexp: torch.frexp(x * 10)
frexp_special: torch.frexp(n)
frexp_powers: torch.frexp(torch.exp2(i.float()))
frexp_subnormal: torch.frexp(x.double() * 1e-310)
frexp_half: torch.frexp(x.half())
polygamma_1: torch.polygamma(1, x * 3)
polygamma_4: torch.polygamma(4, x * 3)
polygamma_7: torch.polygamma(7, p * 5)
polygamma_integers: torch.polygamma(3, i)
erfcx: torch.special.erfcx(x * 5)
log_ndtr: torch.special.log_ndtr(x * 8)
linear_systems: (*torch.linalg.inv_ex(s), *torch.linalg.solve_ex(s, s), *torch.linalg.cholesky_ex(t), torch.cholesky_solve(s, t), torch.cholesky_inverse(t, upper=True), *torch.triangular_solve(s, t), torch.linalg.tensorinv(s[:1], 2), torch.linalg.tensorsolve(s[0], v[:3]), torch.linalg.vander(v, N=3))
random_points: (torch.normal(x, 0.0), x.clone().normal_(5, 0), x.clone().log_normal_(0, 1e-9), x.clone().uniform_(2, 2), torch.bernoulli(x, 1.0), torch.randint(3, 4, [2]), torch.randint_like(x, 1), torch.randperm(1), torch.multinomial((x[0] == x[0].max(1, True)[0]).float(), 1), x.clone().geometric_(0.9999999), torch.poisson(0 * x), x.clone().exponential_(1e9), x.clone().cauchy_(2, 1e-14), 0 * torch.rand(2), 0 * torch.rand_like(x), 0 * torch.randn(2), 0 * torch.randn_like(x))
modified_bessel_i0: torch.special.modified_bessel_i0(x)
modified_bessel_i1: torch.special.modified_bessel_i1(x)
spherical_bessel_j0: torch.special.spherical_bessel_j0(n * 3)
hfft: torch.fft.hfft(torch.fft.fft(x, dim=1), dim=1)
hfft_odd: torch.fft.hfft(torch.fft.fft(x, dim=1), n=5, dim=1, norm='ortho')
hfft2: torch.fft.hfft2(torch.fft.fft2(x), norm='forward')
hfftn: torch.fft.hfftn(torch.fft.fftn(x), s=[3, 5, 4])
hfft_of_reals: torch.fft.hfft(x)
irfft_of_reals: torch.fft.irfft(x, n=5)
ihfft: torch.view_as_real(torch.fft.ihfft(x, dim=1).resolve_conj())
ihfft2: torch.view_as_real(torch.fft.ihfft2(x, s=[4, 5], norm='ortho'))
ihfftn: torch.view_as_real(torch.fft.ihfftn(x))
"""


# Layers with dynamically quantized weights: the layer, and its call. Weights are float16 where the name says half, and have a scale for each
# output where it says channel.
QUANTIZED = """
linear_half: Linear(4, 3): self.layer(x)
lstm: LSTM(4, 3): self.layer(x)
lstm_stacked: LSTM(4, 3, 2, bidirectional=True, batch_first=True, dropout=0.3): self.layer(x)
lstm_channel: LSTM(4, 3): self.layer(x)
lstm_half: LSTM(4, 3): self.layer(x)
lstm_states: LSTM(4, 4): self.layer(x, (y[:1], p[:1]))
lstm_packed: LSTM(4, 3, bidirectional=True): padded(self.layer(packed(x * 3, [1, 2, 1])))
gru: GRU(4, 3): self.layer(x)
gru_stacked: GRU(4, 3, 2, bidirectional=True, batch_first=True): self.layer(x)
gru_packed: GRU(4, 3): padded(self.layer(packed(x * 3, [2, 1, 1])))
lstm_cell: LSTMCell(4, 4): self.layer(m, (d, d * 2))
gru_cell: GRUCell(4, 4): self.layer(m, d)
rnn_cell: RNNCell(4, 4): self.layer(m, d)
rnn_relu_cell: RNNCell(4, 4, nonlinearity='relu'): self.layer(m, d)
"""


def packed(x, lengths):
    return torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor(lengths), enforce_sorted=False)


def padded(result):
    return torch.nn.utils.rnn.pad_packed_sequence(result[0])[0], result[1]


def quantized(layer, name):
    kinds = torch.ao.quantization
    half = {"qconfig_spec": {type(layer)}, "dtype": torch.float16}
    by_channel = {"qconfig_spec": {type(layer): kinds.per_channel_dynamic_qconfig}}
    how = half if "half" in name else by_channel if "channel" in name else {"qconfig_spec": {type(layer)}}
    return kinds.quantize_dynamic(torch.nn.Sequential(layer.eval()), **how)[0]


def with_special(x):
    x.flat[[1, 5, 9]] = [np.inf, -np.inf, -0.0]
    return x


def positive_definite(random):
    x = random.standard_normal((2, 3, 3))
    return x @ x.transpose(0, 2, 1) + np.eye(3)


def flattened(result):
    if isinstance(result, torch.Tensor):
        return [result]
    return [leaf for part in result for leaf in flattened(part)]


def record(name, call, folder, exports, layer=None):
    used = [key for key in INPUTS if re.search(rf"(?<![\w.]){key}(?![\w(=])", call)]
    random = np.random.default_rng(zlib.crc32(name.encode()))
    values = {key: INPUTS[key](random) for key in used}
    tensors = [torch.from_numpy(np.ascontiguousarray(v.astype(np.float32) if v.dtype == np.float64 else v)) for v in values.values()]
    scope = {"torch": torch, "F": F, "torchvision": torchvision, "packed": packed, "padded": padded}
    exec(f"class Model(torch.nn.Module):\n    def forward(self, {', '.join(used)}):\n        return {call}\n", scope)
    model = scope["Model"]().eval()
    if layer is not None:
        model.layer = layer
    with torch.no_grad():
        outputs = [output.detach().numpy() for output in flattened(model(*tensors))]
        os.makedirs(os.path.join(folder, "test_data_set_0"))
        if exports:
            program = torch.export.export(model, tuple(tensors))
            torch.export.save(program, os.path.join(folder, "model.pt2"))
            names = [spec.arg.name for spec in program.graph_signature.output_specs if spec.kind.name == "USER_OUTPUT"]
        else:
            torch.jit.trace(model, tuple(tensors), check_trace=False).save(os.path.join(folder, "model.pt"))
            names = [f"output_{i}" for i in range(len(outputs))]
    for kind, arrays in (("input", list(zip(used, (t.numpy() for t in tensors)))), ("output", list(zip(names, outputs)))):
        for i, (label, array) in enumerate(arrays):
            with open(os.path.join(folder, "test_data_set_0", f"{kind}_{i}.pb"), "wb") as file:
                file.write(numpy_helper.from_array(array, label).SerializeToString())
    is_half = any(output.dtype == np.float16 for output in outputs)
    ports = lambda items: [{"name": label, "shape": list(a.shape), "dtype": str(a.dtype)} for label, a in items]
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump({"name": name, "framework": f"torch {torch.__version__}", "format": "pt2" if exports else "torchscript_trace",
                   "category": "calls", "inputs": ports(zip(used, (t.numpy() for t in tensors))), "outputs": ports(zip(names, outputs)),
                   "atol": 1e-3 if is_half else 1e-5, "rtol": 2e-3 if is_half else 1e-4, "source": call}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--only", default="")
    parser.add_argument("--export", action="store_true")
    a = parser.parse_args()
    torch.set_num_threads(1)
    recorded = 0
    lines = [(*line.split(": ", 1), None) for line in filter(None, CALLS.splitlines())]
    if not a.export:  # exported programs do not contain quantized weights
        layers = [line.split(": ") for line in filter(None, QUANTIZED.splitlines())]
        lines += [(f"quantized_{name}", call, layer) for name, layer, call in layers]
    for name, call, layer in lines:
        if not re.search(a.only, name):
            continue
        if layer is not None:
            torch.manual_seed(zlib.crc32(name.encode()))
            layer = quantized(eval(f"torch.nn.{layer}"), name)
        name = ("call_pt2_" if a.export else "call_") + name
        folder = os.path.join(a.out, name)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            record(name, call, folder, a.export, layer)
            recorded += 1
        except Exception as error:  # PyTorch rejects the call, or cannot trace it
            print(f"{name}: {str(error).splitlines()[0]}")
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{recorded} cases in {a.out}")


if __name__ == "__main__":
    main()
