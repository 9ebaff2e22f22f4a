"""Random steps that grow a graph of TensorFlow, for tensorflow_models.py."""
import contextlib
import numpy as np
import tensorflow as tf

import tensorflow_lists as lists
import tensorflow_recurrent as recurrent
import tensorflow_states as states

v1 = tf.compat.v1
NOT_TOGETHER = (ValueError, TypeError, KeyError, AttributeError, NotImplementedError, IndexError, tf.errors.OpError)


class Model:
    """A graph that grows: tensors by their kind."""

    def __init__(self, rng, numbers, isGraph, isOpen):
        self.rng, self.numbers, self.isGraph, self.isOpen = rng, numbers, isGraph, isOpen
        self.sequences, self.images, self.vectors, self.ids, self.texts, self.others = [], [], [], [], [], []
        self.lengths = None
        self.variables, self.tables = [], []
        self.layers = 0
        self.isWriting = False  # variables
        self.cells = []
        self.notes = []  # what was drawn

    def fill(self, inputs, tensors):
        """The given tensors of the inputs."""
        self.given = list(tensors)
        for (_, kind, _, _), x in zip(inputs.specs, tensors):
            if kind == "lengths":
                self.lengths = x
            else:
                getattr(self, kind if kind in ("ids", "texts") else kind + "s").append(x)
        self.dtype = self.sequences[0].dtype

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, kind):
        pool = getattr(self, kind)
        if not pool:
            raise ValueError(f"no {kind}")
        return self.rng.choice(pool[-4:])

    def weight(self, *shape):
        value = self.numbers.normal(0, 0.5, shape)
        if self.chance(0.3):
            return tf.constant(value, self.dtype)
        if self.isGraph:
            self.layers += 1
            return v1.get_variable(f"weight{self.layers}", shape, self.dtype)
        self.layers += 1
        if len(self.variables) < self.layers:
            with tf.init_scope():
                self.variables.append(tf.Variable(value.astype(self.dtype.as_numpy_dtype)))
        return self.variables[self.layers - 1]

    def put(self, *results):
        for x in results:
            if x.dtype == tf.string:
                (self.texts if x.shape.rank == 1 else self.others).append(x)
                continue
            if x.dtype == tf.bool:
                x = tf.cast(x, tf.int32)
            if x.dtype.is_integer:
                (self.ids if x.shape.rank == 2 and x.dtype in (tf.int32, tf.int64) else self.others).append(x)
            elif x.dtype != self.dtype:
                self.others.append(x)
            else:
                pools = {2: self.vectors, 3: self.sequences, 4: self.images}
                pools.get(x.shape.rank, self.others).append(x)


def features(x):
    if x.shape[-1] is None:
        raise ValueError("open features")
    return x.shape[-1]


def mask_of(m, x, dtype=None):
    return tf.sequence_mask(m.lengths, tf.shape(x)[1], dtype=dtype or x.dtype)


def any_tensor(m):
    return m.pick(m.rng.choice(["sequences", "sequences", "vectors", "images"]))


def elementwise(m):
    x = any_tensor(m)
    y = x[:1] if m.chance(0.3) else x[..., :1] if m.chance(0.3) else x
    m.put(m.rng.choice([
        lambda: tf.tanh(x) + y, lambda: tf.nn.relu(x) - 0.5 * y, lambda: tf.math.exp(-tf.square(x)), lambda: tf.nn.softplus(x), lambda: tf.nn.elu(x), lambda: tf.nn.selu(x),
        lambda: tf.nn.leaky_relu(x, 0.3), lambda: tf.nn.gelu(x, approximate=m.chance(0.5)), lambda: tf.nn.swish(x), lambda: tf.nn.softsign(x),
        lambda: tf.math.log1p(tf.abs(x)), lambda: tf.math.rsqrt(1 + tf.square(x)), lambda: tf.math.erf(x), lambda: tf.where(x > 0, x, y * tf.ones_like(x)),
        lambda: tf.minimum(x, y), lambda: tf.maximum(x, 0.2 * y), lambda: x / (1.5 + tf.abs(y)), lambda: tf.math.squared_difference(x, y),
        lambda: tf.clip_by_value(x, -0.7, 0.9), lambda: tf.math.atan2(x, 1.1 + tf.abs(y)), lambda: tf.math.divide_no_nan(x, tf.nn.relu(y)),
        lambda: tf.sign(x) * tf.sqrt(tf.abs(x)), lambda: tf.math.xlogy(tf.abs(x), 1 + tf.abs(y)), lambda: tf.nn.relu6(3.0 * x),
        lambda: tf.nn.softmax(x), lambda: tf.nn.log_softmax(x), lambda: tf.nn.l2_normalize(x, -1), lambda: tf.math.floormod(x, 1.5), lambda: tf.math.pow(tf.abs(x), 1.5),
        lambda: tf.math.cumsum(x, axis=m.rng.choice([0, 1, -1]), exclusive=m.chance(0.5), reverse=m.chance(0.5)), lambda: tf.math.sinh(tf.tanh(x)),
        lambda: tf.cast(x > y, x.dtype) * x, lambda: tf.add_n([x, x, x]), lambda: tf.math.accumulate_n([x, x]), lambda: tf.logical_or(x > 0.5, y < -0.5)])())


