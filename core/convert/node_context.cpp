#include "core/convert/node_context.h"

#include "core/graph/shape_fit.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {

NodeContext::NodeContext(const TranslationScope& scope, NodeId nodeId, OnnxValues inputs)
    : graph(scope.graph)
    , id(nodeId)
    , node(scope.graph.node(nodeId))
    , options(scope.options)
    , onnx(scope.onnx)
    , m_scope(scope)
    , m_inputs(std::move(inputs))
{
}

OnnxValue NodeContext::input(std::size_t i) const
{
    if (!hasInput(i)) {
        invalid(fmt::format("{} needs input {}, the node has {}", node.op, i, m_inputs.size()));
    }
    return m_inputs[i];
}

std::string NodeContext::name() const
{
    return m_scope.names.of(m_scope.origins.front());
}

Strategy NodeContext::strategy() const
{
    for (const NodeRef& origin : m_scope.origins) {
        const auto chosen = options.strategies.find(m_scope.names.of(origin));
        if (chosen != options.strategies.end()) {
            return chosen->second;
        }
    }
    return options.recurrent;
}

OnnxValues NodeContext::translateSubgraph(SubgraphId body, const OnnxValues& inputs) const
{
    return m_scope.translateSubgraph(body, inputs);
}

const Shape& NodeContext::shape(OnnxValue value) const
{
    const auto& known = onnx.shape(value);
    if (!known) {
        throw UnknownShape("unknown-shape", fmt::format("{} requires the rank of an input, which is unknown", node.op));
    }
    return *known;
}

ElementType NodeContext::element(OnnxValue value) const
{
    const ElementType known = onnx.element(value);
    if (known == ElementType::Undefined) {
        throw UnknownShape("unknown-shape", fmt::format("{} requires the type of an input, which is unknown", node.op));
    }
    return known;
}

std::int64_t NodeContext::fixedDim(OnnxValue value, std::int64_t axis) const
{
    const Shape& dims = shape(value);
    const Dim& dim = dims[static_cast<std::size_t>(this->axis(axis, dims.size()))];
    if (!dim.isFixed()) {
        throw UnknownShape("unknown-shape",
                           fmt::format("{} requires a fixed size in dimension {} of its input, which is {}", node.op,
                                       axis, toString(dims)));
    }
    return dim.size;
}

void NodeContext::expectWeight(std::size_t i, const Shape& expected) const
{
    const Tensor* stored = hasInput(i) ? onnx.content(m_inputs[i]) : nullptr;
    const ValueId value = i < node.inputs.size() ? node.inputs[i] : ValueId{};
    if (!value) {
        return;
    }
    if (stored == nullptr || graph.tensorOf(value) == nullptr) {
        const auto& given = hasInput(i) ? onnx.shape(m_inputs[i]) : std::nullopt;
        if (given && !fitsShape(*given, expected)) {
            wrongWeight(fmt::format("weight {} has shape {}, but the node requires {}", graph.value(value).name,
                                    toString(*given), toString(expected)));
        }
        return;
    }
    bool fits = stored->rank() == expected.size();
    for (std::size_t d = 0; fits && d < expected.size(); ++d) {
        fits = !expected[d].isFixed() || expected[d].size == stored->dims()[d];
    }
    if (!fits) {
        wrongWeight(fmt::format("weight {} has shape {}, but the node requires {}", graph.value(value).name,
                                toString(shapeOf(stored->dims())), toString(expected)));
    }
}

void NodeContext::wrongWeight(std::string message) const
{
    auto problem = about(Severity::Error, "wrong-weight", std::move(message), {});
    problem.hint = options.shapes.empty() && options.types.empty()
                       ? "use the weights file of this version of the model"
                       : "check the shapes of the inputs, or use the weights file of this model";
    throw ModelError(std::move(problem));
}

std::int64_t NodeContext::axis(std::int64_t axis, std::size_t rank, std::string_view attribute) const
{
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count) {
        invalid(fmt::format("{} = {} is outside the {} dimensions of its input", attribute, axis, rank),
                std::string(attribute));
    }
    return axis < 0 ? axis + count : axis;
}

Diagnostic NodeContext::about(Severity severity, Code code, std::string message, std::string attribute) const
{
    Diagnostic problem{
        .severity = severity, .code = code, .message = std::move(message), .attribute = std::move(attribute)};
    m_scope.names.locate(problem, m_scope.origins.front());
    return problem;
}

void NodeContext::refuse(std::string message, std::string attribute, std::string hint,
                         std::vector<Choice> choices) const
{
    auto problem = about(Severity::Error, "unsupported-attribute", std::move(message), std::move(attribute));
    problem.hint = std::move(hint);
    problem.choices = std::move(choices);
    throw ModelError(std::move(problem));
}

void NodeContext::invalid(std::string message, std::string attribute) const
{
    throw ModelError(about(Severity::Error, "invalid-attribute", std::move(message), std::move(attribute)));
}

void NodeContext::note(Code code, std::string message, std::string attribute) const
{
    m_scope.problems.push_back(about(Severity::Note, code, std::move(message), std::move(attribute)));
}

void NodeContext::approximate(std::string message, std::string attribute, std::vector<Choice> choices)
{
    auto problem = about(Severity::Warning, "approximate", std::move(message), std::move(attribute));
    problem.choices = std::move(choices);
    m_scope.problems.push_back(std::move(problem));
    m_approximate = true;
}

void NodeContext::choices(Code code, std::string message, std::string attribute, std::vector<Choice> choices) const
{
    auto problem = about(Severity::Note, code, std::move(message), std::move(attribute));
    problem.choices = std::move(choices);
    m_scope.problems.push_back(std::move(problem));
}

} // namespace crosswalk
