#include "core/formats/tensorflow/lowering/small_integers.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

using Integers = std::optional<Ints>;

/// Operators whose result has the shape of their first input.
constexpr std::array<std::string_view, 8> sameShape{"BiasAdd",   "Elu",     "Relu",    "ReverseSequence",
                                                    "ReverseV2", "Sigmoid", "Softmax", "Tanh"};

/// Limits of what arithmetic of shapes consists of.
constexpr int deepestArithmetic = 16;
constexpr std::int64_t longest = 16;

class Evaluation {
public:
    Evaluation(const Graph& graph, int depth)
        : m_graph(graph)
        , m_depth(depth)
    {
    }

    Integers operator()(ValueId value) const
    {
        const Tensor* stored = value ? m_graph.tensorOf(value) : nullptr;
        if (stored != nullptr) {
            const bool isSmall = isInteger(stored->type()) && stored->rank() <= 1 && stored->elements() <= longest;
            return isSmall ? Integers(stored->toInts()) : std::nullopt;
        }
        const NodeId producer = value ? m_graph.value(value).producer : NodeId{};
        if (!producer || m_depth > deepestArithmetic) {
            return std::nullopt;
        }
        return resultOf(m_graph.node(producer));
    }

private:
    Integers resultOf(const Node& node) const
    {
        std::vector<Ints> inputs;
        if (node.op == "Shape" && node.inputs.size() == 1) {
            return shapeOfValue(node.inputs[0]);
        }
        if (node.op != "ConcatV2" && node.op != "Pack" && node.op != "Range" && node.op != "StridedSlice") {
            return std::nullopt;
        }
        for (const ValueId input : node.inputs) {
            auto content = Evaluation(m_graph, m_depth + 1)(input);
            if (!content) {
                return std::nullopt;
            }
            inputs.push_back(std::move(*content));
        }
        return node.op == "Range"          ? range(inputs)
               : node.op == "StridedSlice" ? slice(node, inputs)
                                           : joined(node, inputs);
    }

    Integers shapeOfValue(ValueId value) const
    {
        const std::optional<Shape>& shape = m_graph.value(value).type.shape;
        if (!shape) {
            return std::nullopt;
        }
        Ints dims;
        for (const Dim& dim : *shape) {
            if (!dim.isFixed()) {
                return std::nullopt;
            }
            dims.push_back(dim.size);
        }
        return dims;
    }

    static Integers range(const std::vector<Ints>& inputs)
    {
        const bool isPlain = inputs.size() == 3 && inputs[0].size() == 1 && inputs[1].size() == 1 &&
                             inputs[2] == Ints{1} && inputs[0][0] >= 0 && inputs[1][0] >= 0 &&
                             inputs[1][0] - inputs[0][0] <= longest;
        if (!isPlain) {
            return std::nullopt;
        }
        Ints values;
        for (std::int64_t i = inputs[0][0]; i < inputs[1][0]; ++i) {
            values.push_back(i);
        }
        return values;
    }

    static Integers slice(const Node& node, const std::vector<Ints>& inputs)
    {
        const bool isPlain = inputs.size() == 4 && inputs[1].size() == 1 && inputs[2].size() == 1 &&
                             inputs[3] == Ints{1} && intOf(node, "ellipsis_mask", 0) == 0 &&
                             intOf(node, "new_axis_mask", 0) == 0;
        if (!isPlain) {
            return std::nullopt;
        }
        const auto size = static_cast<std::int64_t>(inputs[0].size());
        const auto at = [&](std::int64_t index) {
            return std::clamp(index < 0 ? index + size : index, std::int64_t{0}, size);
        };
        const std::int64_t begin = intOf(node, "begin_mask", 0) == 1 ? 0 : at(inputs[1][0]);
        const bool isElement = intOf(node, "shrink_axis_mask", 0) == 1;
        const std::int64_t end = isElement                         ? std::min(begin + 1, size)
                                 : intOf(node, "end_mask", 0) == 1 ? size
                                                                   : at(inputs[2][0]);
        return Ints(inputs[0].iteratorAt(begin), inputs[0].iteratorAt(std::max(begin, end)));
    }

    static Integers joined(const Node& node, std::vector<Ints>& inputs)
    {
        if (node.op == "ConcatV2") {
            inputs.pop_back(); // the axis of vectors is 0
        }
        Ints values;
        for (const auto& part : inputs) {
            values.insert(values.end(), part.begin(), part.end());
        }
        return values;
    }

    const Graph& m_graph;
    int m_depth;
};

} // namespace

Integers integersOf(const Graph& graph, ValueId value)
{
    return Evaluation(graph, 0)(value);
}

Dimension dimensionOf(const Graph& graph, ValueId value, std::int64_t axis)
{
    for (NodeId producer = graph.value(value).producer; producer; producer = graph.value(value).producer) {
        const Node& node = graph.node(producer);
        if (std::find(sameShape.begin(), sameShape.end(), node.op) != sameShape.end()) {
            value = node.inputs.at(0);
            continue;
        }
        const auto order =
            node.op == "Transpose" && node.inputs.size() == 2 ? integersOf(graph, node.inputs[1]) : std::nullopt;
        if (!order || axis < 0 || axis >= static_cast<std::int64_t>(order->size())) {
            break;
        }
        axis = (*order)[static_cast<std::size_t>(axis)];
        value = node.inputs[0];
    }
    Dimension found{value, axis};
    const std::optional<Shape>& shape = graph.value(value).type.shape;
    if (shape && axis >= 0 && axis < static_cast<std::int64_t>(shape->size())) {
        const Dim& dim = (*shape)[static_cast<std::size_t>(axis)];
        found.size = dim.isFixed() ? std::optional(dim.size) : std::nullopt;
    }
    return found;
}

std::optional<Dimension> asDimension(const Graph& graph, ValueId value)
{
    if (const auto number = integersOf(graph, value); number && number->size() == 1) {
        return Dimension{.value = {}, .size = number->front()};
    }
    const NodeId producer = value ? graph.value(value).producer : NodeId{};
    if (!producer) {
        return std::nullopt;
    }
    const Node& node = graph.node(producer);
    const bool isSlice = node.op == "StridedSlice" && node.inputs.size() == 4 &&
                         intOf(node, "shrink_axis_mask", 0) == 1 && intOf(node, "begin_mask", 0) <= 1;
    const bool isElement = node.op == "GatherV2" && node.inputs.size() == 3;
    if (!isSlice && !isElement) {
        return std::nullopt;
    }
    const NodeId from = graph.value(node.inputs[0]).producer;
    const auto axis = isSlice && intOf(node, "begin_mask", 0) == 1 ? Ints{0} : integersOf(graph, node.inputs[1]);
    if (!from || graph.node(from).op != "Shape" || !axis || axis->size() != 1 || axis->front() < 0) {
        return std::nullopt;
    }
    return dimensionOf(graph, graph.node(from).inputs.at(0), axis->front());
}

bool isSame(const Dimension& a, const Dimension& b)
{
    return (a.value && a.value == b.value && a.axis == b.axis) || (a.size && b.size && *a.size == *b.size);
}

} // namespace crosswalk::tensorflow
