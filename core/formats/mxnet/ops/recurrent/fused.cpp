// A layer as one LSTM, GRU or RNN of ONNX.

#include "core/convert/emit.h"
#include "core/formats/mxnet/ops/recurrent/layer.h"

#include <array>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// MXNet's gate blocks in ONNX's order: lstm i,f,g,o -> i,o,f,g; gru r,z,n -> z,r,n.
std::span<const std::int64_t> gateOrder(CellMode mode)
{
    static constexpr std::array<std::int64_t, 4> lstm{0, 3, 1, 2};
    static constexpr std::array<std::int64_t, 3> gru{1, 0, 2};
    static constexpr std::array<std::int64_t, 1> plain{0};
    switch (mode) {
    case CellMode::Lstm:
        return lstm;
    case CellMode::Gru:
        return gru;
    case CellMode::RnnRelu:
    case CellMode::RnnTanh:
        break;
    }
    return plain;
}

OnnxAttributes attributesOf(const RecurrentSettings& settings)
{
    OnnxAttributes attributes{{"hidden_size", settings.hidden}};
    if (settings.directions == 2) {
        attributes.emplace_back("direction", "bidirectional");
    }
    if (settings.mode == CellMode::Gru) {
        attributes.emplace_back("linear_before_reset", 1); // MXNet's reset gate multiplies the bias too
    } else if (settings.mode == CellMode::RnnRelu) {
        attributes.emplace_back("activations",
                                std::vector<std::string>(static_cast<std::size_t>(settings.directions), "Relu"));
    }
    return attributes;
}

/// (time, directions, batch, width) to (time, batch, directions * width).
OnnxValue sideBySide(const NodeContext& ctx, OnnxValue y, std::int64_t directions)
{
    if (directions == 1) {
        return emit::squeeze(ctx, y, {1});
    }
    const std::int64_t width = ctx.fixedDim(y, 3);
    return emit::reshape(ctx, emit::transpose(ctx, y, {0, 2, 1, 3}), Ints{0, 0, directions * width});
}

} // namespace

RecurrentLayer fusedLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x)
{
    const NodeContext& ctx = node.ctx;
    const RecurrentSettings& settings = node.settings;
    const std::int64_t directions = settings.directions;
    const std::int64_t rows = settings.gates * settings.hidden;
    const auto order = gateOrder(settings.mode);
    const auto take = [&](std::initializer_list<CellPart> parts, const Ints& dims) {
        return node.parameters.take(layer, 0, directions, std::vector<CellPart>(parts), order, dims);
    };
    const OnnxValue w = take({CellPart::InputWeights}, {directions, rows, ctx.fixedDim(x, 2)});
    OnnxValue r = take({CellPart::RecurrentWeights}, {directions, rows, settings.outputSize()});
    const OnnxValue b = take({CellPart::InputBias, CellPart::RecurrentBias}, {directions, 2 * rows});
    const auto name = [&](OnnxValue value, std::string_view what) {
        const std::string prefix = settings.layers == 1 ? "/" : fmt::format("/l{}_", layer);
        ctx.onnx.setName(value, fmt::format("{}{}{}", ctx.name(), prefix, what));
    };
    name(w, "W");
    name(r, "R");
    name(b, "B");
    OnnxValue projection;
    if (settings.projection) {
        // Wh (Wr h) = (Wh Wr) h: an LSTM of the full width whose outputs are projected afterwards.
        projection = take({CellPart::Projection}, {directions, *settings.projection, settings.hidden});
        r = ctx.emit("MatMul", {r, projection});
    }

    OnnxValues inputs{x, w, r, b, node.lengths, node.h.ofLayer(layer)};
    if (node.c) {
        inputs.push_back(node.c->ofLayer(layer));
    }
    const std::string_view op = settings.isLstm() ? "LSTM" : settings.mode == CellMode::Gru ? "GRU" : "RNN";
    OnnxValues results = ctx.onnx.add(op, inputs, attributesOf(settings), settings.isLstm() ? 3 : 2);
    if (projection) {
        const OnnxValue across = emit::transpose(ctx, projection, {0, 2, 1});
        results[0] = ctx.emit("MatMul", {results[0], across});
        results[1] = ctx.emit("MatMul", {results[1], across});
    }
    return {sideBySide(ctx, results[0], directions), results[1], settings.isLstm() ? results[2] : OnnxValue{}};
}

} // namespace crosswalk::mxnet