def reducing(m):
    x = any_tensor(m)
    rank = x.shape.rank
    axis = m.rng.choice([None, 0, 1, -1, [0, 1], [-1, 0], list(range(1, rank)), tf.range(1, tf.rank(x))])
    keep = m.chance(0.5)
    reduce = m.rng.choice([tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp, tf.math.reduce_std, tf.math.reduce_variance,
                           tf.math.reduce_euclidean_norm, lambda a, **k: tf.reduce_any(a > 0.5, **k), lambda a, **k: tf.reduce_all(a > -1, **k),
                           lambda a, **k: tf.math.count_nonzero(tf.nn.relu(a), **k), lambda a, **k: tf.reduce_prod(tf.tanh(a), **k)])
    if isinstance(axis, tf.Tensor) and not keep:
        axis = 1
    y = reduce(x, axis=axis, keepdims=keep)
    m.put(y)
    if keep and y.dtype == x.dtype:
        m.put(x - y)


def joining(m):
    x = any_tensor(m)
    time = tf.shape(x)[1]
    m.put(*m.rng.choice([
        lambda: [tf.concat([x, x * 2.0], m.rng.choice([0, 1, -1]))], lambda: [tf.reshape(tf.stack([x, -x], 1), tf.concat([[-1], tf.shape(x)[1:]], 0))],
        lambda: tf.split(x, [1, features(x) - 1], -1), lambda: tf.unstack(x, axis=-1)[:2], lambda: [tf.tile(x, [1] * (x.shape.rank - 1) + [2])],
        lambda: [tf.repeat(x, 2, axis=1)], lambda: [tf.repeat(x, tf.range(time) % 3, axis=1)], lambda: [tf.transpose(x, [0, x.shape.rank - 1, *range(1, x.shape.rank - 1)])],
        lambda: [tf.reshape(x, [tf.shape(x)[0], -1])], lambda: [tf.reshape(x, [-1, features(x)])], lambda: [tf.expand_dims(tf.squeeze(x[:, :1], 1), 1) + x],
        lambda: [tf.broadcast_to(x[:, :1], tf.shape(x)) * x], lambda: [tf.reverse(x, [1, -1])], lambda: [tf.roll(x, [1, -2], [1, -1])],
        lambda: [tf.concat([tf.zeros_like(x[:, :1]), x[:, :-1]], 1)], lambda: [tf.reshape(tf.repeat(x[:, tf.newaxis], 2, 1), tf.stack([-1, time, features(x)]))],
        lambda: [tf.fill(tf.stack([tf.shape(x)[0], 3]), tf.cast(0.5, x.dtype))], lambda: [tf.reshape(x, tf.concat([tf.shape(x)[:-1], [features(x), 1]], 0))[..., 0]]])())


def slicing(m):
    x = any_tensor(m)
    half = tf.shape(x)[1] // 2
    m.put(m.rng.choice([
        lambda: x[:, ::2], lambda: x[..., -1:], lambda: x[:, tf.newaxis, 1:-1] if x.shape.rank == 3 else x[:, 1:-1], lambda: x[::-1], lambda: x[:, -2:], lambda: x[0], lambda: x[:, 0],
        lambda: x[:, -1], lambda: x[..., 0, tf.newaxis], lambda: x[:, half:], lambda: x[:, :half], lambda: x[:, half], lambda: x[-1:, ::-2], lambda: x[:, 5:1:-1],
        lambda: x[..., ::-1, :2], lambda: tf.slice(x, [0, 1] + [0] * (x.shape.rank - 2), [-1] * x.shape.rank), lambda: x[half:, ..., -2], lambda: x[:, half:half + 2],
        lambda: x[:, -half:], lambda: tf.strided_slice(x, [0, half], [1, 0], [1, -1], end_mask=1), lambda: x[:, 1::tf.maximum(half, 1)], lambda: x[tf.newaxis, ..., 0],
        lambda: tf.slice(x, tf.stack([0, half] + [0] * (x.shape.rank - 2)), [-1, 1] + [-1] * (x.shape.rank - 2))])())


def padding(m):
    x = any_tensor(m)
    inner = [[0, 0]] * (x.shape.rank - 2)
    more = 8 - tf.shape(x)[1]
    m.put(m.rng.choice([
        lambda: tf.pad(x, [[0, 0], [1, 2], *inner], constant_values=m.rng.choice([0, -1.5])), lambda: tf.pad(x, [[0, 0], [1, 1], *inner], "REFLECT"),
        lambda: tf.pad(x, [[0, 0], [2, 1], *inner], "SYMMETRIC"), lambda: tf.pad(x, tf.stack([[0, 0], [0, more], *inner])),
        lambda: tf.pad(x, [[1, 0], [0, 0], *inner[:-1], [0, 1]] if inner else [[1, 0], [0, 1]])])())


