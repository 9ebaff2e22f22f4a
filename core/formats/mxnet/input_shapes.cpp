#include "core/formats/mxnet/input_shapes.h"

#include "core/formats/mxnet/attribute_lookup.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

/// The shape of a node's data input that follows from its stored weight.
std::optional<Shape> demandedBy(const Graph& graph, const Node& node)
{
    const auto weight = [&](std::size_t i) {
        return i < node.inputs.size() ? graph.tensorOf(node.inputs[i]) : nullptr;
    };
    static const std::array<Shape, 3> spatial{Shape{Dim("W")}, Shape{Dim("H"), Dim("W")},
                                              Shape{Dim("D"), Dim("H"), Dim("W")}};
    if ((node.op == "Convolution" || node.op == "Deconvolution") && weight(1) != nullptr) {
        const auto& dims = weight(1)->dims();
        const std::string_view layout = findAttribute(node.attributes, "layout").value_or("");
        const bool channelsFirst = layout.empty() || layout == "None" || layout.starts_with("NC");
        if (dims.size() < 3 || dims.size() > 5 || !channelsFirst) {
            return std::nullopt;
        }
        const bool transposed = node.op == "Deconvolution";
        Shape shape{Dim("N"),
                    Dim(transposed ? dims[0] : dims[1] * integer(node.attributes, "num_group", 1).value_or(1))};
        const Shape& rest = spatial[dims.size() - 3];
        shape.insert(shape.end(), rest.begin(), rest.end());
        return shape;
    }
    if (node.op == "FullyConnected" && weight(1) != nullptr && weight(1)->rank() == 2 &&
        flag(node.attributes, "flatten", true)) {
        return Shape{Dim("N"), Dim(weight(1)->dims()[1])};
    }
    if (node.op == "RNN") {
        return Shape{Dim("T"), Dim("N"), Dim()};
    }
    return std::nullopt;
}

bool keepsShape(const std::string& op)
{
    static constexpr std::array names = {"Cast",         "Activation",    "BatchNorm",  "LeakyReLU", "_copy",
                                         "BlockGrad",    "Dropout",       "clip",       "relu",      "_mul_scalar",
                                         "_plus_scalar", "_minus_scalar", "_div_scalar"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// The shape from the first consumer of a value that determines it, looking through operators that keep the shape.
std::optional<Shape> demandOn(const Graph& graph, const Consumers& consumers, ValueId value, int depth)
{
    for (const NodeId id : consumers.of(value)) {
        const Node& node = graph.node(id);
        if (node.inputs[0] != value) {
            continue;
        }
        if (auto shape = demandedBy(graph, node)) {
            return shape;
        }
        if (node.op == "SwapAxis" && depth > 0) { // gluon's NTC layout before an RNN
            auto inner = demandOn(graph, consumers, node.outputs[0], depth - 1);
            const auto first = integer(node.attributes, "dim1", 0);
            const auto second = integer(node.attributes, "dim2", 0);
            const bool swapsFirstTwo = (first == 0 && second == 1) || (first == 1 && second == 0);
            if (inner && inner->size() == 3 && swapsFirstTwo) {
                std::swap((*inner)[0], (*inner)[1]);
                return inner;
            }
        }
        if (keepsShape(node.op) && depth > 0) {
            if (auto shape = demandOn(graph, consumers, node.outputs[0], depth - 1)) {
                return shape;
            }
        }
    }
    return std::nullopt;
}

} // namespace

void inferInputShapes(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs)
{
    const Consumers consumers(graph);
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const Value& value = graph.value(ValueId{i});
        const auto open = inputs.find(value.name);
        if (value.producer || value.tensor || open == inputs.end() || open->second.shape) {
            continue;
        }
        constexpr int lookThrough = 16;
        if (const auto shape = demandOn(graph, consumers, ValueId{i}, lookThrough)) {
            open->second.shape = shape;
        }
    }
}

} // namespace crosswalk::mxnet
