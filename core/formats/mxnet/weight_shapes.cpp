#include "core/formats/mxnet/weight_shapes.h"

#include "core/base/is_one_of.h"
#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/operand_kinds.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

Dim sized(std::optional<std::int64_t> size)
{
    return size && *size > 0 ? Dim(*size) : Dim();
}

/// The layout determines the position of the kernel among the weight's dimensions: OIHW, or OHWI if the channels are
/// last.
std::optional<Shape> convolutionWeight(AttributeSpan attributes, bool transposed)
{
    const auto kernel = integers(attributes, "kernel");
    if (!kernel || kernel->empty()) {
        return std::nullopt;
    }
    const auto filters = integer(attributes, "num_filter");
    const auto groups = integer(attributes, "num_group").value_or(1);
    const bool channelsLast = findAttribute(attributes, "layout").value_or("").ends_with('C');
    Shape shape;
    for (const std::int64_t size : *kernel) {
        shape.push_back(sized(size));
    }
    const Dim open;
    const Dim perGroup = filters && groups > 0 && *filters % groups == 0 ? sized(*filters / groups) : Dim();
    const Dim& second = transposed ? perGroup : open;
    shape.insert(channelsLast ? shape.end() : shape.begin(), second);
    shape.insert(shape.begin(), transposed ? open : sized(filters));
    return shape;
}

std::optional<Shape> ofSlot(std::string_view op, std::string_view slot, AttributeSpan attributes)
{
    if (op == "FullyConnected") {
        const Dim rows = sized(integer(attributes, "num_hidden"));
        return slot == "weight" ? Shape{rows, Dim()} : Shape{rows};
    }
    const bool transposed = op == "Deconvolution";
    if (transposed || isOneOf(op, {"Convolution", "Convolution_v1", "_contrib_DeformableConvolution",
                                   "_contrib_ModulatedDeformableConvolution"})) {
        return slot == "weight" ? convolutionWeight(attributes, transposed)
                                : Shape{sized(integer(attributes, "num_filter"))};
    }
    if (isOneOf(op, {"Embedding", "_contrib_SparseEmbedding"})) {
        return Shape{sized(integer(attributes, "input_dim")), sized(integer(attributes, "output_dim"))};
    }
    if (isOneOf(op, {"BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU", "LayerNorm",
                     "GroupNorm", "InstanceNorm", "RNN"})) {
        return Shape{Dim()};
    }
    return std::nullopt;
}

} // namespace

std::optional<Shape> weightShape(const Node& node, std::size_t input)
{
    const AttributeSpan attributes = node.attributes;
    const auto slots = inputOperands(node.op, attributes);
    if (input >= slots.size() || slots[input].kind == OperandKind::Data || slots[input].kind == OperandKind::Label) {
        return std::nullopt;
    }
    return ofSlot(node.op, slots[input].name, attributes);
}

bool fits(const Shape& shape, const Ints& dims)
{
    if (shape.size() != dims.size()) {
        return false;
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (shape[i].isFixed() && shape[i].size != dims[i]) {
            return false;
        }
    }
    return true;
}

} // namespace crosswalk::mxnet
