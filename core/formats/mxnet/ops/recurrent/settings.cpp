#include "core/formats/mxnet/ops/recurrent/settings.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

CellMode modeOf(const Attributes& attributes)
{
    const std::string name = attributes.choice("mode", {"rnn_relu", "rnn_tanh", "lstm", "gru"}, "");
    return name == "lstm"       ? CellMode::Lstm
           : name == "gru"      ? CellMode::Gru
           : name == "rnn_tanh" ? CellMode::RnnTanh
                                : CellMode::RnnRelu;
}

std::int64_t positive(const NodeContext& ctx, std::string_view name, std::int64_t value, std::int64_t most)
{
    if (value < 1 || value > most) {
        ctx.invalid(fmt::format("{} = {} is not a size", name, value), std::string(name));
    }
    return value;
}

/// MXNet's GPU build rejects a single bound, bounds in the wrong order and bounds of another mode; its CPU build
/// ignores all of them, so such files exist.
std::optional<forms::StateClip> clipOf(const NodeContext& ctx, const Attributes& attributes, CellMode mode)
{
    const auto low = attributes.optionalNumber("lstm_state_clip_min");
    const auto high = attributes.optionalNumber("lstm_state_clip_max");
    const bool takesNan = attributes.boolean("lstm_state_clip_nan", false);
    if (!low && !high) {
        return std::nullopt;
    }
    const std::string name = low ? "lstm_state_clip_min" : "lstm_state_clip_max";
    if (mode != CellMode::Lstm) {
        ctx.invalid(
            fmt::format("{} bounds the cell state of an LSTM, but the mode is {}", name, attributes.text("mode", "")),
            name);
    }
    if (!low || !high) {
        ctx.invalid(fmt::format("{} is the only bound: MXNet accepts both bounds of the cell state or none", name),
                    name);
    }
    if (!(*low <= *high)) {
        ctx.invalid(fmt::format("lstm_state_clip_min = {} is above lstm_state_clip_max = {}", *low, *high), name);
    }
    return forms::StateClip{*low, *high, takesNan, "lstm_state_clip_min"};
}

} // namespace

RecurrentSettings RecurrentSettings::of(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    RecurrentSettings settings;
    settings.mode = modeOf(attributes);
    settings.gates = settings.mode == CellMode::Lstm ? 4 : settings.mode == CellMode::Gru ? 3 : 1;
    settings.hidden = positive(ctx, "state_size", attributes.integer("state_size"), mostUnits);
    settings.layers = positive(ctx, "num_layers", attributes.integer("num_layers"), mostLayers);
    settings.directions = attributes.boolean("bidirectional", false) ? 2 : 1;
    if (const auto size = attributes.optionalInteger("projection_size")) {
        if (settings.mode != CellMode::Lstm) {
            ctx.invalid("projection_size requires an LSTM, but the mode is " + attributes.text("mode", ""),
                        "projection_size");
        }
        settings.projection = positive(ctx, "projection_size", *size, mostUnits);
    }
    settings.clip = clipOf(ctx, attributes, settings.mode);
    settings.hasLengths = attributes.boolean("use_sequence_length", false);
    return settings;
}

forms::RecurrentLayer RecurrentSettings::layer() const
{
    forms::RecurrentLayer made;
    made.kind = isLstm() ? forms::CellKind::Lstm : mode == CellMode::Gru ? forms::CellKind::Gru : forms::CellKind::Rnn;
    made.hidden = hidden;
    made.direction = directions == 2 ? forms::LayerDirection::Bidirectional : forms::LayerDirection::Forward;
    made.gateOrder = isLstm() ? "ifco" : mode == CellMode::Gru ? "rzh" : "";
    if (mode == CellMode::RnnRelu) {
        made.activations = {forms::reluActivation};
    }
    made.cellClip = clip;
    if (projection) {
        made.projection = {.size = *projection, .clip = {}, .attribute = "projection_size"};
    }
    made.resetAfter = true; // MXNet's reset gate multiplies the bias too
    return made;
}

} // namespace crosswalk::mxnet
