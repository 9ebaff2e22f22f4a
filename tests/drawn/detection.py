"""Box operators: proposals, matching, encoding and pooling."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made


def rectangles(d, shape, form="corner", reach=1.0):
    x = d.numbers.rand(*shape, 4)
    if form == "corner":
        x[..., 2:] = x[..., :2] + x[..., 2:] * 0.7 + 0.05
    return (x * reach).astype("float32")


def softmax(x, axis):
    e = np.exp(x)
    return (e / e.sum(axis, keepdims=True)).astype("float32")


def proposals(d):
    scales, ratios = d.one_of((8,), (2, 4), (4, 8, 16, 32)), d.one_of((1,), (0.5, 1, 2))
    anchors, batch, (h, w) = len(scales) * len(ratios), d.between(1, 2), d.sizes(2, 2, 5)
    name = "_contrib_MultiProposal" if batch > 1 else d.one_of("_contrib_Proposal", "_contrib_MultiProposal")
    inputs = [softmax(d.floats((batch, 2 * anchors, h, w)), 1), d.floats((batch, 4 * anchors, h, w), scale=0.2)]
    inputs.append(np.array([[h * 16, w * 16, d.one_of(1.0, 0.5, 1.6)]] * batch, "float32"))
    settings = d.some(threshold=d.one_of(0.5, 0.3, 0.9), rpn_min_size=d.one_of(0, 4, 30), feature_stride=d.one_of(16, 8), output_score=d.maybe(),
                      iou_loss=d.maybe(0.3))
    count = d.between(1, 20)
    return Drawn(made(name, 3, scales=scales, ratios=ratios, rpn_pre_nms_top_n=d.one_of(count, count + 5, 6000), rpn_post_nms_top_n=count,
                      **settings), inputs)


def target(d):
    anchors, batch, labels, classes = d.between(2, 12), d.between(1, 3), d.between(1, 4), d.between(2, 4)
    label = np.concatenate([d.numbers.randint(0, classes - 1, (batch, labels, 1)), rectangles(d, (batch, labels))], 2).astype("float32")
    for row in label:
        row[d.between(0, labels):] = -1
    settings = d.some(overlap_threshold=d.one_of(0.3, 0.6), ignore_label=-2.0, negative_mining_ratio=d.one_of(1.0, 3.0),
                      negative_mining_thresh=d.one_of(0.2, 0.4),
                      minimum_negative_samples=d.between(0, 3), variances=d.one_of((0.1, 0.1, 0.2, 0.2), (1, 1, 1, 1)))
    inputs = [rectangles(d, (1, anchors)), label, d.floats((batch, classes, anchors))]
    return Drawn(made("_contrib_MultiBoxTarget", 3, **settings), inputs)


def detection(d):
    anchors, batch, classes = d.between(1, 12), d.between(1, 2), d.between(2, 4)
    settings = d.some(clip=d.maybe(), threshold=d.one_of(0.05, 0.3), background_id=0, nms_threshold=d.one_of(0.3, 0.7), force_suppress=d.maybe(),
                      nms_topk=d.one_of(2, 5, -1), variances=d.one_of((0.1, 0.1, 0.2, 0.2), (0.3, 0.3, 0.3, 0.3)))
    inputs = [softmax(d.floats((batch, classes, anchors)), 1), d.floats((batch, anchors * 4)), rectangles(d, (1, anchors))]
    return Drawn(made("_contrib_MultiBoxDetection", 3, **settings), inputs)


def coded(d):
    batch, count, form = d.between(1, 2), d.between(1, 6), d.one_of("corner", "center")
    if d.maybe():
        settings = d.some(std0=0.1, std1=0.2, std2=0.3, std3=0.4, clip=d.one_of(1.0, 4.0), format=form)
        return Drawn(made("_contrib_box_decode", 2, **settings), [d.floats((batch, count, 4)), rectangles(d, (1, count), form)])
    truths = d.between(1, 4)
    inputs = [d.integers((batch, count), -1, 2, "float32"), d.integers((batch, count), 0, truths, "float32"), rectangles(d, (batch, count)),
              rectangles(d, (batch, truths)), d.floats((4,), scale=0.1), d.positive((4,))]
    return Drawn(made("_contrib_box_encode", 6), inputs)


def matching(d):
    shape = (*d.shape(d.between(0, 1), 1, 3), *d.sizes(2, 1, 5))
    scores = (d.distinct(shape) / np.prod(shape)).astype("float32")
    settings = dict(threshold=d.one_of(1e-12, 0.3, 0.8), **d.some(is_ascend=d.maybe(), topk=d.between(1, 4)))
    return Drawn(made("_contrib_bipartite_matching", 1, **settings), [scores])


def deformable_convolution(d):
    groups, deformable, per, filters = d.one_of(1, 2), d.one_of(1, 1, 2), d.between(1, 2), d.between(1, 2)
    channels, kernel = groups * deformable * per, d.sizes(2, 1, 3)
    stride, pad, dilate = d.sizes(2, 1, 2), d.sizes(2, 0, 2), d.sizes(2, 1, 2)
    size = d.sizes(2, 5, 7)
    out = [(s + 2 * p - dl * (k - 1) - 1) // st + 1 for s, p, dl, k, st in zip(size, pad, dilate, kernel, stride)]
    batch, bias, masked = d.between(1, 2), d.maybe(), d.maybe(0.4)
    inputs = [d.floats((batch, channels, *size)), d.floats((batch, deformable * 2 * kernel[0] * kernel[1], *out), scale=1.0)]
    inputs += [d.numbers.rand(batch, deformable * kernel[0] * kernel[1], *out).astype("float32")] if masked else []
    inputs += [d.floats((groups * filters, channels // groups, *kernel))] + ([d.floats((groups * filters,))] if bias else [])
    name = "_contrib_ModulatedDeformableConvolution" if masked else "_contrib_DeformableConvolution"
    settings = dict(kernel=kernel, stride=stride, pad=pad, dilate=dilate, num_filter=groups * filters, num_group=groups, no_bias=not bias,
                    num_deformable_group=deformable)
    return Drawn(made(name, len(inputs), **settings), inputs, d.one_of(0, 2 if bias else 1))


def position_sensitive(d):
    group, dim, count = d.between(1, 3), d.between(1, 3), d.between(1, 3)
    size, batch = d.sizes(2, 5, 9), d.between(1, 2)
    rois = np.concatenate([d.numbers.randint(0, batch, (count, 1)), rectangles(d, (count,), reach=12)], 1).astype("float32")
    x = d.floats((batch, dim * group * group, *size))
    kind = d.one_of("_contrib_PSROIPooling", "_contrib_DeformablePSROIPooling", "_contrib_RROIAlign")
    if kind == "_contrib_RROIAlign":
        rois = np.concatenate([rois[:, :1], rois[:, 3:4], rois[:, 4:5], d.numbers.rand(count, 2) * 6 + 1, d.numbers.uniform(-90, 90, (count, 1))], 1)
        settings = d.some(sampling_ratio=d.one_of(-1, 1, 2))
        return Drawn(made(kind, 2, pooled_size=d.sizes(2, 1, 3), spatial_scale=d.one_of(1.0, 0.5), **settings), [x, rois.astype("float32")])
    if kind == "_contrib_PSROIPooling":
        return Drawn(made(kind, 2, spatial_scale=d.one_of(1.0, 0.5), output_dim=dim, pooled_size=group, **d.some(group_size=group)), [x, rois])
    pooled, still = d.between(1, 3), d.maybe()
    part = d.one_of(0, pooled)
    settings = dict(spatial_scale=0.5, output_dim=dim, group_size=group, pooled_size=pooled, part_size=part, sample_per_part=d.between(1, 3),
                    trans_std=0.1, no_trans=still)
    inputs = [x, rois, d.floats((count, 2, part or pooled, part or pooled))]
    return Drawn(made(kind, 2 if still else 3, **settings), inputs[:2 if still else 3])


OPERATORS = (proposals, target, detection, coded, matching, deformable_convolution, position_sensitive)
