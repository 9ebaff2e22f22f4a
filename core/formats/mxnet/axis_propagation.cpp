#include "core/formats/mxnet/axis_propagation.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/family_lookup.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

constexpr std::array<std::string_view, 20> elementwise{
    "Activation",     "add_n",   "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div",
    "relu",           "sigmoid", "tanh",         "softsign",     "hard_sigmoid", "exp",
    "square",         "abs",     "_plus_scalar", "_mul_scalar",  "_div_scalar",  "_minus_scalar",
    "_rminus_scalar", "negative"};

/// Operators that keep the shape of their first input, next to those of families that all do.
constexpr std::array<std::string_view, 26> shapeKeeping{"Activation",
                                                        "BatchNorm",
                                                        "Cast",
                                                        "GroupNorm",
                                                        "InstanceNorm",
                                                        "L2Normalization",
                                                        "LRN",
                                                        "LayerNorm",
                                                        "LeakyReLU",
                                                        "LinearRegressionOutput",
                                                        "LogisticRegressionOutput",
                                                        "MAERegressionOutput",
                                                        "SequenceMask",
                                                        "SequenceReverse",
                                                        "SoftmaxActivation",
                                                        "SoftmaxOutput",
                                                        "amp_cast",
                                                        "hard_sigmoid",
                                                        "log_softmax",
                                                        "masked_softmax",
                                                        "ones_like",
                                                        "reverse",
                                                        "smooth_l1",
                                                        "softmax",
                                                        "softmin",
                                                        "zeros_like"};

/// Layers that keep the first dimension of their first input, the batch.
constexpr std::array<std::string_view, 8> batchKeeping{"Convolution",    "Deconvolution", "Embedding",  "Flatten",
                                                       "FullyConnected", "Pooling",       "UpSampling", "one_hot"};

bool keepsShapeOfFirst(std::string_view op)
{
    return lists(shapeKeeping, op) || lists(unaryOps(), op) || lists(scalarArithmeticOps(), op);
}

enum class Way : std::uint8_t { Forward, Back };

using Axis = std::optional<std::int64_t>;

/// The axis in spite of one that the operator adds at `place`; a place counted from the end comes after the first axis.
Axis throughAdded(std::int64_t place, std::int64_t axis, Way way)
{
    if (place < 0) {
        return axis == 0 ? Axis(axis) : std::nullopt;
    }
    if (way == Way::Forward) {
        return axis < place ? axis : axis + 1;
    }
    return axis == place ? std::nullopt : Axis(axis < place ? axis : axis - 1);
}

/// The axis in spite of one that the operator drops.
Axis throughDropped(std::int64_t place, std::int64_t axis, Way way)
{
    return throughAdded(place, axis, way == Way::Forward ? Way::Back : Way::Forward);
}

Axis throughSqueeze(const Node& node, std::int64_t axis, Way way)
{
    Ints dropped = integers(node.attributes, "axis").value_or(Ints());
    std::sort(dropped.begin(), dropped.end());
    if (dropped.empty() || (dropped.size() > 1 && dropped.front() < 0)) {
        return std::nullopt;
    }
    Axis result = axis;
    for (std::size_t i = 0; i < dropped.size() && result; ++i) {
        result = throughDropped(dropped[way == Way::Forward ? dropped.size() - 1 - i : i], *result, way);
    }
    return result;
}

Axis throughSlices(const Node& node, std::int64_t axis, Way way)
{
    const AttributeSpan attributes = node.attributes;
    const std::int64_t split = integer(attributes, "axis").value_or(1);
    const bool vanishes = flag(attributes, "squeeze_axis", false);
    if (split < 0 || (axis == split && (way == Way::Forward || !vanishes))) {
        return std::nullopt;
    }
    return vanishes ? throughDropped(split, axis, way) : axis;
}

/// The number at this place of a tuple; nothing if the tuple ends before it or has None there.
std::optional<std::int64_t> numberAt(const Node& node, std::string_view name, std::int64_t place)
{
    const auto at = static_cast<std::size_t>(place);
    if (const auto* mixed = attributeOf<AttributeList>(node, name)) {
        const auto* number = at < mixed->size() ? std::get_if<std::int64_t>(&(*mixed)[at]) : nullptr;
        return number != nullptr ? Axis(*number) : std::nullopt;
    }
    const Ints numbers = integers(node.attributes, name).value_or(Ints());
    return at < numbers.size() ? Axis(numbers[at]) : std::nullopt;
}