def picking(m):
    x = any_tensor(m)
    size = tf.shape(x)[1]
    index = tf.argmax(x, axis=1, output_type=m.rng.choice([tf.int32, tf.int64]))
    few = tf.constant([0, 1, 0], m.rng.choice([tf.int32, tf.int64]))
    flat = tf.reshape(x, [-1, features(x)])
    m.put(*m.rng.choice([
        lambda: [tf.gather(x, few, axis=1)], lambda: [tf.gather(x, size - 1 - tf.range(size), axis=1)], lambda: [tf.gather(x, tf.argsort(x[:, :, 0], axis=1), axis=1, batch_dims=1)],
        lambda: [tf.gather_nd(x, tf.stack([tf.range(tf.shape(x)[0]), tf.zeros([tf.shape(x)[0]], tf.int32)], 1))],
        lambda: [tf.gather_nd(x, tf.cast(few[:, tf.newaxis] % 2, tf.int32), batch_dims=0)] if x.shape[0] else [],
        lambda: [tf.scatter_nd(tf.constant([[1], [3]]), x[0, :2] if x.shape.rank > 2 else x[:1, 0], tf.concat([[size + 4], tf.shape(x[0, :2])[1:]], 0))],
        lambda: [tf.tensor_scatter_nd_update(x, [[0, 0]], x[-1:, -1])], lambda: [tf.tensor_scatter_nd_add(x, [[0, 0], [0, 0]], tf.repeat(x[:1, -1], 2, 0))],
        lambda: [tf.tensor_scatter_nd_max(x, [[0]], x[-1:])], lambda: [tf.math.top_k(x, 2, sorted=True)[0], tf.math.top_k(x, 1)[1]],
        lambda: [tf.sort(x, axis=1, direction=m.rng.choice(["ASCENDING", "DESCENDING"]))], lambda: [index, tf.one_hot(index, size, axis=m.rng.choice([-1, 1]), dtype=x.dtype)],
        lambda: [tf.boolean_mask(flat, flat[:, 0] > 0)], lambda: [tf.cast(tf.where(x[:, :2] > 0), tf.int32)], lambda: [tf.math.in_top_k([0, 1], flat[:2], 1)],
        lambda: [tf.reduce_sum(tf.where(tf.math.is_nan(x), tf.zeros_like(x), x), 1)], lambda: [tf.linalg.band_part(x, 1, 0)], lambda: [tf.linalg.diag(x)],
        lambda: [tf.searchsorted(tf.sort(flat[:, 0]), flat[:, -1])[tf.newaxis]], lambda: [tf.dynamic_partition(flat, tf.cast(flat[:, 0] > 0, tf.int32), 2)[1]],
        lambda: [tf.dynamic_stitch([tf.range(2) * 2, [1, 3]], [flat[:2], flat[1:3]])], lambda: [tf.reverse_sequence(x, m.lengths, seq_axis=1, batch_axis=0)],
        lambda: [tf.linalg.set_diag(x, x[..., 0, :1])] if x.shape.rank == 3 else [tf.histogram_fixed_width(x, [tf.cast(-1.0, x.dtype), tf.cast(1.0, x.dtype)], 5)]])())


def products(m):
    x = m.pick("sequences")
    n = features(x)
    m.put(*m.rng.choice([
        lambda: [tf.einsum("btf,fg->btg", x, m.weight(n, 3))], lambda: [tf.einsum("btf,bsf->bts", x, x)], lambda: [tf.einsum("btf->bft", x)],
        lambda: [tf.einsum("bti,btj->bij", x, x)], lambda: [tf.einsum("...f,f->...", x, m.weight(n))], lambda: [tf.einsum("btf,fhd->bthd", x, m.weight(n, 2, 3))],
        lambda: [tf.matmul(x, x, transpose_b=True)], lambda: [tf.matmul(x, x, transpose_a=True)], lambda: [tf.tensordot(x, m.weight(n, 3), [[2], [0]])],
        lambda: [tf.tensordot(x, m.weight(3, n, 2), [[-1], [1]])], lambda: [tf.matmul(tf.reshape(x, [-1, n]), m.weight(n, 4))], lambda: [tf.linalg.matvec(x, tf.reduce_sum(x, 1))],
        lambda: [tf.nn.bias_add(tf.matmul(x, tf.broadcast_to(m.weight(n, 3), [tf.shape(x)[0], n, 3])), m.weight(3))],
        lambda: [attention(m, x)], lambda: [heads(m, x)], lambda: [layer_norm(m, x)], lambda: [tf.norm(x, axis=-1)], lambda: list(tf.nn.moments(x, [0, 1], keepdims=True))])())


def attention(m, x):
    scores = tf.matmul(x, x, transpose_b=True) / float(features(x)) ** 0.5
    if m.lengths is not None:
        scores += (1.0 - mask_of(m, x)[:, tf.newaxis]) * tf.cast(-1e4, x.dtype)
    if m.chance(0.4):
        scores = tf.where(tf.linalg.band_part(tf.ones_like(scores), -1, 0) > 0, scores, tf.cast(-1e4, x.dtype))
    return tf.matmul(tf.nn.softmax(scores), x)


def heads(m, x):
    n = features(x)
    batch, time = tf.shape(x)[0], tf.shape(x)[1]
    q, k, v = (tf.transpose(tf.reshape(tf.reshape(x, [-1, n]) @ m.weight(n, 4), [batch, time, 2, 2]), [0, 2, 1, 3]) for _ in range(3))
    y = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True)), v)
    return tf.reshape(tf.transpose(y, [0, 2, 1, 3]), [batch, time, 4])


