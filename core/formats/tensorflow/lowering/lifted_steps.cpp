#include "core/formats/tensorflow/lowering/lifted_steps.h"

#include "core/base/is_one_of.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr int deepestExpression = 64;

constexpr std::array<std::string_view, 15> unary{"Abs",  "Elu",    "Exp",      "LeakyRelu", "Log",
                                                 "Neg",  "Relu",   "Relu6",    "Selu",      "Sigmoid",
                                                 "Sqrt", "Square", "Softplus", "Softsign",  "Tanh"};
constexpr std::array<std::string_view, 8> binary{"Add", "AddV2",   "BiasAdd", "Maximum",
                                                 "Mul", "Minimum", "RealDiv", "Sub"};

Tensor intTensor(Ints dims, std::int32_t value)
{
    return Tensor::of<std::int32_t>(ElementType::Int32, std::move(dims), std::array{value});
}

} // namespace

LiftedSteps::LiftedSteps(GraphRewriter& graph, const LoopSteps& steps)
    : m_graph(graph)
    , m_steps(steps)
{
    for (const Node& node : step().body().nodes()) {
        if (node.op != "MatMul" || node.inputs.empty()) {
            continue;
        }
        addMatrix(node.inputs[0]);
        if (const Node* concat = step().node(node.inputs[0], "ConcatV2")) {
            std::for_each(concat->inputs.begin(), concat->inputs.iteratorAt(concat->inputs.size() - 1),
                          [&](ValueId part) { addMatrix(part); });
        }
    }
}

/// Takes the operands as well of which the value is computed element by element.
void LiftedSteps::addMatrix(ValueId value)
{
    while (m_matrices.insert(value).second) {
        const NodeId producer = step().body().value(value).producer;
        if (!producer) {
            return;
        }
        const Node& node = step().body().node(producer);
        if (isOneOf(node.op, unary)) {
            value = node.inputs.at(0);
        } else if (isOneOf(node.op, binary) && node.inputs.size() == 2) {
            value = vectorOf(node.inputs[1]) != nullptr   ? node.inputs[0]
                    : vectorOf(node.inputs[0]) != nullptr ? node.inputs[1]
                                                          : value;
        }
    }
}

std::optional<std::size_t> LiftedSteps::rankOf(ValueId value, int depth) const
{
    if (m_matrices.contains(value) || m_layers.contains(value)) {
        return 2;
    }
    if (const ValueId sequence = m_steps.sequenceOf(value)) {
        const auto& shape = m_steps.graph().value(sequence).type.shape;
        return shape && !shape->empty() ? std::optional(shape->size() - 1) : std::nullopt;
    }
    const NodeId producer = step().body().value(value).producer;
    if (!producer || depth > deepestExpression) {
        return std::nullopt;
    }
    const Node& node = step().body().node(producer);
    if (node.op == "MatMul") {
        return 2;
    }
    if (isOneOf(node.op, unary) || node.op == "ConcatV2") {
        return rankOf(node.inputs.at(0), depth + 1);
    }
    if (isOneOf(node.op, binary) && node.inputs.size() == 2) { // as addOperands requires them
        return rankOf(node.inputs[vectorOf(node.inputs[0]) != nullptr ? 1 : 0], depth + 1);
    }
    return std::nullopt;
}

/// A stored value of the body that is the same for all samples; null for others.
const Tensor* LiftedSteps::vectorOf(ValueId value) const
{
    const Tensor* stored = step().stored(value);
    return stored != nullptr && stored->rank() <= 1 ? stored : nullptr;
}

std::optional<ValueIds> LiftedSteps::sequencesOf(ValueId value) const
{
    ValueIds sequences;
    return addSequences(value, sequences, 0) ? std::optional(sequences) : std::nullopt;
}

bool LiftedSteps::addSequences(ValueId value, ValueIds& sequences, int depth) const
{
    if (const auto layer = m_layers.find(value); layer != m_layers.end()) {
        sequences.insert(sequences.end(), layer->second.sequences.begin(), layer->second.sequences.end());
        return true;
    }
    if (const ValueId sequence = m_steps.sequenceOf(value)) {
        sequences.push_back(sequence);
        return true;
    }
    const NodeId producer = step().body().value(value).producer;
    if (!producer || depth > deepestExpression) {
        return false;
    }
    const Node& node = step().body().node(producer);
    const auto reads = [&](ValueId input) { return addSequences(input, sequences, depth + 1); };
    if (isOneOf(node.op, unary)) {
        return reads(node.inputs.at(0));
    }
    if (isOneOf(node.op, binary) && node.inputs.size() == 2) {
        return addOperands(node, sequences, depth + 1);
    }
    if (node.op == "MatMul") {
        const Tensor* weights = step().stored(node.inputs.at(1));
        const auto isSet = [&](std::string_view name) {
            const auto* flag = attributeOf<bool>(node, name);
            return flag != nullptr && *flag;
        };
        return weights != nullptr && weights->rank() == 2 && !isSet("transpose_a") && !isSet("transpose_b") &&
               reads(node.inputs[0]);
    }
    if (node.op == "ConcatV2") {
        const auto axis = step().integer(node.inputs.back());
        return (axis == 1 || axis == -1) &&
               std::all_of(node.inputs.begin(), node.inputs.iteratorAt(node.inputs.size() - 1),
                           [&](ValueId input) { return rankOf(input) == 2 && reads(input); });
    }
    return false;
}