Axis throughSlice(const Node& node, std::int64_t axis)
{
    const bool isWhole =
        numberAt(node, "begin", axis).value_or(0) == 0 && !numberAt(node, "end", axis) && !numberAt(node, "step", axis);
    return isWhole ? Axis(axis) : std::nullopt;
}

Axis throughSwap(const Node& node, std::int64_t axis)
{
    const std::int64_t a = integer(node.attributes, "dim1").value_or(0);
    const std::int64_t b = integer(node.attributes, "dim2").value_or(0);
    if (a < 0 || b < 0) {
        return std::nullopt;
    }
    return axis == a ? b : axis == b ? a : axis;
}

Axis throughTranspose(const Node& node, std::int64_t axis, Way way)
{
    const Ints order = integers(node.attributes, "axes").value_or(Ints());
    if (axis >= static_cast<std::int64_t>(order.size())) {
        return std::nullopt;
    }
    if (way == Way::Back) {
        return order[static_cast<std::size_t>(axis)];
    }
    const auto place = std::find(order.begin(), order.end(), axis);
    return place != order.end() ? Axis(place - order.begin()) : std::nullopt;
}

/// Zeros at the start copy dimensions.
Axis throughReshape(const Node& node, std::int64_t axis)
{
    const Ints shape = integers(node.attributes, "shape").value_or(Ints());
    const auto copied = std::find_if(shape.begin(), shape.end(), [](auto dim) { return dim != 0; }) - shape.begin();
    return axis < copied && !flag(node.attributes, "reverse", false) ? Axis(axis) : std::nullopt;
}

/// The axis if it is not `place`, which the operator changes.
Axis except(std::int64_t place, std::int64_t axis)
{
    return place >= 0 && axis != place ? Axis(axis) : std::nullopt;
}

Axis throughFirst(const Node& node, std::int64_t axis, Way way)
{
    if (keepsShapeOfFirst(node.op)) {
        return axis;
    }
    if (lists(batchKeeping, node.op)) {
        return axis == 0 ? Axis(axis) : std::nullopt;
    }
    if (node.op == "slice_axis") {
        return except(integer(node.attributes, "axis").value_or(0), axis);
    }
    if (node.op == "slice") {
        return throughSlice(node, axis);
    }
    if (node.op == "squeeze") {
        return throughSqueeze(node, axis, way);
    }
    if (node.op == "expand_dims") {
        return throughAdded(integer(node.attributes, "axis").value_or(0), axis, way);
    }
    if (node.op == "transpose") {
        return throughTranspose(node, axis, way);
    }
    if (node.op == "Reshape") {
        return throughReshape(node, axis);
    }
    if (node.op == "dot") {
        return axis == 0 && !flag(node.attributes, "transpose_a", false) ? Axis(axis) : std::nullopt;
    }
    return node.op == "SwapAxis" ? throughSwap(node, axis) : std::nullopt;
}

Axis through(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output, Way way)
{
    if (node.op == "SliceChannel") {
        return throughSlices(node, axis, way);
    }
    if (output != 0) { // statistics, a mask
        return std::nullopt;
    }
    if (node.op == "where") { // the condition can have one element for each row
        return slot > 0 || axis == 0 ? Axis(axis) : std::nullopt;
    }
    if (combinesEqualShapes(node.op)) {
        return axis;
    }
    if (node.op == "Concat") {
        return except(integer(node.attributes, "dim").value_or(1), axis);
    }
    if (node.op == "batch_dot") {
        return axis == 0 ? Axis(axis) : std::nullopt;
    }
    if (node.op == "stack") {
        return throughAdded(integer(node.attributes, "axis").value_or(0), axis, way);
    }
    return slot == 0 ? throughFirst(node, axis, way) : std::nullopt;
}

} // namespace

bool isElementwise(std::string_view op)
{
    return lists(elementwise, op);
}

bool combinesEqualShapes(std::string_view op)
{
    return isElementwise(op) || op == "where" || (lists(arithmeticOps(), op) && !op.starts_with("broadcast_"));
}

std::optional<std::int64_t> outputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output)
{
    return through(node, slot, axis, output, Way::Forward);
}

std::optional<std::int64_t> inputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output)
{
    return through(node, slot, axis, output, Way::Back);
}

} // namespace crosswalk::mxnet
