// Functions of TensorFlow in functional models that few models have: layers as functions, images, odds and ends.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/normalization.h"
#include "core/convert/forms/nn/window_padding.h"
#include "core/convert/forms/tensor/band_diagonals.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

// Windows.

/// A setting of a window: one number, one for each spatial axis, or one for each axis of the data.
Ints spatialNumbers(const Layer& layer, Arguments::Names names, std::size_t rank)
{
    const Arguments arguments(layer);
    Ints numbers = arguments.has(names) ? arguments.ints(names) : Ints{1};
    if (numbers.size() == 1) {
        numbers.assign(rank, numbers.front());
    } else if (numbers.size() == rank + 2) {
        if (numbers.front() != 1 || numbers.back() != 1) {
            layer.refuse("a window that moves over samples or channels", *names.begin());
        }
        numbers = Ints(numbers.iteratorAt(1), numbers.iteratorAt(numbers.size() - 1));
    }
    if (numbers.size() != rank || std::ranges::any_of(numbers, [](std::int64_t n) { return n < 1 || n > 65'536; })) {
        layer.ctx.invalid(fmt::format("{} is not a positive number for each axis", *names.begin()), *names.begin());
    }
    return numbers;
}

/// Data with channels last, which the functions have by default.
OnnxValue dataOf(const Layer& layer)
{
    const Arguments arguments(layer);
    const OnnxValue x = arguments.tensor({"0", "input", "value"});
    const std::string format = arguments.text({"data_format"}, "NHWC");
    if (layer.ctx.rank(x) < 3 || format.find('C') + 1 != format.size()) {
        layer.refuse(fmt::format("data of {} dimensions in the format {}", layer.ctx.rank(x), format), "data_format");
    }
    return toChannelsFirst(layer.ctx, x);
}

WindowPadding functionPadding(const Layer& layer, OnnxValue x, const Window& window, double filler)
{
    const std::string key = Arguments(layer).key({"padding"});
    const std::string kind = !key.empty() && layer.settings.isText(key) ? layer.settings.text(key) : "";
    if (kind != "SAME" && kind != "VALID") {
        layer.refuse("explicit padding", "padding");
    }
    return kind == "SAME" ? samePadding(layer.ctx, x, window, filler) : validPadding(x, window);
}

OnnxValues convolutionFunction(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = dataOf(layer);
    const std::size_t rank = ctx.rank(x) - 2;
    const OnnxValue filters = Arguments(layer).tensor({"filter", "filters"}, ctx.element(x));
    if (ctx.rank(filters) != rank + 2 || ctx.element(x) != ElementType::Float32) {
        layer.refuse(
            fmt::format("a convolution of data of {} dimensions with a filter of {}", rank + 2, ctx.rank(filters)));
    }
    const bool isDepthwise = layer.op() == "tf.nn.depthwise_conv2d";
    Window window{.kernel = {},
                  .stride = spatialNumbers(layer, {"strides", "stride"}, rank),
                  .dilate = spatialNumbers(layer, {"dilations", "rate"}, rank)};
    Ints order{static_cast<std::int64_t>(rank) + 1, static_cast<std::int64_t>(rank)};
    for (std::size_t i = 0; i < rank; ++i) {
        window.kernel.push_back(ctx.fixedDim(filters, static_cast<std::int64_t>(i)));
        order.push_back(static_cast<std::int64_t>(i));
    }
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const std::int64_t inputs = std::max<std::int64_t>(ctx.fixedDim(filters, static_cast<std::int64_t>(rank)), 1);
    OnnxValue weight = emit::transpose(ctx, filters, order);
    std::int64_t groups = std::max<std::int64_t>(channels / inputs, 1);
    if (isDepthwise) { // (..., in, multiplier)
        std::swap(order[0], order[1]);
        Ints dims{inputs * ctx.fixedDim(filters, -1), 1};
        dims.insert(dims.end(), window.kernel.begin(), window.kernel.end());
        weight = emit::reshape(ctx, emit::transpose(ctx, filters, order), dims);
        groups = channels;
    }
    const OnnxValue y = forms::convolution(ctx, {.window = window,
                                                 .padding = functionPadding(layer, x, window, 0),
                                                 .weight = weight,
                                                 .bias = {},
                                                 .groups = groups});
    return {toChannelsLast(ctx, y)};
}

OnnxValues poolFunction(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = dataOf(layer);
    const std::size_t rank = ctx.rank(x) - 2;
    const Arguments arguments(layer);
    const bool isMaximum = layer.op() == "tf.nn.pool" ? arguments.text({"pooling_type"}, "") == "MAX"
                                                      : layer.op().find("max_pool") != std::string::npos;
    const Ints dilation = spatialNumbers(layer, {"dilation_rate", "dilations"}, rank);
    if (std::ranges::any_of(dilation, [](std::int64_t n) { return n != 1; })) {
        layer.refuse("pooling with dilation", "dilations");
    }
    const Window window{.kernel = spatialNumbers(layer, {"ksize", "window_shape"}, rank),
                        .stride = spatialNumbers(layer, {"strides"}, rank),
                        .dilate = Ints(rank, 1)};
    const double least = isMaximum ? -std::numeric_limits<double>::infinity() : 0;
    const WindowPadding padding = functionPadding(layer, x, window, least);
    if (ctx.element(x) != ElementType::Float32 || (!isMaximum && padding.x != x)) {
        layer.refuse("pooling of this type or padding");
    }
    OnnxAttributes attributes{{"kernel_shape", window.kernel}, {"strides", window.stride}};
    padding.appendTo(attributes);
    return {toChannelsLast(ctx, ctx.emit(isMaximum ? "MaxPool" : "AveragePool", {padding.x}, attributes))};
}

OnnxValues biasAdd(const Layer& layer)
{
    const Arguments arguments(layer);
    const OnnxValue x = arguments.tensor({"0", "value"});
    const std::string format = arguments.text({"data_format"}, "NHWC");
    if (!format.ends_with('C')) {
        layer.refuse(fmt::format("the format {}", format), "data_format");
    }
    return {layer.ctx.emit("Add", {x, arguments.tensor({"bias", "1"}, layer.ctx.element(x))})};
}

// Elements.

OnnxValues sumOfAll(const Layer& layer)
{
    const OnnxValues values = Arguments(layer).tensors({"0", "inputs"});
    OnnxValue sum = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        sum = arithmetic::add(layer.ctx, sum, values[i]);
    }
    return {sum};
}

/// x with each group of elements along the axes scaled down to a length of at most a limit.
OnnxValues clippedByNorm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "t"});
    const OnnxValue limit = Arguments(layer).tensor({"clip_norm", "1"}, ctx.element(x));
    const Ints axes = axesOrAll(layer, x, {"axes"});
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), axes, true);
    const OnnxValue length = arithmetic::maximum(ctx, elementary::sqrt(ctx, sum), limit);
    return {ctx.emit("Div", {ctx.emit("Mul", {x, limit}), length})};
}

