#include "core/onnx/work.h"

#include "core/base/readable.h"
#include "core/graph/attributes.h"
#include "core/graph/generated_names.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/work_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

/// Empty if unknown, or if it does not fit in 63 bits.
using Count = std::optional<std::int64_t>;

Count times(Count a, Count b)
{
    std::int64_t product = 0;
    return a && b && !__builtin_mul_overflow(*a, *b, &product) ? Count(product) : std::nullopt;
}

Count plus(Count a, Count b)
{
    std::int64_t sum = 0;
    return a && b && !__builtin_add_overflow(*a, *b, &sum) ? Count(sum) : std::nullopt;
}

ValueId inputOf(const Node& node, std::size_t index)
{
    return index < node.inputs.size() ? node.inputs[index] : ValueId{};
}

/// Empty if the node has no output.
ValueId outputOf(const Node& node)
{
    return node.outputs.empty() ? ValueId{} : node.outputs.front();
}

/// Counts the work of one graph: the model's top-level graph or a body.
class Counter {
public:
    Counter(const Graph& graph, const Counter* parent, Work& work, std::span<const TensorType> types = {})
        : m_graph(graph)
        , m_parent(parent)
        , m_work(work)
        , m_types(types)
        , m_isConstant(graph.valueCount())
        , m_outer(graph.captures.empty() ? 0 : graph.valueCount())
    {
        for (const Graph::Capture& capture : graph.captures) {
            m_outer[capture.inner.index] = capture.outer;
            m_isConstant[capture.inner.index] = parent != nullptr && parent->m_isConstant[capture.outer.index];
        }
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            m_isConstant[i] = m_isConstant[i] || graph.value(ValueId{i}).tensor;
        }
        for (const Node& node : graph.nodes()) {
            for (const ValueId output : node.outputs) {
                m_isConstant[output.index] = computesConstants(node);
            }
        }
    }

    Count all() const
    {
        Count sum = 0;
        for (const Node& node : m_graph.nodes()) {
            if (const Count count = one(node)) {
                sum = plus(sum, count);
            } else {
                ++m_work.unknownNodes;
            }
        }
        return sum;
    }

    Count one(const Node& node) const
    {
        const bool isConstant = !node.outputs.empty() && std::ranges::all_of(node.outputs, [&](ValueId output) {
            return m_isConstant[output.index];
        });
        return isConstant ? Count(0) : isOnnx(node) ? countOf(node) : std::nullopt;
    }