def layer_norm(m, x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, m.weight(features(x)), m.weight(features(x)), 1e-3)


def integers(m):
    x = m.pick("ids")
    kind = m.rng.choice([tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16])
    y = tf.cast(x, kind)
    three = tf.constant(3, kind)
    m.put(*m.rng.choice([
        lambda: [tf.cast(y // three, tf.int32)], lambda: [tf.cast(y % three, tf.int64)], lambda: [tf.cast(tf.bitwise.bitwise_and(y, three), tf.int32)],
        lambda: [tf.cast(tf.bitwise.bitwise_xor(y, three), tf.int32), tf.cast(tf.bitwise.invert(y), tf.int32)], lambda: [tf.cast(tf.bitwise.left_shift(y, three), tf.int32)],
        lambda: [tf.cast(tf.bitwise.right_shift(y, three), tf.int32)], lambda: [tf.cast(y * y * y * y * three, tf.int64)], lambda: [tf.cast(tf.truncatediv(y, three), tf.int32)],
        lambda: [tf.truncatemod(x, 3)], lambda: [tf.cast(x, m.dtype)], lambda: [tf.reduce_sum(y, 1)], lambda: [tf.reduce_max(y, 1), tf.argmin(x, 1)],
        lambda: [tf.cast(tf.cast(x, m.dtype) / 2, tf.int32)], lambda: [tf.one_hot(x, 4, on_value=tf.cast(2, m.dtype), off_value=tf.cast(-1, m.dtype))],
        lambda: [tf.gather(m.weight(10, 3), tf.clip_by_value(x, 0, 9))], lambda: [tf.nn.embedding_lookup(m.weight(12, 4), tf.abs(x))],
        lambda: [tf.unique(tf.reshape(x, [-1]))[0], tf.unique_with_counts(tf.reshape(x, [-1]))[2]], lambda: [tf.math.bincount(tf.abs(tf.cast(x, tf.int32)))],
        lambda: [tf.cast(x, kind) + tf.cast(x, kind)], lambda: [tf.where(x > 2, x, -x), tf.abs(x), tf.sign(x)], lambda: [tf.math.cumsum(x, 1), tf.math.cumprod(y, 1)],
        lambda: [tf.cast(tf.equal(x, x[:, :1]), tf.float32)], lambda: [tf.range(tf.reduce_max(tf.cast(x, tf.int32)), -3, -2)], lambda: [tf.pow(x, 3), tf.square(y)],
        lambda: [tf.minimum(y, tf.cast(tf.shape(x)[1], kind))], lambda: [tf.sort(y, axis=1)], lambda: [tf.linspace(0.0, 1.0, tf.shape(x)[1] + 1)],
        lambda: [tf.sets.size(tf.sparse.from_dense(tf.abs(x)))], lambda: [tf.sparse.to_dense(tf.sparse.reorder(tf.sparse.from_dense(x)))]])())


def segments(m):
    x = tf.reshape(m.pick("sequences"), [-1, 3]) if m.chance(0.3) else m.pick(m.rng.choice(["sequences", "vectors"]))
    rows = tf.shape(x)[0]
    sorted_ids, ids = tf.range(rows) // 2, tf.range(rows) % 3
    if m.chance(0.5):
        ids = tf.cast(ids, tf.int64)
    m.put(m.rng.choice([
        lambda: tf.math.segment_sum(x, sorted_ids), lambda: tf.math.segment_mean(x, sorted_ids), lambda: tf.math.segment_max(x, sorted_ids),
        lambda: tf.math.unsorted_segment_sum(x, ids, rows + 1), lambda: tf.math.unsorted_segment_mean(x, ids, 4), lambda: tf.nn.relu(tf.math.unsorted_segment_max(x, ids, 3)),
        lambda: tf.math.unsorted_segment_prod(x, ids, 4), lambda: tf.math.unsorted_segment_sqrt_n(x, ids, 3),
        lambda: tf.sparse.segment_sum(x, tf.zeros([3], tf.int32), [0, 0, 1]), lambda: tf.sparse.segment_mean(x, tf.zeros([3], tf.int32), [0, 1, 1], num_segments=3)])())


def images(m):
    x = m.pick("images")
    n = features(x)
    size = tf.shape(x)[1:3]
    pad = m.rng.choice(["SAME", "VALID"])
    s = m.rng.choice([1, 2])
    twice = size * 2 if m.chance(0.5) else [7, 9]
    m.put(*m.rng.choice([
        lambda: [tf.nn.conv2d(x, m.weight(3, 2, n, 3), s, pad)], lambda: [tf.nn.conv2d(x, m.weight(3, 3, n, 2), 1, pad, dilations=2)],
        lambda: [tf.nn.conv2d(x, m.weight(3, 3, n, 2), s, [[0, 0], [1, 2], [0, 1], [0, 0]])], lambda: [tf.nn.depthwise_conv2d(x, m.weight(3, 3, n, 2), [1, s, s, 1], pad)],
        lambda: [tf.nn.separable_conv2d(x, m.weight(3, 3, n, 1), m.weight(1, 1, n, 3), [1, s, s, 1], pad)],
        lambda: [tf.nn.conv2d_transpose(x, m.weight(3, 3, 2, n), tf.stack([tf.shape(x)[0], size[0] * 2, size[1] * 2, 2]), 2, "SAME")],
        lambda: [tf.nn.conv2d_transpose(x, m.weight(3, 2, 2, n), tf.stack([tf.shape(x)[0], (size[0] - 1) * 3 + 3, (size[1] - 1) * 3 + 2, 2]), 3, "VALID")],
        lambda: [tf.nn.max_pool2d(x, m.rng.choice([2, 3]), s, pad)], lambda: [tf.nn.avg_pool2d(x, m.rng.choice([2, 3]), s, pad)], lambda: [tf.nn.bias_add(x, m.weight(n))],
        lambda: [tf.compat.v1.nn.fused_batch_norm(x, m.weight(n), m.weight(n), m.weight(n), tf.abs(m.weight(n)) + 1.0, is_training=False)[0]] if m.dtype == tf.float32 else [x],
        lambda: [v1.image.resize_bilinear(x, twice, align_corners=m.chance(0.5))], lambda: [v1.image.resize_nearest_neighbor(x, twice, align_corners=m.chance(0.5))],
        lambda: [tf.image.resize(x, twice, m.rng.choice(["bilinear", "nearest", "bicubic", "area"]))], lambda: [v1.image.resize_bicubic(x, twice, half_pixel_centers=m.chance(0.5))],
        lambda: [tf.image.crop_and_resize(x, m.weight(3, 4) % 1.0, [0, 0, 0], [3, 4], m.rng.choice(["bilinear", "nearest"]))],
        lambda: [tf.image.extract_patches(x, [1, 2, 2, 1], [1, s, 1, 1], [1, 1, 2, 1], pad)], lambda: [tf.image.flip_left_right(x), tf.image.rot90(x)],
        lambda: [tf.image.adjust_contrast(x, 0.7), tf.image.adjust_brightness(x, 0.2)], lambda: [tf.image.rgb_to_hsv(tf.nn.sigmoid(x[..., :3])) if n >= 3 else x],
        lambda: [tf.image.adjust_saturation(tf.nn.sigmoid(x[..., :3]), 0.6), tf.image.adjust_hue(tf.nn.sigmoid(x[..., :3]), 0.2)] if n >= 3 else [x],
        lambda: [tf.image.rgb_to_grayscale(x[..., :3])] if n >= 3 else [x], lambda: [tf.image.per_image_standardization(x)], lambda: [tf.image.central_crop(x, 0.5)],
        lambda: [tf.image.total_variation(x)], lambda: [tf.reshape(tf.image.sobel_edges(x), tf.concat([tf.shape(x)[:3], [2 * n]], 0))], lambda: list(tf.image.image_gradients(x)),
        lambda: [tf.image.pad_to_bounding_box(x, 1, 2, 12, 12)], lambda: [tf.image.resize_with_crop_or_pad(x, 7, 7)], lambda: [tf.image.resize_with_pad(x, 5, 9)],
        lambda: [tf.nn.local_response_normalization(x, 1, bias=1.2)], lambda: [tf.nn.dilation2d(x, m.weight(2, 2, n), [1, s, s, 1], pad, "NHWC", [1, 1, 1, 1])],
        lambda: [tf.nn.erosion2d(x, m.weight(2, 2, n), [1, 1, 1, 1], pad, "NHWC", [1, 2, 1, 1])], lambda: [tf.nn.space_to_depth(tf.pad(x, [[0, 0], [0, size[0] % 2], [0, size[1] % 2], [0, 0]]), 2)],
        lambda: [tf.nn.depth_to_space(tf.concat([x, x, x, x], -1), 2)], lambda: [tf.space_to_batch(x, [2, 2], tf.stack([[0, size[0] % 2], [1, (size[1] + 1) % 2]]))],
        lambda: [tf.batch_to_space(tf.concat([x, -x, x, -x], 0), [2, 2], [[0, 1], [1, 0]])], lambda: [tf.nn.max_pool_with_argmax(x, 2, s, pad)[0]],
        lambda: [tf.reshape(tf.nn.conv1d(tf.reshape(x, [-1, 12, n]), m.weight(3, n, 2), s, pad), [-1, 2])] if not m.isOpen else [tf.reduce_mean(x, [1, 2])],
        lambda: [tf.nn.atrous_conv2d(x, m.weight(3, 3, n, 2), 2, pad)], lambda: [tf.nn.pool(x, [2, 2], "AVG", padding=pad, dilations=[2, 1])],
        lambda: [tf.nn.convolution(tf.nn.relu(tf.pad(x, [[0, 0], [1, 1], [2, 0], [0, 0]])), m.weight(3, 3, n, 4), s, pad)], lambda: [tf.reduce_max(x, [1, 2], keepdims=True) * x],
        lambda: [tf.nn.conv3d(x[:, tf.newaxis], m.weight(1, 2, 2, n, 3), [1, 1, s, s, 1], pad)[:, 0]], lambda: [tf.image.ssim(tf.nn.sigmoid(x), tf.nn.sigmoid(x * 0.5), 1.0, filter_size=3)],
        lambda: [tf.nn.with_space_to_batch(x, [2, 1], pad, lambda y, num_spatial_dims, padding: tf.nn.conv2d(y, m.weight(2, 2, n, 2), 1, padding), filter_shape=[2, 2])]])())


def boxes(m):
    x = m.pick("images") if m.chance(0.5) and m.images else m.pick("sequences")
    flat = tf.reshape(tf.cast(x, tf.float32), [-1, features(x)])
    low = flat[:, :2]
    corners = tf.concat([low, low + 0.2 + tf.abs(flat[:, 1:3])], 1)
    scores = tf.nn.sigmoid(flat[:, 0])
    most = 3 if m.chance(0.6) else tf.shape(flat)[0] // 2
    picked = m.rng.choice([
        lambda: tf.image.non_max_suppression(corners, scores, most, 0.4, 0.3), lambda: tf.image.non_max_suppression_padded(corners, scores, 3, 0.4, pad_to_max_output_size=True)[0],
        lambda: tf.image.non_max_suppression_with_scores(corners, scores, 3, 0.5, soft_nms_sigma=0.0)[0],
        lambda: tf.image.combined_non_max_suppression(corners[tf.newaxis, :, tf.newaxis], tf.stack([scores, 1 - scores], 1)[tf.newaxis], 3, 5, 0.4, 0.2)])()
    if isinstance(picked, tuple):
        m.put(*picked)
    else:
        m.others.append(picked)
        m.others.append(tf.gather(corners, picked))


def texts(m):
    x = m.pick("texts")
    m.put(*m.rng.choice([
        lambda: [tf.strings.join([x, tf.constant("_"), x])], lambda: [tf.strings.regex_replace(x, "[a-c]+", "<")], lambda: [tf.strings.length(x), tf.strings.lower(x)],
        lambda: [tf.strings.upper(x)], lambda: [tf.strings.split(x, ",").to_tensor("none")], lambda: [tf.strings.split(x).to_tensor("")], lambda: [tf.equal(x, "42")],
        lambda: [tf.strings.strip(tf.strings.join([" ", x]))], lambda: [tf.strings.regex_full_match(x, "[a-z ]*")], lambda: [lookup(m, x)], lambda: [tf.strings.as_string(tf.strings.length(x) * 3)],
        lambda: [tf.where(tf.strings.length(x) > 2, x, tf.strings.join([x, "+"]))], lambda: [tf.gather(x, tf.range(tf.shape(x)[0])[::-1])], lambda: [tf.concat([x, ["end"]], 0)],
        lambda: [tf.expand_dims(x, 0)], lambda: [tf.strings.reduce_join(x, 0, separator="|")], lambda: [tf.strings.substr(x, 0, 2)],
        lambda: [tf.strings.to_number(tf.where(tf.strings.regex_full_match(x, "-?[0-9]+"), x, "0"))], lambda: [tf.strings.to_hash_bucket_fast(x, 7)]])())


def lookup(m, x):
    keys, values = tf.constant(["ab", "42", "", "zz"]), tf.constant([3, 5, 7, 9], tf.int64)
    with tf.init_scope() if not m.isGraph else contextlib.nullcontext():
        if m.isGraph:
            table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
        else:
            table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["ab", "42", "", "zz"], [3, 5, 7, 9], tf.string, tf.int64), -1)
            m.tables.append(table)
    return table.lookup(x)


