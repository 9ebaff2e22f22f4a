#include "core/formats/tensorflow/lowering/sequence_masks.h"

#include "core/formats/tensorflow/lowering/step_matcher.h"
#include "core/graph/attributes.h"

#include <algorithm>

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

/// The argument of a reversal along axis 0; none for other values.
ValueId reversedOf(const StepMatcher& graph, ValueId value)
{
    if (const Node* reverse = graph.node(value, "ReverseV2")) {
        return graph.integer(reverse->inputs.at(1)) == 0 ? reverse->inputs[0] : ValueId{};
    }
    const Node* slice = graph.node(value, "StridedSlice");
    const auto isPlain = [&](const char* mask, std::int64_t bits) { return intOf(*slice, mask, 0) == bits; };
    const bool isReversal = slice != nullptr && slice->inputs.size() == 4 && graph.integer(slice->inputs[3]) == -1 &&
                            isPlain("begin_mask", 1) && isPlain("end_mask", 1) && isPlain("ellipsis_mask", 0) &&
                            isPlain("new_axis_mask", 0) && isPlain("shrink_axis_mask", 0);
    return isReversal ? slice->inputs[0] : ValueId{};
}

ValueId withoutCast(const StepMatcher& graph, ValueId value)
{
    const Node* cast = graph.node(value, "Cast");
    return cast != nullptr ? cast->inputs[0] : value;
}

} // namespace

std::optional<MaskLengths> lengthsOfMask(const StepMatcher& graph, ValueId mask)
{
    const Node* transpose = graph.node(mask, "Transpose");
    if (transpose == nullptr || transpose->inputs.size() != 2) {
        return std::nullopt;
    }
    const Tensor* permutation = graph.stored(transpose->inputs[1]);
    const Node* less = graph.node(withoutCast(graph, transpose->inputs[0]), "Less");
    if (permutation == nullptr || permutation->toInts() != Ints{1, 0} || less == nullptr || less->inputs.size() != 2 ||
        !countsUp(graph, less->inputs[0])) {
        return std::nullopt;
    }
    const Node* column = graph.node(withoutCast(graph, less->inputs[1]), "ExpandDims");
    const auto axis = column != nullptr && column->inputs.size() == 2 ? graph.integer(column->inputs[1]) : std::nullopt;
    if (axis != 1 && axis != -1) {
        return std::nullopt;
    }
    ValueId end = graph.node(less->inputs[0], "Range")->inputs[1];
    if (const Node* maximum = graph.node(end, "Maximum");
        maximum != nullptr && graph.integer(maximum->inputs[0]) == 0) {
        end = maximum->inputs[1];
    }
    const Node* longest = graph.node(end, "Max");
    const bool isLongest = longest != nullptr && longest->inputs[0] == column->inputs[0];
    return MaskLengths{column->inputs[0], isLongest ? ValueId{} : end};
}

namespace {

/// Whether the output of an operator is only reversed, and its shape read.
bool isOnlyReversed(const GraphRewriter& graph, const StepMatcher& matcher, ValueId output)
{
    const auto& outputs = graph.graph().outputs;
    if (std::find(outputs.begin(), outputs.end(), output) != outputs.end()) {
        return false;
    }
    return std::all_of(graph.graph().nodes().begin(), graph.graph().nodes().end(), [&](const Node& node) {
        const bool reads = std::find(node.inputs.begin(), node.inputs.end(), output) != node.inputs.end();
        return !reads || node.op == "Shape" || reversedOf(matcher, node.outputs.at(0)) == output;
    });
}

/// Changes an operator on a reversed sequence to one that runs in reverse.
void takeReversal(GraphRewriter& graph, NodeId id)
{
    graph.addAttribute(id, {std::string(runsInReverse), true});
    const ValueId output = graph.graph().node(id).outputs[0];
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (node.op != "Shape" && std::find(node.inputs.begin(), node.inputs.end(), output) != node.inputs.end()) {
            graph.replace(node.outputs[0], output);
        }
    }
}

/// The steps that the mask takes, from 0 to its number of steps.
ValueId limited(GraphRewriter& graph, const MaskLengths& mask)
{
    if (!mask.limit) {
        return mask.lengths;
    }
    const ElementType type = graph.graph().value(mask.lengths).type.element;
    const ValueId limit = graph.add("Cast", {mask.limit}, {{"DstT", type}}).front();
    const ValueId zero = graph.addWeight("zero", Tensor::filled(type, {}, 0));
    return graph.add("Maximum", {graph.add("Minimum", {mask.lengths, limit}).front(), zero}).front();
}

void replaceMask(GraphRewriter& graph, NodeId id, std::size_t input)
{
    const StepMatcher matcher(graph.graph());
    const Node& node = graph.graph().node(id);
    const ValueId mask = withoutCast(matcher, node.inputs[input]);
    auto lengths = lengthsOfMask(matcher, mask);
    const ValueId forward = reversedOf(matcher, mask);
    const ValueId sequence = reversedOf(matcher, node.inputs[0]);
    bool isReversed = false;
    if (!lengths && node.op == "LstmGenericBase" && forward && sequence &&
        isOnlyReversed(graph, matcher, node.outputs.at(0))) {
        lengths = lengthsOfMask(matcher, forward);
        isReversed = lengths.has_value();
    }
    if (!lengths) {
        return;
    }
    ValueIds inputs = node.inputs;
    inputs[0] = isReversed ? sequence : inputs[0];
    inputs[input] = limited(graph, *lengths);
    graph.setInputs(id, std::move(inputs));
    graph.addAttribute(id, {std::string(maskIsLengths), true});
    if (isReversed) {
        takeReversal(graph, id);
    }
}

} // namespace

void replaceSequenceMasks(GraphRewriter& graph)
{
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const auto input = maskInput(graph.graph().node(NodeId{i}).op);
        if (input && *input < graph.graph().node(NodeId{i}).inputs.size()) {
            replaceMask(graph, NodeId{i}, *input);
        }
    }
}

} // namespace crosswalk::tensorflow