OnnxValues zeroFraction(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "value"});
    const OnnxValue isZero = ctx.emit("Equal", {x, emit::scalarLike(ctx, x, 0)});
    const OnnxValue zeros = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isZero, ElementType::Int64), {}, false);
    const auto real = [&](OnnxValue number) { return emit::cast(ctx, number, ElementType::Float32); };
    return {ctx.emit("Div", {real(zeros), real(ctx.emit("Size", {x}))})};
}

/// max(x, 0) - x z + log(1 + exp(-|x|)) of logits x and labels z.
OnnxValues crossEntropyOfSigmoid(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue logits = Arguments(layer).tensor({"logits", "1"});
    const OnnxValue labels = Arguments(layer).tensor({"0", "labels"}, ctx.element(logits));
    const OnnxValue positive = ctx.emit("Relu", {logits});
    const OnnxValue tail =
        elementary::logOnePlus(ctx, elementary::exp(ctx, ctx.emit("Neg", {ctx.emit("Abs", {logits})})));
    return {ctx.emit("Add", {ctx.emit("Sub", {positive, ctx.emit("Mul", {logits, labels})}), tail})};
}

OnnxValues crossEntropyOfSoftmax(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue logits = Arguments(layer).tensor({"logits", "1"});
    const OnnxValue labels = Arguments(layer).tensor({"0", "labels"}, ctx.element(logits));
    const std::int64_t axis = ctx.axis(Arguments(layer).integer({"axis"}, -1), ctx.rank(logits));
    const OnnxValue products = ctx.emit("Mul", {labels, emit::softmax(ctx, logits, axis, true)});
    return {ctx.emit("Neg", {emit::reduce(ctx, "ReduceSum", products, {axis}, false)})};
}