# Loops and branches.


def transition(m, size):
    """A step from a state (batch, size) to the next, by its weights."""
    w = m.weight(size, size)
    return m.rng.choice([lambda h: tf.tanh(h @ w), lambda h: tf.nn.relu(h) - 0.1 * h @ w, lambda h: 0.5 * h + tf.sigmoid(h @ w)])


def branching(m):
    x = any_tensor(m)
    isPositive = m.rng.choice([lambda: tf.reduce_sum(x) > 0, lambda: tf.shape(x)[0] > 2, lambda: tf.reduce_any(x > 2.5)])()
    w = m.weight(features(x))
    y = m.rng.choice([
        lambda: tf.cond(isPositive, lambda: x * 2.0, lambda: x - w), lambda: tf.cond(isPositive, lambda: x[:, :1], lambda: x),
        lambda: tf.cond(isPositive, lambda: [x + w, tf.constant(1)], lambda: [tf.zeros_like(x), tf.constant(2)])[0],
        lambda: tf.cond(isPositive, lambda: tf.cond(tf.shape(x)[1] > 3, lambda: x + 1, lambda: x - 1), lambda: tf.reverse(x, [1])),
        lambda: tf.switch_case(tf.shape(x)[0] - 1, [lambda: x, lambda: x * w, lambda: -x]), lambda: tf.case([(isPositive, lambda: x * 0.5)], default=lambda: x + w, exclusive=False)])()
    m.put(y)


