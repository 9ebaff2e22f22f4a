#include "core/onnx/operand_shapes.h"

#include "core/graph/shape_fit.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

namespace crosswalk {
namespace {

/// Compares the shapes of one node, and keeps the first mismatch.
class ShapeCheck {
public:
    ShapeCheck(const ::onnx::NodeProto& node, const ShapeOf& shapeOf)
        : m_node(node)
        , m_shapeOf(shapeOf)
    {
    }

    std::optional<ShapeMismatch> found() const { return m_found; }

    /// Nothing if the input is omitted or its shape unknown.
    std::optional<Shape> shape(int input) const
    {
        const std::string name = inputOf(m_node, input);
        return name.empty() ? std::nullopt : m_shapeOf(name);
    }
    std::optional<Shape> output() const { return m_shapeOf(m_node.output(0)); }
    const std::string& outputName() const { return m_node.output(0); }

    /// Open if the shape is unknown or has no such axis. A negative axis counts from the end.
    Dim dim(int input, std::int64_t axis) const
    {
        const auto dims = shape(input);
        const std::size_t place = dims ? axisAt(axis, dims->size()) : 0;
        return dims && place < dims->size() ? (*dims)[place] : Dim();
    }

    std::int64_t integer(std::string_view name, std::int64_t fallback) const
    {
        return intAttribute(m_node, name, fallback);
    }
    std::string text(std::string_view name) const
    {
        const auto* found = findAttribute(m_node, name);
        return found != nullptr ? found->s() : std::string();
    }

    void mismatch(std::string value, std::string reason)
    {
        if (!m_found) {
            m_found = ShapeMismatch{std::move(value), std::move(reason)};
        }
    }
    void mismatch(int input, std::string reason) { mismatch(inputOf(m_node, input), std::move(reason)); }

    /// The size of an axis of an input, of which `what` is the name, with an article.
    void expectSize(int input, std::int64_t axis, const Dim& required, std::string_view what)
    {
        expectSize(input, dim(input, axis), required, what);
    }
    /// The same of a size that the input at fault does not have itself.
    void expectSize(int fault, const Dim& given, const Dim& required, std::string_view what)
    {
        if (!fitsDim(given, required)) {
            mismatch(fault, fmt::format("{} has {} instead of {}", what, given.size, required.size));
        }
    }

    /// The shape of an input, if it has the rank of the required one: inference compares ranks.
    void expectShape(int input, const Shape& required, std::string_view what)
    {
        const auto given = shape(input);
        if (given && given->size() == required.size() && !fitsShape(*given, required)) {
            mismatch(input, fmt::format("{} has shape {} instead of {}", what, toString(*given), toString(required)));
        }
    }

    /// Whether an input can be broadcast to the shape, and not the other way round.
    void expectBroadcastTo(int input, const std::optional<Shape>& target, std::string_view what)
    {
        const auto given = shape(input);
        if (!given || !target) {
            return;
        }
        const auto fits = [](const Dim& own, const Dim& wanted) { return own == Dim(1) || fitsDim(own, wanted); };
        const std::size_t rank = given->size();
        if (rank > target->size() ||
            !std::equal(given->begin(), given->end(), target->end() - static_cast<std::ptrdiff_t>(rank), fits)) {
            mismatch(input, fmt::format("{} of shape {} cannot be broadcast to {}", what, toString(*given),
                                        toString(*target)));
        }
    }

