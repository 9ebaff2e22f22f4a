#include "core/formats/mxnet/reroll/sequences.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/attribute_parser.h"
#include "core/formats/mxnet/axis_propagation.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::int64_t mostSteps = 1 << 20;
constexpr std::int64_t mostRank = 32;
constexpr int mostSequenceDepth = 200;

bool sameAttributes(const Node& a, const Node& b)
{
    return std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
                      [](const Attribute& x, const Attribute& y) { return x.name == y.name && x.value == y.value; });
}

bool sameOperator(const GraphRewriter& graph, const Values& steps)
{
    const Node* first = graph.producerNode(steps.front());
    return first != nullptr && std::all_of(steps.begin(), steps.end(), [&](ValueId step) {
               const Node* node = graph.from(first->op, step);
               return node != nullptr && node->inputs.size() == first->inputs.size() && sameAttributes(*node, *first);
           });
}

std::vector<NodeId> producersOf(const GraphRewriter& graph, const Values& steps)
{
    std::vector<NodeId> nodes;
    for (const ValueId step : steps) {
        if (const NodeId node = graph.producer(step); node && node.index < graph.sourceNodes()) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<Attribute> withAttribute(std::vector<Attribute> attributes, const std::string& name, std::string value)
{
    std::erase_if(attributes, [&](const Attribute& attribute) { return attribute.name == name; });
    attributes.push_back(parsedAttribute(name, std::move(value)));
    return attributes;
}

bool swapsTimeAndBatch(const Node& node)
{
    const auto a = integer(node.attributes, "dim1", 0);
    const auto b = integer(node.attributes, "dim2", 0);
    return node.op == "SwapAxis" && ((a == 0 && b == 1) || (a == 1 && b == 0));
}

} // namespace

ValueId Sequences::swapped(ValueId sequence)
{
    const Node* node = m_graph.from("SwapAxis", sequence);
    if (node != nullptr && swapsTimeAndBatch(*node)) {
        return m_graph.input(*node, 0);
    }
    return m_graph.add("SwapAxis", {sequence}, {parsedAttribute("dim1", "0"), parsedAttribute("dim2", "1")}).front();
}

ValueId Sequences::reversed(ValueId sequence, std::int64_t axis)
{
    if (const Node* node = m_graph.from("reverse", sequence); node != nullptr) {
        if (integer(node->attributes, "axis") == axis) {
            return m_graph.input(*node, 0);
        }
    }
    const ValueId result = m_graph.add("reverse", {sequence}, {parsedAttribute("axis", std::to_string(axis))}).front();
    if (m_matrices.contains(m_graph.current(sequence))) {
        m_matrices.insert(result);
    }
    return result;
}

std::optional<Sequences::Slice> Sequences::sliceOf(ValueId step) const
{
    const Node* node = m_graph.producerNode(step);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (node->op == "SliceChannel" && flag(node->attributes, "squeeze_axis", false)) {
        const auto axis = integer(node->attributes, "axis", 1);
        const auto which = std::find(node->outputs.begin(), node->outputs.end(), m_graph.current(step));
        const auto count = integer(node->attributes, "num_outputs");
        if (axis && count && (*axis == 0 || *axis == 1)) {
            return Slice{m_graph.input(*node, 0), *axis, which - node->outputs.begin(), *count};
        }
        return std::nullopt;
    }
    // A slice of one step whose axis is then squeezed.
    const bool drops = node->op == "squeeze" || node->op == "Flatten" || node->op == "Reshape";
    const Node* slice = drops ? m_graph.from("slice_axis", m_graph.input(*node, 0)) : nullptr;
    if (slice == nullptr) {
        return std::nullopt;
    }
    const auto axis = integer(slice->attributes, "axis");
    const auto begin = integer(slice->attributes, "begin");
    if (!axis || !begin || *begin < 0 || *begin > mostSteps || (*axis != 0 && *axis != 1) ||
        integer(slice->attributes, "end") != *begin + 1) {
        return std::nullopt;
    }
    const auto shape = integers(node->attributes, "shape");
    // The others drop the axis of (batch, 1, features), but merge or add axes of other ranks.
    constexpr std::size_t withFeatures = 3;
    const bool flattens = node->op == "Flatten" || (node->op == "Reshape" && shape == Ints{0, -1});
    const bool dropsAxis = node->op == "squeeze"
                               ? integer(node->attributes, "axis") == *axis
                               : flattens && *axis == 1 && rankOf(m_graph.input(*slice, 0)) == withFeatures;
    return dropsAxis ? std::optional(Slice{m_graph.input(*slice, 0), *axis, *begin, 0}) : std::nullopt;
}

/// The rank, as far as it follows from the shapes of inputs.
std::optional<std::size_t> Sequences::rankOf(ValueId value) const
{
    static constexpr std::array<std::string_view, 7> keeping{"SwapAxis",  "transpose", "Dropout",   "LayerNorm",
                                                             "BatchNorm", "LeakyReLU", "slice_axis"};
    std::size_t added = 0;
    const Node* node = m_graph.producerNode(value);
    for (; node != nullptr; value = m_graph.input(*node, 0), node = m_graph.producerNode(value)) {
        const bool isProduct = node->op == "FullyConnected" && !flag(node->attributes, "flatten", true);
        if (node->op == "RNN" && m_graph.graph().value(m_graph.current(value)).producerOutput == 0) {
            return 3 + added;
        }
        if (node->op == "Embedding") {
            ++added;
        } else if (!isProduct && !isElementwise(node->op) &&
                   std::find(keeping.begin(), keeping.end(), node->op) == keeping.end()) {
            return std::nullopt;
        }
    }
    const Value& input = m_graph.graph().value(m_graph.current(value));
    const auto given = m_shapes.find(input.name);
    const std::optional<Shape> shape = given != m_shapes.end() ? given->second : input.type.shape;
    return shape ? std::optional(shape->size() + added) : std::nullopt;
}

std::optional<ValueId> Sequences::cut(const Values& steps)
{
    const auto first = sliceOf(steps.front());
    if (!first || steps.size() < 2) {
        return std::nullopt;
    }
    const auto second = sliceOf(steps[1]);
    const std::int64_t stride = second ? second->index - first->index : 0;
    if (stride != 1 && stride != -1) {
        return std::nullopt;
    }
    std::int64_t index = first->index;
    for (const ValueId step : steps) {
        const auto slice = sliceOf(step);
        if (!slice || slice->of != first->of || slice->axis != first->axis || slice->count != first->count ||
            slice->index != index) {
            return std::nullopt;
        }
        index += stride;
    }
    const auto length = static_cast<std::int64_t>(steps.size());
    const std::int64_t begin = stride == 1 ? first->index : first->index - length + 1;
    ValueId whole = first->of;
    if (first->count != length) {
        whole = m_graph
                    .add("slice_axis", {whole},
                         {parsedAttribute("axis", std::to_string(first->axis)),
                          parsedAttribute("begin", std::to_string(begin)),
                          parsedAttribute("end", std::to_string(begin + length))})
                    .front();
    }
    const ValueId inTime = first->axis == 0 ? whole : swapped(whole);
    return stride == 1 ? inTime : reversed(inTime);
}

std::optional<ValueId> Sequences::computed(const Values& steps, int depth)
{
    if (depth > mostSequenceDepth || !sameOperator(m_graph, steps)) {
        return std::nullopt;
    }
    const Node node = *m_graph.producerNode(steps.front());
    const bool isConcat = node.op == "Concat";
    const std::int64_t dim = integer(node.attributes, "dim", 1).value_or(-1);
    const bool isProduct = node.op == "FullyConnected";
    const bool isSupported =
        isElementwise(node.op) || isProduct || node.op == "Embedding" || (isConcat && dim > 0 && dim < mostRank);
    if (!isSupported || node.inputs.empty()) {
        return std::nullopt;
    }
    Values inputs;
    bool ofMatrices = true;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        Values operands;
        for (const ValueId step : steps) {
            operands.push_back(m_graph.input(*m_graph.producerNode(step), i));
        }
        const bool isWeight = i > 0 && (isProduct || node.op == "Embedding");
        if (isWeight) {
            if (std::adjacent_find(operands.begin(), operands.end(), std::not_equal_to<>()) != operands.end()) {
                return std::nullopt;
            }
            inputs.push_back(operands.front());
            continue;
        }
        const auto sequence = find(operands, depth + 1);
        if (!sequence) {
            return std::nullopt;
        }
        inputs.push_back(*sequence);
        ofMatrices = ofMatrices && m_matrices.contains(m_graph.current(*sequence));
    }
    // A product flattens operands of more than two dimensions, but must not flatten the time axis in front.
    if (isProduct && flag(node.attributes, "flatten", true) && !ofMatrices) {
        return std::nullopt;
    }
    if (isConcat) {
        const ValueId all = concat(inputs, dim + 1);
        m_graph.addOrigins(all, producersOf(m_graph, steps));
        return all;
    }
    const ValueId result =
        m_graph
            .add(node.op, inputs, isProduct ? withAttribute(node.attributes, "flatten", "False") : node.attributes, 1,
                 node.name)
            .front();
    m_graph.addOrigins(result, producersOf(m_graph, steps));
    if (ofMatrices && node.op != "Embedding") {
        m_matrices.insert(result);
    }
    return result;
}