def mapping(m):
    x = m.pick(m.rng.choice(["sequences", "images", "vectors"]))
    n = features(x)
    w = m.weight(n, n)
    later = x[:, :2] if x.shape.rank > 2 else x
    m.put(*m.rng.choice([
        lambda: [tf.map_fn(lambda row: tf.reduce_sum(row, 0) * 2.0, x)], lambda: [tf.map_fn(lambda row: tf.tanh(row) @ w, x) if x.shape.rank == 3 else x],
        lambda: list(tf.map_fn(lambda row: (row[0] + 1.0, tf.reduce_max(row)), x, fn_output_signature=(x.dtype, x.dtype))),
        lambda: [tf.map_fn(lambda row: tf.map_fn(lambda v: tf.reduce_sum(v) * v, row), later)],
        lambda: [tf.map_fn(lambda pair: pair[0] * tf.cast(pair[1], x.dtype), (x, tf.range(tf.shape(x)[0])), fn_output_signature=x.dtype)],
        lambda: [tf.scan(lambda h, row: 0.5 * h + row, tf.transpose(x, [1, 0, *range(2, x.shape.rank)]), reverse=m.chance(0.3))],
        lambda: [tf.scan(lambda h, row: tf.tanh(h @ w + row), tf.transpose(x, [1, 0, 2]), tf.zeros_like(x[:, 0]))] if x.shape.rank == 3 else [x],
        lambda: [tf.foldl(lambda h, row: tf.tanh(h) + row, x)], lambda: [tf.foldr(lambda h, row: h * 0.5 - row, x)],
        lambda: [tf.map_fn(lambda row: tf.cond(tf.reduce_sum(row) > 0, lambda: row, lambda: -row), x)], lambda: [tf.vectorized_map(lambda row: row * 2.0 + tf.reduce_mean(row), x)],
        lambda: [tf.foldl(lambda h, row: (h[0] + row, h[1] * 0.5 + h[0]), x, (tf.zeros_like(x[0]), tf.ones_like(x[0])))[1]],
        lambda: list(tf.scan(lambda h, row: (h[0] + row, h[1] + 1), x, (tf.zeros_like(x[0]), tf.constant(0))))])())


