#include "core/convert/forms/packed_weights.h"

#include "core/convert/emit.h"

#include <cassert>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// Names the number of features that the parameters have, if their number is that of some.
std::string wrongLength(const PackedLayers& layers, const Shape& packed, std::int64_t features, std::int64_t wanted)
{
    std::string text =
        fmt::format("its input has {} features, which require {} packed parameters, but they have shape {}", features,
                    wanted, toString(packed));
    const std::int64_t each = layers.gates * layers.hidden * layers.directions; // a feature of the first layer
    if (packed.size() == 1 && each > 0) {
        const std::int64_t more = packed[0].size - wanted;
        if (more % each == 0 && features + more / each > 0) {
            text += fmt::format(" ({} features)", features + more / each);
        }
    }
    return text;
}

} // namespace

std::int64_t PackedLayers::length(std::int64_t features) const
{
    const std::int64_t rows = gates * hidden;
    std::int64_t total = 0;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        total += rows * (inputSize(layer, features) + outputSize() + 2) + projection.value_or(0) * hidden;
    }
    return total * directions;
}

PackedWeights::PackedWeights(const NodeContext& ctx, const PackedLayers& layers, OnnxValue packed,
                             std::int64_t features)
    : m_ctx(ctx)
    , m_layers(layers)
    , m_packed(packed)
    , m_features(features)
{
    const Shape& shape = ctx.shape(packed);
    const std::int64_t wanted = layers.length(features);
    if (shape.size() != 1 || (shape[0].isFixed() && shape[0].size != wanted)) {
        ctx.wrongWeight(wrongLength(layers, shape, features, wanted));
    }
    if (ctx.onnx.content(packed) == nullptr) {
        cutInGraph();
    }
}

std::int64_t PackedWeights::layerWeights(std::int64_t layer) const
{
    const std::int64_t rows = m_layers.gates * m_layers.hidden;
    return rows * (m_layers.inputSize(layer, m_features) + m_layers.outputSize()) +
           m_layers.projection.value_or(0) * m_layers.hidden;
}

PackedWeights::Block PackedWeights::block(std::int64_t layer, std::int64_t direction, CellPart part,
                                          std::int64_t gate) const
{
    const std::int64_t directions = m_layers.directions;
    const std::int64_t hidden = m_layers.hidden;
    const std::int64_t inputs = m_layers.inputSize(layer, m_features);
    const std::int64_t outputs = m_layers.outputSize();
    const bool isBias = part == CellPart::InputBias || part == CellPart::RecurrentBias;
    if (isBias) {
        std::int64_t offset = 0;
        for (std::int64_t l = 0; l < m_layers.layers; ++l) {
            offset += layerWeights(l) * directions;
        }
        offset += (layer * directions + direction) * 2 * m_layers.gates * hidden;
        offset += part == CellPart::RecurrentBias ? m_layers.gates * hidden : 0;
        return {offset + gate * hidden, hidden};
    }
    std::int64_t offset = layerWeights(layer) * direction;
    for (std::int64_t l = 0; l < layer; ++l) {
        offset += layerWeights(l) * directions;
    }
    if (part == CellPart::InputWeights) {
        return {offset + gate * hidden * inputs, hidden * inputs};
    }
    offset += m_layers.gates * hidden * inputs;
    if (part == CellPart::RecurrentWeights) {
        return {offset + gate * hidden * outputs, hidden * outputs};
    }
    return {offset + m_layers.gates * hidden * outputs, outputs * hidden};
}

void PackedWeights::cutInGraph()
{
    std::vector<Block> blocks;
    const auto add = [&](std::int64_t layer, std::int64_t direction, std::initializer_list<CellPart> parts) {
        for (const CellPart part : parts) {
            for (std::int64_t gate = 0; gate < m_layers.gates; ++gate) {
                blocks.push_back(block(layer, direction, part, gate));
            }
        }
    };
    for (std::int64_t layer = 0; layer < m_layers.layers; ++layer) {
        for (std::int64_t direction = 0; direction < m_layers.directions; ++direction) {
            add(layer, direction, {CellPart::InputWeights, CellPart::RecurrentWeights});
            if (m_layers.projection) {
                blocks.push_back(block(layer, direction, CellPart::Projection, 0));
            }
        }
    }
    for (std::int64_t layer = 0; layer < m_layers.layers; ++layer) {
        for (std::int64_t direction = 0; direction < m_layers.directions; ++direction) {
            add(layer, direction, {CellPart::InputBias, CellPart::RecurrentBias});
        }
    }
    Ints sizes;
    for (const Block& each : blocks) {
        sizes.push_back(each.size);
    }
    const OnnxValues parts = emit::split(m_ctx, m_packed, 0, sizes);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        m_cut.emplace(blocks[i].offset, parts[i]);
    }
}