/// Over `depth_radius` channels on each side. ONNX divides the weight by the number of channels.
OnnxValues localResponse(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const std::int64_t size = 2 * arguments.integer({"depth_radius"}, 5) + 1;
    const OnnxValue x = Arguments(layer).tensor({"0", "input"});
    if (ctx.rank(x) != 4 || ctx.element(x) != ElementType::Float32 || size < 1) {
        layer.refuse(fmt::format("a local response normalization of {} channels", size), "depth_radius");
    }
    const OnnxValue y = ctx.emit("LRN", {toChannelsFirst(ctx, x)},
                                 {{"size", size},
                                  {"alpha", arguments.number({"alpha"}, 1) * static_cast<double>(size)},
                                  {"beta", arguments.number({"beta"}, 0.5)},
                                  {"bias", arguments.number({"bias"}, 1)}});
    return {toChannelsLast(ctx, y)};
}

/// 0 where the first operand is 0, whatever the second one is.
template <bool isQuotient>
OnnxValues zeroAware(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer, {"0", "x"}, {"1", "y"});
    const OnnxValue zero = emit::scalarLike(ctx, pair.a, 0);
    const OnnxValue isZero = ctx.emit("Equal", {pair.a, zero});
    const OnnxValue y =
        isQuotient ? ctx.emit("Div", {pair.a, pair.b}) : ctx.emit("Mul", {pair.a, elementary::log(ctx, pair.b)});
    return {ctx.emit("Where", {isZero, zero, y})};
}

OnnxValues multiplyNoNan(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer, {"0", "x"}, {"1", "y"});
    const OnnxValue zero = emit::scalarLike(ctx, pair.b, 0);
    const OnnxValue isZero = ctx.emit("Equal", {pair.b, zero});
    return {ctx.emit("Where", {isZero, zero, ctx.emit("Mul", {pair.a, pair.b})})};
}

OnnxValues roundToInteger(const Layer& layer)
{
    return {layer.ctx.emit("Round", {operand(layer)})};
}

/// relu(x) and relu(-x) beside each other.
OnnxValues concatenatedRelu(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const OnnxValues parts{ctx.emit("Relu", {x}), ctx.emit("Relu", {ctx.emit("Neg", {x})})};
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    return {emit::concat(ctx, parts, ctx.axis(Arguments(layer).integer({"axis"}, -1), ctx.rank(x)) == last ? last : 0)};
}

OnnxValues halfOfSquares(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "t"});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), {}, false);
    return {ctx.emit("Mul", {sum, emit::scalarLike(ctx, sum, 0.5)})};
}

OnnxValues euclideanNorm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const Ints axes = axesOrAll(layer, x, {"axis", "1"});
    const OnnxValue sum =
        reducedAlong(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), axes, Arguments(layer).boolean({"keepdims"}, false));
    return {elementary::sqrt(ctx, sum)};
}

OnnxValues nonzeroNumber(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const OnnxValue truth = emit::cast(ctx, emit::cast(ctx, x, ElementType::Bool), ElementType::Int64);
    return {reducedAlong(ctx, "ReduceSum", truth, axesOrAll(layer, x, {"axis", "1"}),
                         Arguments(layer).boolean({"keepdims"}, false))};
}

OnnxValues rows(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue table = arguments.tensor({"0", "params"});
    const OnnxValue ids = emit::cast(ctx, arguments.tensor({"ids", "1"}, ElementType::Int64), ElementType::Int64);
    return {emit::gather(ctx, table, ids, 0)};
}

// Sizes and parts.

OnnxValues numberOfElements(const Layer& layer)
{
    const std::string type = Arguments(layer).text({"out_type"}, "int32");
    return {emit::cast(layer.ctx, layer.ctx.emit("Size", {operand(layer)}),
                       elementTypeFromName(type).value_or(ElementType::Int32))};
}

OnnxValues numberOfAxes(const Layer& layer)
{
    return {layer.ctx.onnx.scalar(ElementType::Int32, static_cast<double>(layer.ctx.rank(operand(layer))))};
}

OnnxValues stridedSlice(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    for (const char* mask : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
        if (arguments.integer({mask}, 0) != 0) {
            layer.refuse(fmt::format("a strided slice with {}", mask), mask);
        }
    }
    const Ints begin = arguments.ints({"begin"});
    const Ints end = arguments.ints({"end"});
    const Ints strides = arguments.has({"strides"}) ? arguments.ints({"strides"}) : Ints(begin.size(), 1);
    Ints axes(begin.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axes[i] = static_cast<std::int64_t>(i);
    }
    const OnnxValue x = Arguments(layer).tensor({"0", "input_", "input"});
    if (end.size() != begin.size() || strides.size() != begin.size() || begin.size() > ctx.rank(x) ||
        std::ranges::find(strides, 0) != strides.end()) {
        ctx.invalid("begin, end and strides do not fit together", "begin");
    }
    return {emit::slice(ctx, x, begin, end, axes, strides)};
}