def looping(m):
    x = m.pick("sequences")
    n = features(x)
    step = transition(m, n)
    count = m.rng.choice([lambda: tf.constant(3), lambda: tf.shape(x)[1], lambda: tf.shape(x)[0] + 1])()
    start = x[:, 0]
    steps = tf.transpose(x, [1, 0, 2])
    written = lambda size, **more: tf.TensorArray(x.dtype, size, clear_after_read=False, **more)
    loop = lambda condition, body, state, **more: tf.while_loop(condition, body, state, **more)

    def collected():
        _, h, array = loop(lambda i, h, a: i < count, lambda i, h, a: (i + 1, step(h), a.write(i, h)), (tf.constant(0), start, written(count)))
        return [h, tf.transpose(array.stack(), [1, 0, 2])]

    def read():
        source = written(tf.shape(steps)[0]).unstack(steps)
        _, h, array = loop(lambda i, h, a: i < tf.shape(steps)[0], lambda i, h, a: (i + 1, step(h) + source.read(i), a.write(i, tf.reduce_sum(h, 1))),
                           (0, tf.zeros_like(start), written(tf.shape(steps)[0])))
        return [h, array.stack()]

    def nested():
        def outer(i, h):
            _, total = loop(lambda j, t: j <= i, lambda j, t: (j + 1, t * 0.5 + step(h)), (0, tf.zeros_like(h)))
            return i + 1, h + 0.1 * total
        return [loop(lambda i, h: i < count, outer, (0, start))[1]]

    def nested_arrays():
        def outer(i, a):
            _, inner = loop(lambda j, b: j < 3, lambda j, b: (j + 1, b.write(j, steps[i] * tf.cast(j + i, x.dtype))), (0, written(3)))
            return i + 1, a.write(i, tf.reduce_sum(inner.stack(), 0))
        return [loop(lambda i, a: i < tf.shape(steps)[0], outer, (0, written(tf.shape(steps)[0])))[1].concat()]

    def with_branch():
        def body(i, h):
            return i + 1, tf.cond(i % 2 == 0, lambda: step(h), lambda: tf.cond(tf.reduce_sum(h) > 0, lambda: h - 1.0, lambda: h + 0.5))
        return list(loop(lambda i, h: i < count, body, (0, start)))

    def until():
        return list(loop(lambda i, h: tf.logical_and(i < 9, tf.reduce_mean(tf.abs(h)) > 0.3), lambda i, h: (i + 1, h * 0.6), (0, start)))

    def growing():
        if not m.chance(0.5):
            return [loop(lambda i, h: i < count, lambda i, h: (i + 1, tf.concat([h, steps[i % tf.shape(steps)[0]]], 0)), (0, start),
                         shape_invariants=(tf.TensorShape([]), tf.TensorShape([None, n])))[1]]
        return [loop(lambda i, h: i < count, lambda i, h: (i + 1, tf.concat([h, h[:, -1:] * 0.5], 1)), (0, x),
                     shape_invariants=(tf.TensorShape([]), tf.TensorShape([x.shape[0], None, n])))[1]]

    def dynamic_array():
        _, array = loop(lambda i, a: i < count, lambda i, a: (i + 1, a.write(i, start + tf.cast(i, x.dtype))), (0, written(0, dynamic_size=True)))
        return [array.stack(), array.gather([0])]

    def greedy():
        table = m.weight(5, n)
        def body(i, h, token, tokens):
            h = step(h) + tf.gather(table, token)
            token = tf.argmax(h @ tf.transpose(table), 1, output_type=tf.int32)
            return i + 1, h, token, tokens.write(i, token)
        _, h, _, tokens = loop(lambda i, h, t, a: i < count, body, (0, start, tf.zeros([tf.shape(x)[0]], tf.int32), tf.TensorArray(tf.int32, count)))
        return [h, tf.transpose(tokens.stack())]

    def attending():
        def body(i, h, a):
            weights = tf.nn.softmax(tf.reduce_sum(x * h[:, tf.newaxis], -1))
            context = tf.reduce_sum(x * weights[..., tf.newaxis], 1)
            return i + 1, step(h) + context, a.write(i, context)
        _, h, a = loop(lambda i, h, a: i < count, body, (0, start, written(count)))
        return [h, tf.transpose(a.stack(), [1, 0, 2])]

    def swapped():
        return list(loop(lambda i, a, b: i < count, lambda i, a, b: (i + 1, b, a * 0.5), (0, start, x[:, -1])))

    def masked():
        if m.lengths is None:
            raise ValueError("no lengths")
        lengths = tf.cast(m.lengths, tf.int32)
        return list(loop(lambda i, h: i < tf.reduce_max(lengths), lambda i, h: (i + 1, tf.where((i < lengths)[:, tf.newaxis], step(h) + steps[i], h)), (0, start)))[1:]

    m.put(*m.rng.choice([collected, read, nested, nested_arrays, with_branch, until, growing, dynamic_array, greedy, attending, swapped, masked])())


