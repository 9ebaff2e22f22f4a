#include "core/convert/forms/recurrent_weights.h"

#include "core/convert/emit.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// The result of f for each element of a small stored tensor.
template <typename Function>
Tensor mapped(const Tensor& tensor, Function f)
{
    std::vector<double> values = tensor.toDoubles();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = f(values[i], i);
    }
    const auto wide = Tensor::of<double>(ElementType::Float64, tensor.dims(), values);
    std::vector<std::byte> bytes(tensor.bytes());
    wide.converted(tensor.type()).read(0, bytes);
    return Tensor::owned(tensor.type(), tensor.dims(), std::move(bytes));
}

std::string_view partName(WeightPart part)
{
    switch (part) {
    case WeightPart::Input:
        return "input weights";
    case WeightPart::Recurrent:
        return "recurrent weights";
    case WeightPart::Projection:
        return "projection";
    case WeightPart::Bias:
        return "bias";
    case WeightPart::RecurrentBias:
        break;
    }
    return "recurrent bias";
}

} // namespace

RecurrentWeights::RecurrentWeights(const NodeContext& ctx, const RecurrentLayer& layer, ElementType type)
    : m_ctx(ctx)
    , m_layer(layer)
    , m_type(type)
{
    assert(static_cast<std::int64_t>(layer.cells.size()) == layer.directions());
    assert(layer.gateOrder.empty() || std::ranges::is_permutation(layer.gateOrder, onnxOrder(layer.kind)));
    constexpr std::int64_t mostUnits = 1 << 24;
    if (layer.hidden < 1 || layer.hidden > mostUnits || layer.outputSize() < 1 || layer.outputSize() > mostUnits) {
        ctx.invalid(fmt::format("a recurrent layer has 1 to {} units, not {}", mostUnits,
                                layer.hidden < 1 || layer.hidden > mostUnits ? layer.hidden : layer.outputSize()));
    }
}

std::string_view RecurrentWeights::onnxOrder(CellKind kind)
{
    return kind == CellKind::Lstm ? "iofc" : kind == CellKind::Gru ? "zrh" : "i";
}

std::string_view RecurrentWeights::order() const
{
    return m_layer.gateOrder.empty() ? onnxOrder(m_layer.kind) : m_layer.gateOrder;
}

OnnxValues RecurrentWeights::values(const CellWeights& cell, WeightPart part) const
{
    switch (part) {
    case WeightPart::Input:
        return cell.input;
    case WeightPart::Recurrent:
        return cell.recurrent;
    case WeightPart::Projection:
        return cell.projection ? OnnxValues{cell.projection} : OnnxValues{};
    case WeightPart::Bias:
        return cell.bias;
    case WeightPart::RecurrentBias:
        break;
    }
    return cell.recurrentBias;
}

bool RecurrentWeights::has(WeightPart part) const
{
    return (part == WeightPart::Bias && m_layer.forgetBias != 0) ||
           std::ranges::any_of(m_layer.cells, [&](const CellWeights& cell) { return !values(cell, part).empty(); });
}

RecurrentWeights::PartShape RecurrentWeights::shapeOf(WeightPart part) const
{
    switch (part) {
    case WeightPart::Input:
        return {m_layer.gates(), m_layer.hidden, 0};
    case WeightPart::Recurrent:
        return {m_layer.gates(), m_layer.hidden, m_layer.outputSize()};
    case WeightPart::Projection:
        return {1, m_layer.outputSize(), m_layer.hidden};
    case WeightPart::Bias:
    case WeightPart::RecurrentBias:
        break;
    }
    return {m_layer.gates(), m_layer.hidden, 1};
}

/// Elements of one gate.
std::int64_t RecurrentWeights::gateSize(const OnnxValues& parts, WeightPart part) const
{
    const PartShape shape = shapeOf(part);
    std::int64_t total = 0;
    for (const OnnxValue value : parts) {
        const auto count = elementCount(m_ctx.shape(value));
        if (!count) {
            m_ctx.refuse(fmt::format("the size of its {} is not known at conversion", partName(part)));
        }
        total += *count;
    }
    const std::int64_t expected = shape.gates * shape.rows * shape.columns;
    const std::int64_t unit = shape.gates * shape.rows;
    if (total == 0 || total % unit != 0 || (shape.columns > 0 && total != expected)) {
        m_ctx.wrongWeight(fmt::format("its {} have {} elements, which does not match {} gates of {} rows",
                                      partName(part), total, shape.gates, shape.rows));
    }
    return total / shape.gates;
}

std::int64_t RecurrentWeights::inputSize(std::size_t cell) const
{
    return gateSize(m_layer.cells[cell].input, WeightPart::Input) / m_layer.hidden;
}

