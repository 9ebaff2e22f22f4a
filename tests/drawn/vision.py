"""Operators on images, boxes and regions."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym
C = mx.sym.contrib


def resize(d):
    x = d.floats((*d.sizes(2, 1, 3), *d.sizes(2, 2, 6)))
    mode, corners = d.one_of("size", "odd_scale", "like", "to_even_up", "to_even_down", "to_odd_up", "to_odd_down"), d.maybe()
    if mode == "like":
        return Drawn(C.BilinearResize2D(*data(2), mode=mode, align_corners=corners), [x, d.floats((1, 1, *d.sizes(2, 1, 9)))])
    settings = {"mode": mode}
    if mode == "size":
        settings = dict(height=d.between(1, 12), width=d.between(1, 12))
    if mode == "odd_scale":
        settings |= dict(scale_height=d.one_of(0.5, 2, 1.7), scale_width=d.one_of(0.5, 2, 3))
    return Drawn(C.BilinearResize2D(*data(1), align_corners=corners, **settings), [x])


def adaptive_pooling(d):
    size = d.one_of((1,), (3,), (2, 5), (4, 1), (7, 7))
    return Drawn(C.AdaptiveAvgPooling2D(*data(1), output_size=size), [d.floats(d.shape(4, 1, 9))])


def upsampling(d):
    if d.maybe():
        return Drawn(S.UpSampling(*data(1), scale=d.between(1, 3), sample_type="nearest", num_args=1), [d.floats(d.shape(4, 1, 4))])
    channels, scale = d.between(1, 3), d.between(2, 4)
    kernel = 2 * scale - scale % 2
    symbol = S.UpSampling(*data(2), scale=scale, sample_type="bilinear", num_filter=channels, num_args=2)
    return Drawn(symbol, [d.floats((1, channels, 3, 4)), d.floats((channels, 1, kernel, kernel))], 1)


def regions(d):
    batch, count, size = d.between(1, 2), d.between(1, 3), d.sizes(2, 4, 9)
    corner = d.numbers.uniform(-3, 10, (count, 2))
    rows = np.concatenate([d.numbers.randint(0, batch, (count, 1)), corner, corner + d.numbers.uniform(-1, 12, (count, 2))], 1)
    inputs, pooled = [d.floats((batch, 2, *size)), rows.astype("float32")], d.sizes(2, 1, 4)
    if d.maybe():
        return Drawn(S.ROIPooling(*data(2), pooled_size=pooled, spatial_scale=d.one_of(1.0, 0.5, 0.25)), inputs)
    settings = d.some(sample_ratio=d.one_of(-1, 1, 2, 3), aligned=d.maybe())
    return Drawn(C.ROIAlign(*data(2), pooled_size=pooled, spatial_scale=d.one_of(1.0, 0.5), **settings), inputs)


def rectangles(d, shape, form):
    x = d.numbers.rand(*shape, 4)
    if form == "corner":
        x[..., 2:] += x[..., :2]
    return x.astype("float32")


def box_iou(d):
    form = d.one_of("corner", "center")
    return Drawn(C.box_iou(*data(2), format=form), [rectangles(d, (d.between(1, 5),), form), rectangles(d, (d.between(1, 4),), form)])


def box_nms(d):
    form, batch, count = d.one_of("corner", "center"), d.between(1, 2), d.between(1, 8)
    classes = d.integers((batch, count, 1), 0, 3)
    scores = d.distinct((batch, count, 1)) / (batch * count)
    x = np.concatenate([classes, scores, rectangles(d, (batch, count), form)], -1).astype("float32")
    settings = d.some(overlap_thresh=d.one_of(0.3, 0.7), valid_thresh=0.3, topk=3, id_index=0, background_id=0, force_suppress=d.maybe(),
                      out_format=d.one_of("corner", "center"))
    return Drawn(C.box_nms(*data(1), coord_start=2, score_index=1, in_format=form, **settings), [x])


def anchors(d):
    settings = d.some(sizes=d.one_of((0.5, 0.25), (0.9, 0.3, 0.1)), ratios=d.one_of((1, 2), (1, 2, 0.5)), clip=d.maybe(), steps=(0.2, 0.3),
                      offsets=(0.3, 0.7))
    return Drawn(C.MultiBoxPrior(*data(1), **settings), [d.floats((1, 2, *d.sizes(2, 1, 5)))])


def sampled(d):
    shape, size = (d.between(1, 2), 2, *d.sizes(2, 3, 6)), d.sizes(2, 2, 5)
    if d.maybe():
        return Drawn(S.BilinearSampler(*data(2)), [d.floats(shape), d.numbers.uniform(-1.2, 1.2, (shape[0], 2, *size)).astype("float32")])
    symbol = S.SpatialTransformer(*data(2), target_shape=size, transform_type="affine", sampler_type="bilinear")
    return Drawn(symbol, [d.floats(shape), d.floats((shape[0], 6), scale=0.7)])


def grid(d):
    size, batch = d.sizes(2, 1, 5), d.between(1, 3)
    if d.maybe():
        return Drawn(S.GridGenerator(*data(1), transform_type="affine", target_shape=size), [d.floats((batch, 6))])
    return Drawn(S.GridGenerator(*data(1), transform_type="warp"), [d.floats((batch, 2, *(s + 1 for s in size)))])


def correlation(d):
    settings = d.some(max_displacement=2, stride1=2, stride2=2, is_multiply=d.maybe())
    inputs = [d.floats((1, 2, 6, 7)), d.floats((1, 2, 6, 7))]
    return Drawn(S.Correlation(*data(2), kernel_size=d.one_of(1, 3), pad_size=d.between(2, 4), **settings), inputs)


def crop(d):
    height, width = d.sizes(2, 4, 8)
    size = (d.between(1, height), d.between(1, width))
    place = d.one_of(dict(center_crop=True), dict(offset=(d.between(0, height - size[0]), d.between(0, width - size[1]))))
    return Drawn(S.Crop(*data(1), num_args=1, h_w=size, **place), [d.floats((1, 2, height, width))])


def image(d):
    """Images have the axes height, width, channels, with or without a batch."""
    shape = (*d.sizes(d.between(0, 1), 1, 2), *d.sizes(2, 4, 7), 3)
    pixels = d.numbers.randint(0, 256, shape).astype(d.one_of("float32", "uint8"))
    kind = d.one_of("to_tensor", "normalize", "crop", "resize")
    if kind == "to_tensor":
        return Drawn(S.image.to_tensor(*data(1)), [pixels])
    if kind == "normalize":
        x = np.moveaxis(pixels, -1, -3).astype("float32") / 255
        return Drawn(S.image.normalize(*data(1), mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7)), [x])
    if kind == "crop":
        return Drawn(S.image.crop(*data(1), x=d.between(0, 1), y=d.between(0, 1), width=2, height=3), [pixels])
    return Drawn(S.image.resize(*data(1), size=d.sizes(2, 2, 9), interp=1), [pixels.astype("float32")])


OPERATORS = (resize, adaptive_pooling, upsampling, regions, box_iou, box_nms, anchors, sampled, grid, correlation, crop, image)