/// Parts of one vector each, gate by gate where the parameters are computed.
OnnxValues PackedWeights::take(std::int64_t layer, std::int64_t direction, CellPart part) const
{
    const std::int64_t gates = part == CellPart::Projection ? 1 : m_layers.gates;
    const Tensor* stored = m_ctx.onnx.content(m_packed);
    if (stored != nullptr) {
        const Block first = block(layer, direction, part, 0);
        return {m_ctx.onnx.constant(stored->range(first.offset, {gates * first.size}))};
    }
    OnnxValues parts;
    for (std::int64_t gate = 0; gate < gates; ++gate) {
        parts.push_back(m_cut.at(block(layer, direction, part, gate).offset));
    }
    return parts;
}

CellWeights PackedWeights::cell(std::int64_t layer, std::int64_t direction) const
{
    const auto part = [&](CellPart wanted) { return take(layer, direction, wanted); };
    return {.input = part(CellPart::InputWeights),
            .recurrent = part(CellPart::RecurrentWeights),
            .bias = part(CellPart::InputBias),
            .recurrentBias = part(CellPart::RecurrentBias),
            .projection = m_layers.projection ? part(CellPart::Projection).front() : OnnxValue{}};
}

std::int64_t packedFeatures(const NodeContext& ctx, const PackedLayers& layers, OnnxValue data, OnnxValue packed)
{
    constexpr std::int64_t most = 1 << 28; // see the limits of the other sizes in layers.cpp
    const Shape& shape = ctx.shape(data);
    if (shape.size() != 3) {
        ctx.invalid(
            fmt::format("{} reads (time, batch, features), but its data has shape {}", ctx.node.op, toString(shape)));
    }
    std::int64_t features = shape[2].size;
    const auto& vector = ctx.onnx.shape(packed);
    if (!shape[2].isFixed() && vector && vector->size() == 1 && vector->front().isFixed()) {
        const std::int64_t each = layers.directions * layers.gates * layers.hidden;
        const std::int64_t left = vector->front().size - layers.length(0);
        if (left > 0 && left % each == 0) {
            features = left / each;
            Shape known = shape;
            known[2] = features;
            ctx.onnx.refine(data, known);
        }
    }
    if (features < 0) {
        features = ctx.fixedDim(data, 2); // reports the unknown dimension
    }
    if (features < 1 || features > most) {
        ctx.invalid(fmt::format("its data has {} features", features));
    }
    return features;
}

RecurrentOutputs emitPackedLayers(const NodeContext& ctx, const PackedLayers& sizes, RecurrentLayer layer, OnnxValue x,
                                  OnnxValue packed, std::int64_t features, RecurrentForm form)
{
    const PackedWeights weights(ctx, sizes, emit::cast(ctx, packed, ctx.element(x)), features);
    std::vector<RecurrentLayer> layers;
    for (std::int64_t i = 0; i < sizes.layers; ++i) {
        layer.cells.clear();
        for (std::int64_t direction = 0; direction < sizes.directions; ++direction) {
            layer.cells.push_back(weights.cell(i, direction));
        }
        layer.h.first = i * sizes.directions;
        layer.c.first = i * sizes.directions;
        layer.weightPrefix = sizes.layers == 1 ? "" : fmt::format("{}/l{}_", ctx.name(), i);
        layers.push_back(layer);
    }
    RecurrentOutputs all;
    OnnxValues h;
    OnnxValues c;
    for (const RecurrentOutputs& one : emitRecurrentLayers(ctx, layers, x, form)) {
        all.y = one.y;
        h.push_back(one.h);
        c.push_back(one.c);
    }
    all.h = emit::concat(ctx, h, 0);
    if (layer.kind == CellKind::Lstm) {
        all.c = emit::concat(ctx, c, 0);
    }
    return all;
}

} // namespace crosswalk::forms
