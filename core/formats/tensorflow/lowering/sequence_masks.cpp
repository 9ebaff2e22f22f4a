#include "core/formats/tensorflow/lowering/sequence_masks.h"

#include "core/formats/tensorflow/lowering/step_matcher.h"

namespace crosswalk::tensorflow {
namespace {

/// The input with the mask; nothing for operators without one.
std::optional<std::size_t> maskInput(std::string_view op)
{
    return op == "NativeLstm2"       ? std::optional<std::size_t>(4)
           : op == "LstmGenericBase" ? std::optional<std::size_t>(3)
           : op == "LstmLowMem"      ? std::optional<std::size_t>(5)
                                     : std::nullopt;
}

/// Whether a value is 0, 1, 2...
bool countsUp(const StepMatcher& graph, ValueId value)
{
    const Node* range = graph.node(value, "Range");
    return range != nullptr && range->inputs.size() == 3 && graph.integer(range->inputs[0]) == 0 &&
           graph.integer(range->inputs[2]) == 1;
}

/// The lengths (batch) of a mask (time, batch); none for other masks.
ValueId lengthsOf(const StepMatcher& graph, ValueId mask)
{
    const Node* cast = graph.node(mask, "Cast");
    const Node* transpose = graph.node(cast != nullptr ? cast->inputs[0] : mask, "Transpose");
    if (transpose == nullptr || transpose->inputs.size() != 2) {
        return {};
    }
    const Tensor* permutation = graph.stored(transpose->inputs[1]);
    const Node* less = graph.node(transpose->inputs[0], "Less");
    if (permutation == nullptr || permutation->toInts() != std::vector<std::int64_t>{1, 0} || less == nullptr ||
        less->inputs.size() != 2 || !countsUp(graph, less->inputs[0])) {
        return {};
    }
    const Node* column = graph.node(less->inputs[1], "ExpandDims");
    const auto axis = column != nullptr && column->inputs.size() == 2 ? graph.integer(column->inputs[1]) : std::nullopt;
    return axis == 1 || axis == -1 ? column->inputs[0] : ValueId{};
}

} // namespace

void replaceSequenceMasks(Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto input = maskInput(graph.node(NodeId{i}).op);
        if (!input || *input >= graph.node(NodeId{i}).inputs.size()) {
            continue;
        }
        const ValueId lengths = lengthsOf(StepMatcher(graph), graph.node(NodeId{i}).inputs[*input]);
        if (lengths) {
            Node& node = graph.node(NodeId{i});
            node.inputs[*input] = lengths;
            node.attributes.push_back({std::string(maskIsLengths), true});
        }
    }
}

} // namespace crosswalk::tensorflow