private:
    static bool isOnnx(const Node& node) { return isOnnxDomain(node.domain); }

    /// Whether a node depends only on constants, so that a runtime folds it when it loads the model.
    bool computesConstants(const Node& node) const
    {
        const WorkRule rule = workRule(node.op);
        const bool hasBody = rule == WorkRule::Scan || rule == WorkRule::Loop || rule == WorkRule::If;
        return isOnnx(node) && !hasBody && !isRandom(node.op) &&
               std::all_of(node.inputs.begin(), node.inputs.end(),
                           [&](ValueId input) { return !input || m_isConstant[input.index]; });
    }

    const Shape* shapeOf(ValueId id) const
    {
        if (!id) {
            return nullptr;
        }
        const Value& value = m_graph.value(id);
        if (const auto& shape = m_types.empty() || value.tensor ? value.type.shape : m_types[id.index].shape) {
            return &*shape;
        }
        const ValueId outer = m_outer.empty() ? ValueId{} : m_outer[id.index];
        return outer && m_parent != nullptr ? m_parent->shapeOf(outer) : nullptr;
    }

    Count size(const Dim& dim) const
    {
        if (dim.isUnknown()) {
            return std::nullopt;
        }
        if (!dim.isFixed()) {
            m_work.symbolsAsOne.insert(dim.symbol());
            return 1;
        }
        return dim.size;
    }
    /// A negative axis counts from the end.
    Count size(ValueId id, std::int64_t axis) const
    {
        const Shape* shape = shapeOf(id);
        const auto rank = shape != nullptr ? static_cast<std::int64_t>(shape->size()) : 0;
        axis += axis < 0 ? rank : 0;
        return axis >= 0 && axis < rank ? size((*shape)[static_cast<std::size_t>(axis)]) : std::nullopt;
    }
    Count elements(ValueId id) const
    {
        const Shape* shape = shapeOf(id);
        if (shape == nullptr) {
            return std::nullopt;
        }
        Count product = 1;
        for (const Dim& dim : *shape) {
            product = times(product, size(dim));
        }
        return product;
    }
    /// Elements of a weight per index of its first axis.
    Count perFirst(ValueId weight) const
    {
        const Count first = size(weight, 0);
        const Count whole = elements(weight);
        return first && whole && *first > 0 ? Count(*whole / *first) : std::nullopt;
    }
    Count elementsOfOutputs(const Node& node) const
    {
        Count sum = 0;
        for (const ValueId output : node.outputs) {
            sum = output ? plus(sum, elements(output)) : sum;
        }
        return sum;
    }

    Count pool(const Node& node) const
    {
        const auto* sizes = attributeOf<Ints>(node, "kernel_shape");
        if (sizes == nullptr) {
            return std::nullopt;
        }
        Count product = elements(outputOf(node));
        for (const std::int64_t one : *sizes) {
            product = times(product, one);
        }
        return product;
    }

    /// The product of the sizes of all indices: "bij,bjk->bik" costs b * i * j * k.
    Count einsum(const Node& node) const
    {
        const auto* equation = attributeOf<std::string>(node, "equation");
        if (equation == nullptr || equation->find('.') != std::string::npos) {
            return std::nullopt;
        }
        std::string letters;
        Count product = 1;
        std::size_t input = 0;
        std::int64_t axis = 0;
        for (const char c : *equation) {
            if (c == '-') {
                break;
            }
            if (c == ',') {
                ++input;
                axis = 0;
            } else if (c != ' ') {
                if (letters.find(c) == std::string::npos) {
                    letters += c;
                    product = times(product, size(inputOf(node, input), axis));
                }
                ++axis;
            }
        }
        return product;
    }

    /// All gates of all directions, for every step and sample.
    Count recurrent(const Node& node) const
    {
        const Count steps = times(size(inputOf(node, 0), 0), size(inputOf(node, 0), 1)); // in either layout
        return times(steps, plus(elements(inputOf(node, 1)), elements(inputOf(node, 2))));
    }

    Count body(const Node& node, std::string_view name) const
    {
        const auto* id = attributeOf<SubgraphId>(node, name);
        return id != nullptr ? Counter(m_graph.subgraph(*id), this, m_work).all() : std::nullopt;
    }

    Count scan(const Node& node) const
    {
        const std::int64_t sequences = intOf(node, "num_scan_inputs", 0);
        const auto first = static_cast<std::int64_t>(node.inputs.size()) - sequences;
        if (sequences <= 0 || first < 0) {
            return std::nullopt;
        }
        const auto* axes = attributeOf<Ints>(node, "scan_input_axes");
        const std::int64_t axis = axes != nullptr && !axes->empty() ? axes->front() : 0;
        const Count steps = size(inputOf(node, static_cast<std::size_t>(first)), axis);
        return steps ? times(steps, body(node, "body")) : std::nullopt;
    }

    Count loop(const Node& node) const
    {
        const ValueId tripCount = inputOf(node, 0);
        const Tensor* stored = tripCount ? m_graph.tensorOf(tripCount) : nullptr;
        if (stored == nullptr || stored->type() != ElementType::Int64 || stored->elements() != 1) {
            return std::nullopt; // the number of iterations depends on the data
        }
        const Count iterations = stored->toInts().front();
        return *iterations >= 0 ? times(iterations, body(node, "body")) : std::nullopt;
    }

    Count countOf(const Node& node) const
    {
        switch (workRule(node.op)) {
        case WorkRule::Unknown:
            return std::nullopt;
        case WorkRule::Nothing:
            return 0;
        case WorkRule::Outputs:
            return elementsOfOutputs(node);
        case WorkRule::Inputs:
            return elements(inputOf(node, 0));
        case WorkRule::Conv:
            return times(elements(outputOf(node)), perFirst(inputOf(node, node.op == "QLinearConv" ? 3 : 1)));
        case WorkRule::ConvTranspose:
            return times(elements(inputOf(node, 0)), perFirst(inputOf(node, 1)));
        case WorkRule::Gemm:
            return times(elements(outputOf(node)), size(inputOf(node, 0), intOf(node, "transA", 0) != 0 ? 0 : 1));
        case WorkRule::MatMul:
            return times(elements(outputOf(node)), size(inputOf(node, 0), -1));
        case WorkRule::Einsum:
            return einsum(node);
        case WorkRule::Recurrent:
            return recurrent(node);
        case WorkRule::Pool:
            return pool(node);
        case WorkRule::Scan:
            return scan(node);
        case WorkRule::Loop:
            return loop(node);
        case WorkRule::If: {
            const Count one = body(node, "then_branch");
            const Count other = body(node, "else_branch");
            return one && other ? Count(std::max(*one, *other)) : std::nullopt;
        }
        }
        return std::nullopt;
    }

    const Graph& m_graph;
    const Counter* m_parent;
    Work& m_work;
    std::span<const TensorType> m_types; ///< by value; empty: those of the graph
    std::vector<bool> m_isConstant;      ///< by value
    ValueIds m_outer;                    ///< by value: the captured value of the parent graph; empty without captures
};

} // namespace

