#include "core/onnx/operand_shapes.h"

#include "core/base/diagnostic.h"
#include "core/graph/shape_fit.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk {
namespace {

using ShapeOf = std::function<const Shape*(std::size_t operand)>;

/// The operands and attributes of one node.
class NodeShapes {
public:
    NodeShapes(const ::onnx::NodeProto& node, const ShapeOf& shapeOf)
        : m_node(node)
        , m_shapeOf(shapeOf)
    {
    }

    const Shape* shape(std::size_t operand) const { return m_shapeOf(operand); }

    /// Open if the shape is unknown or has no such axis. A negative axis counts from the end.
    Dim dim(std::size_t operand, std::int64_t axis) const
    {
        const Shape* dims = shape(operand);
        const auto rank = dims != nullptr ? static_cast<std::int64_t>(dims->size()) : 0;
        const std::int64_t place = axis < 0 ? axis + rank : axis;
        return place >= 0 && place < rank ? (*dims)[static_cast<std::size_t>(place)] : Dim();
    }

    std::int64_t integer(std::string_view name, std::int64_t fallback) const
    {
        const auto* found = attribute(name);
        return found != nullptr ? found->i() : fallback;
    }

    std::string text(std::string_view name) const
    {
        const auto* found = attribute(name);
        return found != nullptr ? found->s() : std::string();
    }

    /// `what` is a noun with an article.
    void expectSize(const Dim& given, const Dim& required, std::string_view what) const
    {
        if (!fitsDim(given, required)) {
            fail(fmt::format("{} has {} instead of {}", what, given.size, required.size));
        }
    }

    /// The shape of an operand, if it has the rank of the required one; inference compares ranks.
    void expectShape(std::size_t operand, const Shape& required, std::string_view what) const
    {
        const Shape* given = shape(operand);
        if (given != nullptr && given->size() == required.size() && !fitsShape(*given, required)) {
            fail(fmt::format("{} has shape {} instead of {}", what, toString(*given), toString(required)));
        }
    }

    /// Whether an operand can be broadcast to the shape, and not the other way round.
    void expectBroadcastTo(std::size_t operand, const Shape& target, std::string_view what) const
    {
        const Shape* given = shape(operand);
        if (given == nullptr) {
            return;
        }
        const auto fits = [](const Dim& own, const Dim& wanted) { return own == Dim(1) || fitsDim(own, wanted); };
        const std::size_t rank = given->size();
        if (rank > target.size() ||
            !std::equal(given->begin(), given->end(), target.end() - static_cast<std::ptrdiff_t>(rank), fits)) {
            fail(fmt::format("{} of shape {} cannot be broadcast to {}", what, toString(*given), toString(target)));
        }
    }

    [[noreturn]] void fail(const std::string& why) const
    {
        throw ModelError("wrong-operands", fmt::format("as ONNX's {}: {}", m_node.op_type(), why));
    }

private:
    const ::onnx::AttributeProto* attribute(std::string_view name) const
    {
        const auto found = std::ranges::find(m_node.attribute(), name, &::onnx::AttributeProto::name);
        return found != m_node.attribute().end() ? &*found : nullptr;
    }