def listing(m):
    m.put(*tf.nest.flatten(m.rng.choice(lists.PROGRAMS)(m.pick("sequences"))))


def writing(m):
    x = m.pick("sequences")
    share, m.chance = m.chance, lambda share: False  # no constants
    v, w = m.weight(features(x)), m.weight(features(x))
    m.chance = share
    program = m.rng.choice(states.PROGRAMS)
    m.isWriting = True
    made = tf.nest.flatten(program(x, v, w))
    m.notes.append(program.__name__)
    m.put(*made)


def written_by_autograph(m):
    if m.isGraph:
        raise ValueError("functions only")
    x = m.pick("sequences")
    m.put(*m.rng.choice(AUTOGRAPH)(m, x, m.weight(features(x), features(x))))


def auto(function):
    return lambda m, *arguments: tf.nest.flatten(tf.function(function, autograph=True)(*arguments)) if m.chance(0.4) else tf.nest.flatten(tf.autograph.to_graph(function)(*arguments))


def auto_loop(x, w):
    h = tf.zeros_like(x[:, 0])
    for step in tf.transpose(x, [1, 0, 2]):
        if tf.reduce_sum(step) > 0:
            h = tf.tanh(h @ w + step)
        else:
            h = h * 0.5
    return h


def auto_break(x, w):
    h = x[:, 0]
    count = 0
    for i in tf.range(tf.shape(x)[1]):
        if i == 3:
            break
        if i % 2 == 1:
            continue
        h = h + x[:, i] @ w
        count += 1
    return h, count


def auto_array(x, w):
    n = tf.shape(x)[1]
    found = tf.TensorArray(x.dtype, n)
    i = 0
    while i < n:
        h = x[:, i] @ w
        while tf.reduce_max(tf.abs(h)) > 1.0:
            h = h * 0.5
        found = found.write(i, h)
        i += 1
    return tf.transpose(found.stack(), [1, 0, 2])


def auto_return(x, w):
    if tf.reduce_mean(x) > 0.013:
        return x @ w
    if tf.shape(x)[0] > 2:
        return -x
    return x * 3.0


AUTOGRAPH = [auto(f) for f in (auto_loop, auto_break, auto_array, auto_return)]


def calling(m):
    """Functions that are called twice and call each other."""
    if m.isGraph:
        raise ValueError("functions only")
    x = m.pick("sequences")
    w = m.weight(features(x), features(x))
    inner = tf.function(lambda y: tf.tanh(y @ w), autograph=False)
    outer = tf.function(lambda y: inner(y) + inner(y * 0.5) if not m.chance(0.3) else tf.cond(tf.reduce_sum(y) > 0, lambda: inner(y), lambda: inner(-y)), autograph=False)
    m.put(outer(x), inner(outer(x)))


STEPS = [(elementwise, 4), (reducing, 3), (joining, 3), (slicing, 3), (padding, 1), (picking, 3), (products, 3), (integers, 3), (segments, 1), (images, 6), (boxes, 1), (texts, 3),
         (branching, 2), (mapping, 3), (looping, 4), (listing, 4), (writing, 3), (written_by_autograph, 3), (calling, 1), (recurrent.layer, 12)]


def drawn(m):
    focus = m.rng.sample(range(len(STEPS)), 4)
    choice = [step for k, (step, weight) in enumerate(STEPS) for _ in range(weight * (3 if k in focus else 1))]
    count, problems = m.rng.choice([2, 3, 4, 5]), 0
    while count > 0 and problems < 20:
        try:
            step = m.rng.choice(choice)
            step(m)
            m.notes.append(step.__name__) if step is not recurrent.layer else None
            count -= 1
        except NOT_TOGETHER:  # settings that do not go together
            problems += 1
    results = m.sequences[-2:] + m.vectors[-2:] + m.images[-1:] + m.ids[-1:] + m.texts[-1:] + m.others[-2:]
    return [x for x in results if all(x is not y for y in m.given)]
