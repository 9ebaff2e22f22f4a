#include "core/formats/mxnet/axis_propagation.h"

#include "core/formats/mxnet/attribute_lookup.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

constexpr std::array<std::string_view, 20> elementwise{
    "Activation",     "add_n",   "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div",
    "relu",           "sigmoid", "tanh",         "softsign",     "hard_sigmoid", "exp",
    "square",         "abs",     "_plus_scalar", "_mul_scalar",  "_div_scalar",  "_minus_scalar",
    "_rminus_scalar", "negative"};

/// These also keep the shape of their first input, but are not elementwise.
constexpr std::array<std::string_view, 9> shapeKeeping{"BatchNorm", "BlockGrad", "Cast",       "Dropout",  "LayerNorm",
                                                       "LeakyReLU", "_copy",     "zeros_like", "ones_like"};

/// Layers that keep the first dimension of their first input, the batch.
constexpr std::array<std::string_view, 4> batchKeeping{"Convolution", "Embedding", "FullyConnected", "Pooling"};

template <std::size_t Count>
bool holds(const std::array<std::string_view, Count>& names, std::string_view op)
{
    return std::find(names.begin(), names.end(), op) != names.end();
}

enum class Way : std::uint8_t { Forward, Back };

std::optional<std::int64_t> throughSlices(const Node& node, std::int64_t axis, Way way)
{
    const AttributeSpan attributes = node.attributes;
    const std::int64_t split = integer(attributes, "axis").value_or(1);
    const bool vanishes = flag(attributes, "squeeze_axis", false);
    if (split < 0 || (axis == split && (way == Way::Forward || !vanishes))) {
        return std::nullopt;
    }
    if (!vanishes || axis < split) {
        return axis;
    }
    return way == Way::Forward ? axis - 1 : axis + 1;
}

std::optional<std::int64_t> through(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output, Way way)
{
    if (node.op == "SliceChannel") {
        return throughSlices(node, axis, way);
    }
    if (output != 0) { // statistics, a mask
        return std::nullopt;
    }
    if (isElementwise(node.op) || (slot == 0 && holds(shapeKeeping, node.op))) {
        return axis;
    }
    if (slot == 0 && holds(batchKeeping, node.op)) {
        return axis == 0 ? std::optional(axis) : std::nullopt;
    }
    if (node.op == "Concat") {
        const std::int64_t joined = integer(node.attributes, "dim").value_or(1);
        return joined >= 0 && axis != joined ? std::optional(axis) : std::nullopt;
    }
    if (node.op == "SwapAxis") {
        const std::int64_t a = integer(node.attributes, "dim1").value_or(0);
        const std::int64_t b = integer(node.attributes, "dim2").value_or(0);
        if (a < 0 || b < 0) {
            return std::nullopt;
        }
        return axis == a ? b : axis == b ? a : axis;
    }
    return std::nullopt;
}

} // namespace

bool isElementwise(std::string_view op)
{
    return holds(elementwise, op);
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