    void expectDivisible(int input, std::int64_t axis, std::int64_t divisor, std::string_view what)
    {
        const Dim size = dim(input, axis);
        if (size.isFixed() && divisor > 0 && size.size % divisor != 0) {
            mismatch(input, fmt::format("{} {} are not divisible by {}", size.size, what, divisor));
        }
    }

private:
    const ::onnx::NodeProto& m_node;
    const ShapeOf& m_shapeOf;
    std::optional<ShapeMismatch> m_found;
};

Dim times(const Dim& dim, std::int64_t factor)
{
    std::int64_t product = 0;
    return dim.isFixed() && !__builtin_mul_overflow(dim.size, factor, &product) ? Dim(product) : Dim();
}

/// Each group of filters reads as many channels as it has weights for.
void convolution(ShapeCheck& check, int kernel, std::optional<int> bias)
{
    const std::int64_t groups = check.integer("group", 1);
    check.expectSize(kernel, check.dim(0, 1), times(check.dim(kernel, 1), groups), "the channel axis of the data");
    check.expectDivisible(kernel, 0, groups, "filters");
    if (bias) {
        check.expectSize(*bias, 0, check.dim(kernel, 0), "the bias");
    }
}

void conv(ShapeCheck& check)
{
    convolution(check, 1, 2);
}

void convInteger(ShapeCheck& check)
{
    convolution(check, 1, {});
}

void qLinearConv(ShapeCheck& check)
{
    convolution(check, 3, 8);
}

void deformConv(ShapeCheck& check)
{
    convolution(check, 1, 3);
    check.expectSize(2, 0, check.dim(0, 0), "the batch axis of the offsets");
    check.expectSize(4, 0, check.dim(0, 0), "the batch axis of the mask");
}

void convTranspose(ShapeCheck& check)
{
    const std::int64_t groups = check.integer("group", 1);
    check.expectSize(1, check.dim(0, 1), check.dim(1, 0), "the channel axis of the data");
    check.expectDivisible(0, 1, groups, "channels");
    check.expectSize(2, 0, times(check.dim(1, 1), groups), "the bias");
}

/// X, W, R, B, sequence_lens, initial_h, and for an LSTM initial_c and P.
void recurrent(ShapeCheck& check, std::int64_t gates, std::int64_t biases)
{
    const bool isBatchFirst = check.integer("layout", 0) != 0;
    const Dim batch = check.dim(0, isBatchFirst ? 0 : 1);
    const Dim directions(check.text("direction") == "bidirectional" ? 2 : 1);
    const Dim hidden = check.dim(2, 2);
    const Dim rows = times(hidden, gates);
    check.expectShape(1, {directions, rows, check.dim(0, 2)}, "W");
    check.expectShape(2, {directions, rows, hidden}, "R");
    check.expectShape(3, {directions, times(hidden, biases)}, "B");
    check.expectShape(4, {batch}, "sequence_lens");
    const Shape state = isBatchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    check.expectShape(5, state, "initial_h");
    check.expectShape(6, state, "initial_c");
    check.expectShape(7, {directions, times(hidden, 3)}, "P");
}

void lstm(ShapeCheck& check)
{
    recurrent(check, 4, 8);
}

void gru(ShapeCheck& check)
{
    recurrent(check, 3, 6);
}

void rnn(ShapeCheck& check)
{
    recurrent(check, 1, 2);
}

/// The dimensions of one index are equal, or 1.
void einsum(ShapeCheck& check)
{
    std::string equation = check.text("equation");
    std::erase(equation, ' ');
    equation = equation.substr(0, equation.find("->"));
    std::map<char, Dim> sizes;
    int operand = 0;
    for (std::size_t begin = 0; begin <= equation.size(); ++operand) {
        const std::size_t end = std::min(equation.find(',', begin), equation.size());
        const std::string term = equation.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t dots = term.find("...");
        for (std::size_t i = 0; i < term.size(); ++i) {
            if (term[i] == '.') {
                continue;
            }
            // Indices after an ellipsis count from the end.
            const auto axis = dots == std::string::npos || i < dots
                                  ? static_cast<std::int64_t>(i)
                                  : static_cast<std::int64_t>(i) - static_cast<std::int64_t>(term.size());
            const Dim size = check.dim(operand, axis);
            Dim& known = sizes[term[i]];
            if (known != Dim(1) && size != Dim(1) && !fitsDim(size, known)) {
                check.mismatch(operand, fmt::format("{} is an axis of {} and of {}", term[i], known.size, size.size));
            }
            if (size.isFixed() && (!known.isFixed() || known.size == 1)) {
                known = size;
            }
        }
    }
}

/// Inference compares A and B only.
void gemm(ShapeCheck& check)
{
    check.expectBroadcastTo(2, check.output(), "C");
}

void batchNormalization(ShapeCheck& check)
{
    const Dim channels = check.dim(0, 1);
    check.expectSize(1, 0, channels, "the scale");
    check.expectSize(2, 0, channels, "the bias");
    check.expectSize(3, 0, channels, "the mean");
    check.expectSize(4, 0, channels, "the variance");
}

void instanceNormalization(ShapeCheck& check)
{
    check.expectSize(1, 0, check.dim(0, 1), "the scale");
    check.expectSize(2, 0, check.dim(0, 1), "the bias");
}

void layerNormalization(ShapeCheck& check)
{
    check.expectBroadcastTo(1, check.shape(0), "the scale");
    check.expectBroadcastTo(2, check.shape(0), "the bias");
}

/// The scale is a scalar, or has one element per index of an axis or per block of indices.
void quantization(ShapeCheck& check)
{
    const auto scale = check.shape(1);
    if (scale && scale->size() == 1 && scale->front() != Dim(1)) {
        Dim size = check.dim(0, check.integer("axis", 1));
        if (const std::int64_t block = check.integer("block_size", 0); block > 0 && size.isFixed()) {
            size = Dim(size.size / block + (size.size % block != 0 ? 1 : 0)); // the last block can be shorter
        }
        check.expectSize(1, 0, size, "the scale");
    }
}

void pRelu(ShapeCheck& check)
{
    check.expectBroadcastTo(1, check.shape(0), "the slope");
}

/// Along all axes but `axis` indices do not exceed the data.
void gatherElements(ShapeCheck& check)
{
    const auto data = check.shape(0);
    const auto indices = check.shape(1);
    if (!data || !indices || data->size() != indices->size()) {
        return;
    }
    const std::size_t indexed = axisAt(check.integer("axis", 0), data->size());
    for (std::size_t i = 0; i < data->size(); ++i) {
        if (i != indexed && (*data)[i].isFixed() && (*indices)[i].isFixed() && (*indices)[i].size > (*data)[i].size) {
            check.mismatch(
                1, fmt::format("indices of shape {} exceed data of shape {}", toString(*indices), toString(*data)));
        }
    }
}

void scatterElements(ShapeCheck& check)
{
    gatherElements(check);
    if (const auto indices = check.shape(1)) {
        check.expectShape(2, *indices, "the tensor of updates");
    }
}

void scatterNd(ShapeCheck& check)
{
    const auto data = check.shape(0);
    auto required = check.shape(1);
    const Dim depth = check.dim(1, -1);
    if (!data || !required || !depth.isFixed()) {
        return;
    }
    if (depth.size < 0 || depth.size > static_cast<std::int64_t>(data->size())) {
        check.mismatch(1, fmt::format("indices of {} numbers address data of shape {}", depth.size, toString(*data)));
        return;
    }
    required->pop_back();
    required->insert(required->end(), data->iteratorAt(depth.size), data->end());
    check.expectShape(2, *required, "the tensor of updates");
}

void gatherNd(ShapeCheck& check)
{
    const auto indices = check.shape(1);
    const std::int64_t batches = check.integer("batch_dims", 0);
    for (std::int64_t axis = 0; indices && axis < std::min(batches, std::ssize(*indices)); ++axis) {
        check.expectSize(1, axis, check.dim(0, axis), "a batch axis of the indices");
    }
}

void gridSample(ShapeCheck& check)
{
    check.expectSize(1, 0, check.dim(0, 0), "the batch axis of the grid");
}

void reshape(ShapeCheck& check)
{
    const auto data = check.shape(0);
    const auto target = check.output();
    const auto given = data ? elementCount(*data) : std::nullopt;
    const auto wanted = target ? elementCount(*target) : std::nullopt;
    if (given && wanted && *given != *wanted) {
        check.mismatch(check.outputName(), fmt::format("a tensor of shape {} cannot be reshaped to {}", toString(*data),
                                                       toString(*target)));
    }
}

void reverseSequence(ShapeCheck& check)
{
    check.expectSize(1, 0, check.dim(0, check.integer("batch_axis", 1)), "sequence_lens");
}

void nonMaxSuppression(ShapeCheck& check)
{
    check.expectSize(1, 0, check.dim(0, 0), "the batch axis of the scores");
    check.expectSize(1, 2, check.dim(0, 1), "the box axis of the scores");
    check.expectSize(0, 2, Dim(4), "the last axis of the boxes");
}

void attention(ShapeCheck& check)
{
    check.expectSize(1, 0, check.dim(0, 0), "the batch axis of K");
    check.expectSize(2, 0, check.dim(0, 0), "the batch axis of V");
    check.expectSize(2, -2, check.dim(1, -2), "the sequence axis of V");
    const auto query = check.shape(0);
    if (query && query->size() == 4) {
        check.expectSize(1, 3, check.dim(0, 3), "the last axis of K");
        check.expectSize(2, 1, check.dim(1, 1), "the head axis of V");
        if (const Dim heads = check.dim(1, 1); heads.isFixed()) {
            check.expectDivisible(0, 1, heads.size, "heads");
        }
    }
}

struct Rule {
    std::string_view op;
    void (*apply)(ShapeCheck& check);
};

constexpr auto rules = std::to_array<Rule>({
    {"Attention", attention},
    {"BatchNormalization", batchNormalization},
    {"Conv", conv},
    {"ConvInteger", convInteger},
    {"ConvTranspose", convTranspose},
    {"DeformConv", deformConv},
    {"DequantizeLinear", quantization},
    {"Einsum", einsum},
    {"GRU", gru},
    {"GatherElements", gatherElements},
    {"GatherND", gatherNd},
    {"Gemm", gemm},
    {"GridSample", gridSample},
    {"InstanceNormalization", instanceNormalization},
    {"LSTM", lstm},
    {"LayerNormalization", layerNormalization},
    {"NonMaxSuppression", nonMaxSuppression},
    {"PRelu", pRelu},
    {"QLinearConv", qLinearConv},
    {"QuantizeLinear", quantization},
    {"RNN", rnn},
    {"Reshape", reshape},
    {"ReverseSequence", reverseSequence},
    {"ScatterElements", scatterElements},
    {"ScatterND", scatterNd},
});
static_assert(std::ranges::is_sorted(rules, {}, &Rule::op));

} // namespace

std::optional<ShapeMismatch> findShapeMismatch(const ::onnx::NodeProto& node, const ShapeOf& shapeOf)
{
    const auto rule = std::ranges::lower_bound(rules, std::string_view(node.op_type()), {}, &Rule::op);
    if (rule == rules.end() || rule->op != node.op_type() || !isOnnxDomain(node.domain()) || node.output_size() == 0) {
        return std::nullopt;
    }
    ShapeCheck check(node, shapeOf);
    rule->apply(check);
    return check.found();
}

} // namespace crosswalk