OnnxValues sequenceMask(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue lengths = emit::cast(ctx, arguments.tensor({"0", "lengths"}), ElementType::Int64);
    const OnnxValue places = countTo(ctx, arguments.integer({"maxlen", "1"}));
    const auto last = static_cast<std::int64_t>(ctx.rank(lengths));
    const OnnxValue mask = ctx.emit("Less", {places, emit::unsqueeze(ctx, lengths, {last})});
    const std::string type = arguments.text({"dtype"}, "bool");
    return {emit::cast(ctx, mask, elementTypeFromName(type).value_or(ElementType::Bool))};
}

OnnxValues diagonalPart(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "input"});
    if (Arguments(layer).has({"k"}) && Arguments(layer).integer({"k"}) != 0) {
        layer.refuse("a diagonal other than the main one", "k");
    }
    return {diagonalsOf(ctx, x, mainDiagonal(ctx), emit::scalarLike(ctx, x, 0))};
}

OnnxValues diagonalMatrix(const Layer& layer)
{
    if (Arguments(layer).has({"k"}) && Arguments(layer).integer({"k"}) != 0) {
        layer.refuse("a diagonal other than the main one", "k");
    }
    return {matrixOfDiagonal(layer.ctx, Arguments(layer).tensor({"0", "diagonal"}))};
}

OnnxValues flattenedSamples(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    return {reshapeTo(ctx, x, {termOf(ctx, x, {0}), restTerm()})};
}

// Images with channels last.

OnnxValue imagesOfFunction(const Layer& layer)
{
    const OnnxValue x = Arguments(layer).tensor({"0", "image", "images"});
    if (layer.ctx.rank(x) != 4) {
        layer.refuse(fmt::format("images of {} dimensions", layer.ctx.rank(x)), "image");
    }
    return x;
}

template <std::int64_t axis>
OnnxValues flippedImages(const Layer& layer)
{
    return {emit::slice(layer.ctx, imagesOfFunction(layer), Ints{-1},
                        Ints{std::numeric_limits<std::int64_t>::min() + 1}, Ints{axis}, Ints{-1})};
}

OnnxValues transposedImages(const Layer& layer)
{
    return {emit::transpose(layer.ctx, imagesOfFunction(layer), {0, 2, 1, 3})};
}

OnnxValues grayscaleImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = imagesOfFunction(layer);
    if (!isFloating(ctx.element(x)) || ctx.fixedDim(x, 3) != 3) {
        layer.refuse("grayscale of other than three channels of floating-point numbers", "images");
    }
    const std::vector<double> shares{0.2989, 0.587, 0.114};
    const Tensor doubles = Tensor::of<double>(ElementType::Float64, {3, 1}, shares);
    const OnnxValue weights =
        ctx.onnx.constant(Tensor::owned(ctx.element(x), {3, 1}, doubles.converted(ctx.element(x)).toBytes()));
    return {ctx.emit("MatMul", {x, weights})};
}

OnnxValues colouredImages(const Layer& layer)
{
    return {layer.ctx.emit("Tile", {imagesOfFunction(layer), layer.ctx.onnx.ints({1, 1, 1, 3})})};
}

OnnxValues boundedImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = imagesOfFunction(layer);
    const std::int64_t top = arguments.integer({"offset_height"});
    const std::int64_t left = arguments.integer({"offset_width"});
    const std::int64_t height = arguments.integer({"target_height"});
    const std::int64_t width = arguments.integer({"target_width"});
    if (layer.op() == "tf.image.crop_to_bounding_box") {
        return {emit::slice(ctx, x, Ints{top, left}, Ints{top + height, left + width}, Ints{1, 2})};
    }
    const std::int64_t below = height - top - ctx.fixedDim(x, 1);
    const std::int64_t right = width - left - ctx.fixedDim(x, 2);
    if (top < 0 || left < 0 || below < 0 || right < 0) {
        ctx.invalid("the image does not fit into the box", "target_height");
    }
    return {ctx.emit("Pad", {x, ctx.onnx.ints({0, top, left, 0, 0, below, right, 0})})};
}