/// Adds the sequences of the operands of a binary operator. With the time axis in front, operands of different ranks
/// would broadcast along other axes than in a step: these are not lifted.
bool LiftedSteps::addOperands(const Node& node, ValueIds& sequences, int depth) const
{
    const auto [a, b] = std::pair(node.inputs[0], node.inputs[1]);
    const auto fits = [&](const Tensor& stored, ValueId other) {
        return stored.rank() == 0 || node.op == "BiasAdd" || rankOf(other).value_or(0) >= 1;
    };
    if (const Tensor* stored = vectorOf(b)) {
        return fits(*stored, a) && addSequences(a, sequences, depth);
    }
    if (const Tensor* stored = vectorOf(a)) {
        return fits(*stored, b) && addSequences(b, sequences, depth);
    }
    return rankOf(a) == 2 && rankOf(b) == 2 && addSequences(a, sequences, depth) && addSequences(b, sequences, depth);
}

ValueId LiftedSteps::lifted(const ValueIds& parts)
{
    ValueIds sequences;
    std::transform(parts.begin(), parts.end(), std::back_inserter(sequences),
                   [&](ValueId part) { return liftedValue(part); });
    if (sequences.size() == 1) {
        return sequences.front();
    }
    const auto count = static_cast<std::int64_t>(sequences.size());
    sequences.push_back(m_graph.addWeight("axis", intTensor({}, 2)));
    return m_graph.add("ConcatV2", sequences, {{"N", count}}).front();
}

ValueId LiftedSteps::liftedValue(ValueId value)
{
    if (const auto layer = m_layers.find(value); layer != m_layers.end()) {
        return layer->second.output;
    }
    if (const ValueId sequence = m_steps.sequenceOf(value)) {
        return sequence;
    }
    if (const auto known = m_lifted.find(value); known != m_lifted.end()) {
        return known->second;
    }
    const Graph& body = step().body();
    const Node& node = body.node(body.value(value).producer);
    ValueId made;
    if (node.op == "ConcatV2") {
        made = lifted({node.inputs.begin(), node.inputs.iteratorAt(node.inputs.size() - 1)});
    } else {
        ValueIds inputs;
        for (const ValueId input : node.inputs) {
            const Tensor* stored = step().stored(input);
            inputs.push_back(stored != nullptr ? m_graph.addWeight(body.value(input).name, *stored)
                                               : liftedValue(input));
        }
        const std::string op = node.op == "MatMul" ? "BatchMatMulV2" : node.op == "BiasAdd" ? "AddV2" : node.op;
        std::vector<Attribute> attributes;
        if (isOneOf(node.op, unary)) {
            attributes = node.attributes;
        }
        made = m_graph.add(op, inputs, attributes, 1, node.name).front();
    }
    m_lifted.emplace(value, made);
    return made;
}

ValueId firstRows(GraphRewriter& graph, ValueId rows, ValueId count)
{
    const ValueId end = graph.add("ExpandDims", {count, graph.addWeight("axis", intTensor({}, 0))}).front();
    const ValueId begin = graph.addWeight("begin", intTensor({1}, 0));
    const ValueId stride = graph.addWeight("stride", intTensor({1}, 1));
    return graph.add("StridedSlice", {rows, begin, end, stride}).front();
}

ValueId LiftedSteps::zeroPastEnd(ValueId sequence, std::size_t rank, ValueId lengths, ElementType type)
{
    const auto number = [&](std::int32_t value) { return m_graph.addWeight("number", intTensor({}, value)); };
    const auto typed = [&](std::int32_t value) {
        return m_graph.addWeight("number", intTensor({}, value).converted(type));
    };
    const ValueId shape = m_graph.add("Shape", {sequence}, {{"out_type", type}}).front();
    const ValueId time = m_graph.add("GatherV2", {shape, number(0), number(0)}).front();
    const ValueId steps = m_graph.add("Range", {typed(0), time, typed(1)}).front();
    const ValueId column = m_graph.add("ExpandDims", {steps, number(1)}).front();
    ValueId mask = m_graph.add("Less", {column, lengths}).front();
    for (std::size_t i = 2; i <= rank; ++i) {
        mask = m_graph.add("ExpandDims", {mask, number(static_cast<std::int32_t>(i))}).front();
    }
    const ValueId zeros = m_graph.add("ZerosLike", {sequence}).front();
    return m_graph.add("SelectV2", {mask, sequence, zeros}).front();
}

bool LiftedSteps::isZero(ValueId value) const
{
    const ValueId outer = m_steps.outerOf(value);
    return outer ? isZeroOutside(outer) : step().isZero(value);
}

bool LiftedSteps::isZeroOutside(ValueId value) const
{
    return m_steps.outer().isZero(value);
}

} // namespace crosswalk::tensorflow