Work workOf(const Graph& onnx, std::span<const TensorType> types)
{
    Work work;
    if (const Count all = Counter(onnx, nullptr, work, types).all()) {
        work.multiplyAdds = *all;
    } else {
        work.unknownNodes = onnx.nodeCount(); // overflow
    }
    return work;
}

std::vector<Work> worksByNode(const Graph& onnx)
{
    Work work;
    const Counter counter(onnx, nullptr, work);
    std::vector<Work> works;
    works.reserve(onnx.nodeCount());
    for (const Node& node : onnx.nodes()) {
        work = {};
        const Count count = counter.one(node);
        work.multiplyAdds = count.value_or(0);
        work.unknownNodes += count ? 0 : 1;
        works.push_back(std::move(work));
    }
    return works;
}

std::vector<std::string> sizesAsOne(const Work& work)
{
    constexpr std::size_t mostNames = 3;
    std::vector<std::string> names;
    std::size_t unnamed = 0;
    for (const auto& symbol : work.symbolsAsOne) {
        if (isGeneratedSymbol(symbol) || names.size() == mostNames) {
            ++unnamed;
        } else {
            names.push_back(symbol + " = 1");
        }
    }
    if (unnamed > 0) {
        names.push_back(
            fmt::format("{}{} size{} = 1", unnamed, names.empty() ? " unknown" : " more", unnamed == 1 ? "" : "s"));
    }
    return names;
}

std::string toString(const Work& work)
{
    if (work.unknownNodes > 0 && work.multiplyAdds == 0) {
        return "unknown";
    }
    std::string text = work.unknownNodes > 0 ? "at least " : "";
    text += readableCount(static_cast<std::uint64_t>(work.multiplyAdds)) + " multiply-adds";
    if (const auto sizes = sizesAsOne(work); !sizes.empty()) {
        text += fmt::format(" at {}", fmt::join(sizes, ", "));
    }
    if (work.unknownNodes > 0) {
        text += fmt::format(", {} node{} not counted", work.unknownNodes, work.unknownNodes == 1 ? "" : "s");
    }
    return text;
}

} // namespace crosswalk