/// (x - mean) / max(deviation, 1 / sqrt(elements)) of each image.
OnnxValues standardizedImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = imagesOfFunction(layer);
    const OnnxValue x = isFloating(ctx.element(given)) ? given : emit::cast(ctx, given, ElementType::Float32);
    const Moments moments = momentsOf(ctx, x, {1, 2, 3}, 0);
    const OnnxValue count = emit::cast(ctx, scalarOf(ctx, emit::dimProduct(ctx, x, {1, 2, 3})), ctx.element(x));
    const OnnxValue least = elementary::reciprocalSqrt(ctx, count);
    return {ctx.emit("Div", {moments.centered, arithmetic::maximum(ctx, moments.deviation, least)})};
}

} // namespace

std::span<const OpRow> tensorflowFunctions()
{
    static constexpr OpRow table[] = {
        {"tf.image.crop_to_bounding_box", boundedImages, "Slice"},
        {"tf.image.flip_left_right", flippedImages<2>, "Slice"},
        {"tf.image.flip_up_down", flippedImages<1>, "Slice"},
        {"tf.image.grayscale_to_rgb", colouredImages, "Tile"},
        {"tf.image.pad_to_bounding_box", boundedImages, "Pad"},
        {"tf.image.per_image_standardization", standardizedImages, "ReduceMean, Div"},
        {"tf.image.rgb_to_grayscale", grayscaleImages, "MatMul"},
        {"tf.image.transpose", transposedImages, "Transpose"},
        {"tf.keras.backend.batch_flatten", flattenedSamples, "Reshape"},
        {"tf.clip_by_norm", clippedByNorm, "ReduceSum, Sqrt, Div"},
        {"tf.linalg.diag", diagonalMatrix, "Where"},
        {"tf.linalg.diag_part", diagonalPart, "Gather"},
        {"tf.math.accumulate_n", sumOfAll, "Add"},
        {"tf.math.add_n", sumOfAll, "Add"},
        {"tf.math.count_nonzero", nonzeroNumber, "ReduceSum"},
        {"tf.math.multiply_no_nan", multiplyNoNan, "Mul, Where"},
        {"tf.math.reduce_euclidean_norm", euclideanNorm, "ReduceSum, Sqrt"},
        {"tf.math.rint", roundToInteger, "Round"},
        {"tf.math.zero_fraction", zeroFraction, "Equal, ReduceSum"},
        {"tf.math.xdivy", zeroAware<true>, "Div, Where"},
        {"tf.math.xlogy", zeroAware<false>, "Log, Mul, Where"},
        {"tf.nn.avg_pool", poolFunction, "AveragePool"},
        {"tf.nn.avg_pool2d", poolFunction, "AveragePool"},
        {"tf.nn.bias_add", biasAdd, "Add"},
        {"tf.nn.conv1d", convolutionFunction, "Conv"},
        {"tf.nn.conv2d", convolutionFunction, "Conv"},
        {"tf.nn.crelu", concatenatedRelu, "Relu, Concat"},
        {"tf.nn.depthwise_conv2d", convolutionFunction, "Conv"},
        {"tf.nn.embedding_lookup", rows, "Gather"},
        {"tf.nn.l2_loss", halfOfSquares, "ReduceSum"},
        {"tf.nn.local_response_normalization", localResponse, "LRN"},
        {"tf.nn.lrn", localResponse, "LRN"},
        {"tf.nn.pool", poolFunction, "MaxPool or AveragePool"},
        {"tf.nn.sigmoid_cross_entropy_with_logits", crossEntropyOfSigmoid, "Exp, Log, Mul"},
        {"tf.nn.softmax_cross_entropy_with_logits", crossEntropyOfSoftmax, "LogSoftmax, ReduceSum"},
        {"tf.nn.softmax_cross_entropy_with_logits_v2", crossEntropyOfSoftmax, "LogSoftmax, ReduceSum"},
        {"tf.nn.max_pool", poolFunction, "MaxPool"},
        {"tf.nn.max_pool2d", poolFunction, "MaxPool"},
        {"tf.rank", numberOfAxes, ""},
        {"tf.sequence_mask", sequenceMask, "Less"},
        {"tf.size", numberOfElements, "Size"},
        {"tf.strided_slice", stridedSlice, "Slice"},
    };
    return table;
}

} // namespace crosswalk::keras
