#include "core/formats/mxnet/weight_shapes.h"

#include "core/formats/mxnet/node_texts.h"
#include "core/formats/mxnet/slots.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

Dim sized(std::optional<std::int64_t> size)
{
    return size && *size > 0 ? Dim(*size) : Dim();
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        if (text == name) {
            return true;
        }
    }
    return false;
}

/// The kernel's place among the weight's dimensions goes with the layout: OIHW, or OHWI where the channels stand last.
std::optional<Shape> convolutionWeight(SymbolAttributes attributes, bool transposed)
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

std::optional<Shape> ofSlot(std::string_view op, std::string_view slot, SymbolAttributes attributes)
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

class WeightChecker {
public:
    WeightChecker(const Graph& graph, std::vector<Diagnostic>& problems)
        : m_graph(graph)
        , m_problems(problems)
    {
    }

    void check(NodeId id)
    {
        const Node& node = m_graph.node(id);
        std::vector<ValueId> stored;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const Tensor* tensor = m_graph.tensorOf(node.inputs[i]);
            const auto expected = tensor != nullptr ? weightShape(node, i) : std::nullopt;
            if (!expected) {
                continue;
            }
            if (!fits(*expected, tensor->dims())) {
                report(id, fmt::format("its weight {} should be {}", named(node.inputs[i]), toString(*expected)));
                return;
            }
            stored.push_back(node.inputs[i]);
        }
        checkAgreement(id, stored);
    }

private:
    /// Weights of one node whose first dimensions are the same number: a bias and the rows of its weight, the vectors
    /// of a normalisation.
    void checkAgreement(NodeId id, const std::vector<ValueId>& stored)
    {
        if (isOneOf(m_graph.node(id).op, {"Deconvolution", "Embedding", "_contrib_SparseEmbedding", "RNN"})) {
            return;
        }
        for (std::size_t i = 1; i < stored.size(); ++i) {
            if (m_graph.tensorOf(stored[0])->dims()[0] != m_graph.tensorOf(stored[i])->dims()[0]) {
                report(id,
                       fmt::format("its weights {} and {} do not fit together", named(stored[0]), named(stored[i])));
                return;
            }
        }
    }

    std::string named(ValueId value) const
    {
        return fmt::format("'{}' ({})", m_graph.value(value).name, toString(shapeOf(m_graph.tensorOf(value)->dims())));
    }

    void report(NodeId id, std::string message)
    {
        if (!m_names) {
            m_names.emplace(m_graph);
        }
        m_problems.push_back({.severity = Severity::Error,
                              .code = "wrong-weight-shape",
                              .message = std::move(message),
                              .node = m_names->of(id),
                              .nodeIndex = id.index,
                              .op = m_graph.node(id).op,
                              .hint = "give the weights that belong to this model"});
    }

    const Graph& m_graph;
    std::vector<Diagnostic>& m_problems;
    std::optional<NodeNames> m_names; ///< made for the first report
};

} // namespace

std::optional<Shape> weightShape(const Node& node, std::size_t input)
{
    const auto attributes = texts(node);
    const auto slots = inputSlots(node.op, attributes);
    if (input >= slots.size() || slots[input].kind == SlotKind::Data || slots[input].kind == SlotKind::Label) {
        return std::nullopt;
    }
    return ofSlot(node.op, slots[input].name, attributes);
}

bool fits(const Shape& shape, const std::vector<std::int64_t>& dims)
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

void checkWeightShapes(const Graph& graph, std::vector<Diagnostic>& problems)
{
    WeightChecker checker(graph, problems);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        checker.check(NodeId{i});
    }
}

} // namespace crosswalk::mxnet