    const ::onnx::NodeProto& m_node;
    const ShapeOf& m_shapeOf;
};

Dim times(const Dim& dim, std::int64_t factor)
{
    std::int64_t product = 0;
    return dim.isFixed() && !__builtin_mul_overflow(dim.size, factor, &product) ? Dim(product) : Dim();
}

void expectDivisible(const NodeShapes& node, const Dim& dim, std::int64_t divisor, std::string_view what)
{
    if (dim.isFixed() && divisor > 0 && dim.size % divisor != 0) {
        node.fail(fmt::format("{} {} are not divisible by {}", dim.size, what, divisor));
    }
}

void convolution(const NodeShapes& node, std::size_t kernel, std::optional<std::size_t> bias)
{
    const std::int64_t groups = node.integer("group", 1);
    node.expectSize(node.dim(0, 1), times(node.dim(kernel, 1), groups), "the channel axis of the data");
    expectDivisible(node, node.dim(kernel, 0), groups, "filters");
    if (bias) {
        node.expectSize(node.dim(*bias, 0), node.dim(kernel, 0), "the bias");
    }
}

void conv(const NodeShapes& node)
{
    convolution(node, 1, 2);
}

void convInteger(const NodeShapes& node)
{
    convolution(node, 1, {});
}

void qLinearConv(const NodeShapes& node)
{
    convolution(node, 3, 8);
}

void deformConv(const NodeShapes& node)
{
    convolution(node, 1, 3);
    node.expectSize(node.dim(2, 0), node.dim(0, 0), "the batch axis of the offsets");
    node.expectSize(node.dim(4, 0), node.dim(0, 0), "the batch axis of the mask");
}

void convTranspose(const NodeShapes& node)
{
    const std::int64_t groups = node.integer("group", 1);
    node.expectSize(node.dim(0, 1), node.dim(1, 0), "the channel axis of the data");
    expectDivisible(node, node.dim(0, 1), groups, "channels");
    node.expectSize(node.dim(2, 0), times(node.dim(1, 1), groups), "the bias");
}

/// X, W, R, B, sequence_lens, initial_h, and for an LSTM initial_c and P.
void recurrent(const NodeShapes& node, std::int64_t gates, std::int64_t biases)
{
    const bool isBatchFirst = node.integer("layout", 0) != 0;
    const Dim batch = node.dim(0, isBatchFirst ? 0 : 1);
    const Dim directions(node.text("direction") == "bidirectional" ? 2 : 1);
    const Dim hidden = node.dim(2, 2);
    const Dim rows = times(hidden, gates);
    node.expectShape(1, {directions, rows, node.dim(0, 2)}, "W");
    node.expectShape(2, {directions, rows, hidden}, "R");
    node.expectShape(3, {directions, times(hidden, biases)}, "B");
    node.expectShape(4, {batch}, "sequence_lens");
    const Shape state = isBatchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    node.expectShape(5, state, "initial_h");
    node.expectShape(6, state, "initial_c");
    node.expectShape(7, {directions, times(hidden, 3)}, "P");
}

void lstm(const NodeShapes& node)
{
    recurrent(node, 4, 8);
}

void gru(const NodeShapes& node)
{
    recurrent(node, 3, 6);
}

void rnn(const NodeShapes& node)
{
    recurrent(node, 1, 2);
}

/// The dimensions of one letter are equal, or 1.
void einsum(const NodeShapes& node)
{
    std::string equation = node.text("equation");
    std::erase(equation, ' ');
    equation = equation.substr(0, equation.find("->"));
    std::map<char, Dim> sizes;
    std::size_t operand = 0;
    for (std::size_t begin = 0; begin <= equation.size(); ++operand) {
        const std::size_t end = std::min(equation.find(',', begin), equation.size());
        const std::string term = equation.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t dots = term.find("...");
        for (std::size_t i = 0; i < term.size(); ++i) {
            if (term[i] == '.') {
                continue;
            }
            // Letters behind an ellipsis count from the end.
            const auto axis = dots == std::string::npos || i < dots
                                  ? static_cast<std::int64_t>(i)
                                  : static_cast<std::int64_t>(i) - static_cast<std::int64_t>(term.size());
            const Dim size = node.dim(operand, axis);
            Dim& known = sizes[term[i]];
            if (known.isFixed() && size.isFixed() && known.size != size.size && known.size != 1 && size.size != 1) {
                node.fail(fmt::format("{} is an axis of {} and of {}", term[i], known.size, size.size));
            }
            if (size.isFixed() && (!known.isFixed() || known.size == 1)) {
                known = size;
            }
        }
    }
}

/// Inference broadcasts A and B only.
void gemm(const NodeShapes& node)
{
    node.expectBroadcastTo(
        2, {node.dim(0, node.integer("transA", 0) != 0 ? 1 : 0), node.dim(1, node.integer("transB", 0) != 0 ? 0 : 1)},
        "C");
}

void instanceNormalization(const NodeShapes& node)
{
    node.expectSize(node.dim(1, 0), node.dim(0, 1), "the scale");
    node.expectSize(node.dim(2, 0), node.dim(0, 1), "the bias");
}

void layerNormalization(const NodeShapes& node)
{
    if (const Shape* data = node.shape(0)) {
        node.expectBroadcastTo(1, *data, "the scale");
        node.expectBroadcastTo(2, *data, "the bias");
    }
}

void pRelu(const NodeShapes& node)
{
    if (const Shape* data = node.shape(0)) {
        node.expectBroadcastTo(1, *data, "the slope");
    }
}

/// Indices along `axis` reach into the data at all other axes.
void expectIndicesWithin(const NodeShapes& node)
{
    const Shape* data = node.shape(0);
    const Shape* indices = node.shape(1);
    if (data == nullptr || indices == nullptr || data->size() != indices->size()) {
        return;
    }
    const std::int64_t given = node.integer("axis", 0);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(data->size()) : given);
    for (std::size_t i = 0; i < data->size(); ++i) {
        if (i != axis && (*data)[i].isFixed() && (*indices)[i].isFixed() && (*indices)[i].size > (*data)[i].size) {
            node.fail(fmt::format("indices of shape {} exceed data of shape {}", toString(*indices), toString(*data)));
        }
    }
}