std::vector<RecurrentWeights::Block> RecurrentWeights::gatesOf(OnnxValue value, const PartShape& shape,
                                                               std::int64_t size) const
{
    const std::size_t rank = m_ctx.rank(value);
    const bool isTransposed = rank == 2 && m_layer.weightLayout == WeightLayout::GateColumns;
    const std::int64_t count = *elementCount(m_ctx.shape(value)) / size;
    const std::int64_t columns = size / shape.rows;
    const bool fits = rank == 1 ? m_ctx.fixedDim(value, 0) == count * size
                                : rank == 2 && m_ctx.fixedDim(value, isTransposed ? 1 : 0) == count * shape.rows &&
                                      m_ctx.fixedDim(value, isTransposed ? 0 : 1) == columns;
    if (!fits) {
        m_ctx.wrongWeight(fmt::format("a weight has shape {}, which is not divisible into gates of {} x {}",
                                      toString(m_ctx.shape(value)), shape.rows, columns));
    }
    std::vector<Block> gates;
    if (const Tensor* content = m_ctx.onnx.content(value)) {
        Tensor rows = isTransposed ? content->transposed(Ints{1, 0}) : *content;
        rows = rows.type() == m_type ? rows : rows.converted(m_type);
        for (std::int64_t i = 0; i < count; ++i) {
            gates.push_back({.stored = rows.range(i * size, rank == 1 ? Ints{size} : Ints{shape.rows, columns})});
        }
        return gates;
    }
    OnnxValue rows = emit::cast(m_ctx, value, m_type);
    rows = isTransposed ? emit::transpose(m_ctx, rows, {1, 0}) : rows;
    const std::int64_t step = rank == 1 ? size : shape.rows;
    for (const OnnxValue gate : emit::split(m_ctx, rows, 0, Ints(static_cast<std::size_t>(count), step))) {
        gates.push_back({.computed = gate});
    }
    return gates;
}

void RecurrentWeights::addForgetBias(Block& block) const
{
    if (block.stored) {
        block.stored = mapped(*block.stored, [&](double value, std::size_t) { return value + m_layer.forgetBias; });
    } else {
        const OnnxValue bias = emit::scalarLike(m_ctx, block.computed, m_layer.forgetBias);
        block.computed = m_ctx.emit("Add", {block.computed, bias});
    }
}

std::vector<RecurrentWeights::Block> RecurrentWeights::blocks(const CellWeights& cell, WeightPart part,
                                                              std::string_view wanted) const
{
    const PartShape shape = shapeOf(part);
    std::vector<Block> gates;
    const OnnxValues parts = values(cell, part);
    if (parts.empty()) {
        assert(part == WeightPart::Bias || part == WeightPart::RecurrentBias);
        for (std::int64_t i = 0; i < shape.gates; ++i) {
            gates.push_back({.stored = Tensor::filled(m_type, {m_layer.hidden}, 0)});
        }
    }
    for (const OnnxValue value : parts) {
        for (Block& gate : gatesOf(value, shape, gateSize(parts, part))) {
            gates.push_back(std::move(gate));
        }
    }
    if (static_cast<std::int64_t>(gates.size()) != shape.gates) {
        m_ctx.wrongWeight(fmt::format("its {} are not divisible into {} gates", partName(part), shape.gates));
    }
    if (part == WeightPart::Projection) {
        return gates;
    }
    if (part == WeightPart::Bias && m_layer.forgetBias != 0) {
        addForgetBias(gates.at(order().find('f')));
    }
    std::vector<Block> result;
    for (const char letter : wanted) {
        result.push_back(gates.at(order().find(letter)));
    }
    return result;
}

OnnxValue RecurrentWeights::joined(std::vector<Block> blocks, const Ints& dims) const
{
    if (std::ranges::all_of(blocks, [](const Block& block) { return block.stored.has_value(); })) {
        std::vector<Tensor> pieces;
        pieces.reserve(blocks.size());
        for (const Block& block : blocks) {
            pieces.push_back(block.stored->reshaped({block.stored->elements()}));
        }
        return m_ctx.onnx.constant(Tensor::joined(pieces).reshaped(dims));
    }
    OnnxValues pieces;
    const std::size_t rank = m_ctx.rank(
        std::ranges::find_if(blocks, [](const Block& block) { return !block.stored.has_value(); })->computed);
    for (const Block& block : blocks) {
        const OnnxValue piece = block.stored ? m_ctx.onnx.constant(*block.stored) : block.computed;
        // Flat and two-dimensional parts of one matrix meet in its rows.
        pieces.push_back(m_ctx.rank(piece) == rank ? piece
                         : rank == 1               ? emit::reshape(m_ctx, piece, Ints{-1})
                                                   : emit::reshape(m_ctx, piece, Ints{-1, dims.back()}));
    }
    const OnnxValue rows = emit::concat(m_ctx, pieces, 0);
    return m_ctx.rank(rows) == dims.size() ? rows : emit::reshape(m_ctx, rows, dims);
}

OnnxValue RecurrentWeights::take(std::size_t first, std::size_t last, std::span<const WeightPart> parts,
                                 std::string_view wanted, const Ints& dims) const
{
    std::vector<Block> all;
    for (std::size_t i = first; i < last; ++i) {
        for (const WeightPart part : parts) {
            for (Block& block : blocks(m_layer.cells[i], part, wanted)) {
                all.push_back(std::move(block));
            }
        }
    }
    return joined(std::move(all), dims);
}

OnnxValue storedSum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Tensor* left = ctx.onnx.content(a);
    const Tensor* right = ctx.onnx.content(b);
    if (left == nullptr || right == nullptr) {
        return ctx.emit("Add", {a, b});
    }
    const std::vector<double> others = right->toDoubles();
    return ctx.onnx.constant(mapped(*left, [&](double value, std::size_t i) { return value + others[i]; }));
}

} // namespace crosswalk::forms