std::optional<ValueId> Sequences::of(const Values& steps)
{
    m_found.clear(); // nodes inserted since may have invalidated earlier results
    return find(steps, 0);
}

std::optional<ValueId> Sequences::find(const Values& steps, int depth)
{
    if (const auto known = m_found.find(steps); known != m_found.end()) {
        return known->second;
    }
    auto sequence = cut(steps);
    if (!sequence && steps.size() > 1) {
        sequence = computed(steps, depth);
    }
    m_found.emplace(steps, sequence);
    return sequence;
}

ValueId Sequences::ofOrStacked(const Values& steps)
{
    if (const auto sequence = of(steps)) {
        return *sequence;
    }
    return m_graph
        .add("stack", steps, {parsedAttribute("axis", "0"), parsedAttribute("num_args", std::to_string(steps.size()))})
        .front();
}

void Sequences::declare(ValueId sequence, const Values& steps)
{
    m_matrices.insert(sequence);
    const auto slices =
        m_graph.add("SliceChannel", {sequence},
                    {parsedAttribute("axis", "0"), parsedAttribute("num_outputs", std::to_string(steps.size())),
                     parsedAttribute("squeeze_axis", "1")},
                    steps.size());
    for (std::size_t t = 0; t < steps.size(); ++t) {
        m_graph.replace(steps[t], slices[t]);
    }
}

/// Joining the parts of a SliceChannel along the same axis returns its input.
ValueId Sequences::concat(const Values& parts, std::int64_t axis)
{
    const Node* cutter = m_graph.producerNode(parts.front());
    if (cutter != nullptr && cutter->op == "SliceChannel" && !flag(cutter->attributes, "squeeze_axis", false) &&
        integer(cutter->attributes, "axis", 1) == axis && cutter->outputs.size() == parts.size() &&
        std::equal(parts.begin(), parts.end(), cutter->outputs.begin(),
                   [&](ValueId a, ValueId b) { return m_graph.current(a) == b; })) {
        return m_graph.input(*cutter, 0);
    }
    const bool ofMatrices = std::all_of(parts.begin(), parts.end(),
                                        [&](ValueId part) { return m_matrices.contains(m_graph.current(part)); });
    const ValueId result = m_graph
                               .add("Concat", parts,
                                    {parsedAttribute("dim", std::to_string(axis)),
                                     parsedAttribute("num_args", std::to_string(parts.size()))})
                               .front();
    if (ofMatrices) {
        m_matrices.insert(result);
    }
    return result;
}

} // namespace crosswalk::mxnet