void scatterElements(const NodeShapes& node)
{
    expectIndicesWithin(node);
    if (const Shape* indices = node.shape(1)) {
        node.expectShape(2, *indices, "the tensor of updates");
    }
}

void scatterNd(const NodeShapes& node)
{
    const Shape* data = node.shape(0);
    const Shape* indices = node.shape(1);
    const Dim depth = node.dim(1, -1);
    if (data == nullptr || indices == nullptr || !depth.isFixed()) {
        return;
    }
    if (depth.size < 0 || depth.size > static_cast<std::int64_t>(data->size())) {
        node.fail(fmt::format("indices of {} numbers address data of shape {}", depth.size, toString(*data)));
    }
    Shape required(indices->begin(), indices->end() - 1);
    required.insert(required.end(), data->begin() + depth.size, data->end());
    node.expectShape(2, required, "the tensor of updates");
}

void gatherNd(const NodeShapes& node)
{
    const std::int64_t batches = node.integer("batch_dims", 0);
    for (std::int64_t axis = 0; axis < batches; ++axis) {
        node.expectSize(node.dim(1, axis), node.dim(0, axis), "a batch axis of the indices");
    }
}

void reverseSequence(const NodeShapes& node)
{
    node.expectSize(node.dim(1, 0), node.dim(0, node.integer("batch_axis", 1)), "sequence_lens");
}

void nonMaxSuppression(const NodeShapes& node)
{
    node.expectSize(node.dim(1, 0), node.dim(0, 0), "the batch axis of the scores");
    node.expectSize(node.dim(1, 2), node.dim(0, 1), "the box axis of the scores");
    node.expectSize(node.dim(0, 2), Dim(4), "the last axis of the boxes");
}

void attention(const NodeShapes& node)
{
    node.expectSize(node.dim(1, 0), node.dim(0, 0), "the batch axis of K");
    node.expectSize(node.dim(2, 0), node.dim(0, 0), "the batch axis of V");
    node.expectSize(node.dim(2, -2), node.dim(1, -2), "the sequence axis of V");
    const Shape* query = node.shape(0);
    if (query != nullptr && query->size() == 4) {
        node.expectSize(node.dim(1, 3), node.dim(0, 3), "the last axis of K");
        node.expectSize(node.dim(2, 1), node.dim(1, 1), "the head axis of V");
        if (const Dim heads = node.dim(1, 1); heads.isFixed()) {
            expectDivisible(node, node.dim(0, 1), heads.size, "heads");
        }
    }
}

void depthToSpace(const NodeShapes& node)
{
    const std::int64_t block = node.integer("blocksize", 1);
    expectDivisible(node, node.dim(0, 1), times(Dim(block), block).size, "channels");
}

void spaceToDepth(const NodeShapes& node)
{
    const std::int64_t block = node.integer("blocksize", 1);
    expectDivisible(node, node.dim(0, 2), block, "rows");
    expectDivisible(node, node.dim(0, 3), block, "columns");
}

struct Rule {
    std::string_view op;
    void (*check)(const NodeShapes& node);
};

constexpr auto rules = std::to_array<Rule>({
    {"Attention", attention},
    {"Conv", conv},
    {"ConvInteger", convInteger},
    {"ConvTranspose", convTranspose},
    {"DeformConv", deformConv},
    {"DepthToSpace", depthToSpace},
    {"Einsum", einsum},
    {"GRU", gru},
    {"GatherElements", expectIndicesWithin},
    {"GatherND", gatherNd},
    {"Gemm", gemm},
    {"InstanceNormalization", instanceNormalization},
    {"LSTM", lstm},
    {"LayerNormalization", layerNormalization},
    {"NonMaxSuppression", nonMaxSuppression},
    {"PRelu", pRelu},
    {"QLinearConv", qLinearConv},
    {"RNN", rnn},
    {"ReverseSequence", reverseSequence},
    {"ScatterElements", scatterElements},
    {"ScatterND", scatterNd},
    {"SpaceToDepth", spaceToDepth},
});
static_assert(std::ranges::is_sorted(rules, {}, &Rule::op));

} // namespace

void checkShapes(const ::onnx::NodeProto& node, const ShapeOf& shapeOf)
{
    const auto rule = std::ranges::lower_bound(rules, std::string_view(node.op_type()), {}, &Rule::op);
    if (rule != rules.end() && rule->op == node.op_type()) {
        rule->check(NodeShapes(node, shapeOf));
    }
}

} // namespace crosswalk
