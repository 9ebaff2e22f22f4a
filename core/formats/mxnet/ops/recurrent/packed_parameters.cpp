// MXNet packs all weights of all cells before all biases, in one vector (mxnet-rnn.md, section 2).

#include "core/formats/mxnet/ops/recurrent/packed_parameters.h"

#include "core/convert/emit.h"

#include <cassert>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// What the parameters are for, where their number says it.
std::string wrongLength(const RecurrentSettings& settings, const Shape& packed, std::int64_t features,
                        std::int64_t wanted)
{
    std::string text =
        fmt::format("its input has {} features, which call for {} packed parameters, and they have shape {}", features,
                    wanted, toString(packed));
    const std::int64_t each = settings.gates * settings.hidden * settings.directions; // a feature of the first layer
    if (packed.size() == 1 && each > 0) {
        const std::int64_t more = packed[0].size - wanted;
        if (more % each == 0 && features + more / each > 0) {
            text += fmt::format(" ({} features)", features + more / each);
        }
    }
    return text;
}

} // namespace

std::int64_t PackedParameters::length(const RecurrentSettings& settings, std::int64_t features)
{
    const std::int64_t rows = settings.gates * settings.hidden;
    std::int64_t total = 0;
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
        total += rows * (settings.inputSize(layer, features) + settings.outputSize() + 2) +
                 settings.projection.value_or(0) * settings.hidden;
    }
    return total * settings.directions;
}

PackedParameters::PackedParameters(const NodeContext& ctx, const RecurrentSettings& settings, OnnxValue packed,
                                   std::int64_t features)
    : m_ctx(ctx)
    , m_settings(settings)
    , m_packed(packed)
    , m_features(features)
{
    const Shape& shape = ctx.shape(packed);
    const std::int64_t wanted = length(settings, features);
    if (shape.size() != 1 || (shape[0].isFixed() && shape[0].size != wanted)) {
        ctx.wrongWeight(wrongLength(settings, shape, features, wanted));
    }
    if (ctx.onnx.content(packed) == nullptr) {
        cutInGraph();
    }
}

std::int64_t PackedParameters::layerWeights(std::int64_t layer) const
{
    const std::int64_t rows = m_settings.gates * m_settings.hidden;
    return rows * (m_settings.inputSize(layer, m_features) + m_settings.outputSize()) +
           m_settings.projection.value_or(0) * m_settings.hidden;
}

PackedParameters::Block PackedParameters::block(std::int64_t layer, std::int64_t direction, CellPart part,
                                                std::int64_t gate) const
{
    const std::int64_t directions = m_settings.directions;
    const std::int64_t hidden = m_settings.hidden;
    const std::int64_t inputs = m_settings.inputSize(layer, m_features);
    const std::int64_t outputs = m_settings.outputSize();
    const bool isBias = part == CellPart::InputBias || part == CellPart::RecurrentBias;
    if (isBias) {
        std::int64_t offset = 0;
        for (std::int64_t l = 0; l < m_settings.layers; ++l) {
            offset += layerWeights(l) * directions;
        }
        offset += (layer * directions + direction) * 2 * m_settings.gates * hidden;
        offset += part == CellPart::RecurrentBias ? m_settings.gates * hidden : 0;
        return {offset + gate * hidden, hidden};
    }
    std::int64_t offset = layerWeights(layer) * direction;
    for (std::int64_t l = 0; l < layer; ++l) {
        offset += layerWeights(l) * directions;
    }
    if (part == CellPart::InputWeights) {
        return {offset + gate * hidden * inputs, hidden * inputs};
    }
    offset += m_settings.gates * hidden * inputs;
    if (part == CellPart::RecurrentWeights) {
        return {offset + gate * hidden * outputs, hidden * outputs};
    }
    return {offset + m_settings.gates * hidden * outputs, outputs * hidden};
}

void PackedParameters::cutInGraph()
{
    std::vector<Block> blocks;
    const auto add = [&](std::int64_t layer, std::int64_t direction, std::initializer_list<CellPart> parts) {
        for (const CellPart part : parts) {
            for (std::int64_t gate = 0; gate < m_settings.gates; ++gate) {
                blocks.push_back(block(layer, direction, part, gate));
            }
        }
    };
    for (std::int64_t layer = 0; layer < m_settings.layers; ++layer) {
        for (std::int64_t direction = 0; direction < m_settings.directions; ++direction) {
            add(layer, direction, {CellPart::InputWeights, CellPart::RecurrentWeights});
            if (m_settings.projection) {
                blocks.push_back(block(layer, direction, CellPart::Projection, 0));
            }
        }
    }
    for (std::int64_t layer = 0; layer < m_settings.layers; ++layer) {
        for (std::int64_t direction = 0; direction < m_settings.directions; ++direction) {
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
OnnxValues PackedParameters::take(std::int64_t layer, std::int64_t direction, CellPart part) const
{
    const std::int64_t gates = part == CellPart::Projection ? 1 : m_settings.gates;
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

forms::CellWeights PackedParameters::cell(std::int64_t layer, std::int64_t direction) const
{
    const auto part = [&](CellPart wanted) { return take(layer, direction, wanted); };
    return {.input = part(CellPart::InputWeights),
            .recurrent = part(CellPart::RecurrentWeights),
            .bias = part(CellPart::InputBias),
            .recurrentBias = part(CellPart::RecurrentBias),
            .projection = m_settings.projection ? part(CellPart::Projection).front() : OnnxValue{}};
}

std::int64_t recurrentFeatures(const NodeContext& ctx, const RecurrentSettings& settings, OnnxValue data,
                               OnnxValue packed)
{
    constexpr std::int64_t most = 1 << 28; // see the limits of the other sizes in settings.cpp
    const Shape& shape = ctx.shape(data);
    if (shape.size() != 3) {
        ctx.invalid(fmt::format("RNN reads (time, batch, features), its data has shape {}", toString(shape)));
    }
    std::int64_t features = shape[2].size;
    const auto& vector = ctx.onnx.shape(packed);
    if (!shape[2].isFixed() && vector && vector->size() == 1 && vector->front().isFixed()) {
        const std::int64_t each = settings.directions * settings.gates * settings.hidden;
        const std::int64_t left = vector->front().size - PackedParameters::length(settings, 0);
        if (left > 0 && left % each == 0) {
            features = left / each;
            Shape known = shape;
            known[2] = features;
            ctx.onnx.refine(data, known);
        }
    }
    if (features < 0) {
        features = ctx.fixedDim(data, 2); // says what is missing
    }
    if (features < 1 || features > most) {
        ctx.invalid(fmt::format("its data has {} features", features));
    }
    return features;
}

} // namespace crosswalk::mxnet
