// RecurrentLayer, which lowering creates from loops.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/tensorflow/ops/recurrent/broadcast_batch.h"
#include "core/formats/tensorflow/ops/recurrent/final_state.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/graph/attributes.h"

#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

forms::CellKind kindOf(const std::string& name)
{
    return name == "lstm" ? forms::CellKind::Lstm : name == "gru" ? forms::CellKind::Gru : forms::CellKind::Rnn;
}

template <typename T>
const T& settingOf(const NodeContext& ctx, std::string_view name)
{
    return *attributeOf<T>(ctx.node, name);
}

bool isSet(const NodeContext& ctx, std::string_view name)
{
    return ctx.node.attribute(name) != nullptr;
}

std::vector<forms::RecurrentActivation> activationsOf(const NodeContext& ctx)
{
    static constexpr std::array<std::string_view, 2> withAlpha{"Elu", "HardSigmoid"};
    const auto& names = settingOf<std::vector<std::string>>(ctx, "activations");
    std::vector<forms::RecurrentActivation> activations;
    for (std::size_t i = 0; i < names.size(); ++i) {
        forms::RecurrentActivation& each = activations.emplace_back(forms::RecurrentActivation{.name = names[i]});
        if (std::find(withAlpha.begin(), withAlpha.end(), names[i]) != withAlpha.end()) {
            each.alpha = static_cast<float>(settingOf<std::vector<double>>(ctx, "alphas")[i]);
        }
        if (names[i] == "HardSigmoid") {
            each.beta = static_cast<float>(settingOf<std::vector<double>>(ctx, "betas")[i]);
        }
    }
    return activations;
}

/// The steps of each sample, 0 to the number of steps, for which ONNX Runtime takes no others.
OnnxValue stepsOf(const NodeContext& ctx, OnnxValue lengths, OnnxValue x)
{
    const bool clipsIntegers = ctx.onnx.opset() >= 12;
    if (const auto shape = ctx.onnx.shape(lengths); !shape || shape->empty()) { // one for all samples, or open
        lengths = shape ? lengths : emit::reshape(ctx, lengths, Ints{-1});
        lengths = emit::expand(ctx, lengths, emit::dimVector(ctx, x, 1));
    } else if (shape->size() > 1) {
        ctx.refuse(fmt::format("the lengths of its samples have {} dimensions, one is expected", shape->size()));
    }
    const bool isNarrow = ctx.element(lengths) == ElementType::Int32 && clipsIntegers;
    const ElementType type = isNarrow ? ElementType::Int32 : ElementType::Int64;
    const OnnxValue steps = emit::cast(ctx, lengths, type);
    const OnnxValue most = emit::cast(ctx, emit::squeeze(ctx, emit::dimVector(ctx, x, 0), {0}), type);
    if (!clipsIntegers) {
        const OnnxValue fewest = emit::clip(ctx, steps, 0, std::nullopt);
        return ctx.emit("Where", {ctx.emit("Less", {fewest, most}), fewest, most});
    }
    return ctx.emit("Clip", {steps, emit::scalarLike(ctx, steps, 0), most});
}

std::optional<forms::StateClip> clipOf(const NodeContext& ctx, std::string_view name)
{
    const auto* bounds = attributeOf<std::vector<double>>(ctx.node, name);
    return bounds != nullptr ? std::optional(forms::StateClip{.low = (*bounds)[0], .high = (*bounds)[1]})
                             : std::nullopt;
}

/// The inputs of the node in their order (recurrent_layer_node.h).
class Inputs {
public:
    explicit Inputs(NodeContext& ctx)
        : m_ctx(ctx)
    {
    }

    OnnxValue next()
    {
        const std::size_t i = m_next++;
        return m_ctx.hasInput(i) ? m_ctx.input(i) : OnnxValue{};
    }
    OnnxValues next(std::string_view count)
    {
        OnnxValues values(static_cast<std::size_t>(intOf(m_ctx.node, count, 0)));
        std::generate(values.begin(), values.end(), [&] { return next(); });
        return values;
    }

private:
    NodeContext& m_ctx;
    std::size_t m_next = 0;
};

OnnxValues recurrent(NodeContext& ctx)
{
    forms::RecurrentLayer layer{.kind = kindOf(settingOf<std::string>(ctx, "kind")),
                                .hidden = intOf(ctx.node, "hidden", 0),
                                .gateOrder = settingOf<std::string>(ctx, "gate_order"),
                                .weightLayout = forms::WeightLayout::GateColumns,
                                .forgetBias = isSet(ctx, "forget_bias") ? settingOf<double>(ctx, "forget_bias") : 0,
                                .activations = activationsOf(ctx),
                                .resetAfter = isSet(ctx, "reset_after"),
                                .pastEnd =
                                    isSet(ctx, "repeats_last") ? forms::PastEnd::RepeatLast : forms::PastEnd::Zero};
    Inputs inputs(ctx);
    OnnxValue x = inputs.next();
    const OnnxValue lengths = inputs.next();
    layer.h.value = inputs.next();
    const bool isLstm = layer.kind == forms::CellKind::Lstm;
    layer.c.value = isLstm ? inputs.next() : OnnxValue{};
    forms::CellWeights cell;
    cell.input = inputs.next("input_weights");
    cell.recurrent = inputs.next("recurrent_weights");
    cell.bias = inputs.next("biases");
    cell.recurrentBias = inputs.next("recurrent_biases");
    if (const OnnxValues peepholes = inputs.next("peepholes"); !peepholes.empty()) {
        cell.peepholeInput = peepholes[0];
        cell.peepholeOutput = peepholes[1];
        cell.peepholeForget = peepholes[2];
    }
    if (const OnnxValues projections = inputs.next("projections"); !projections.empty()) {
        cell.projection = projections[0];
        layer.projection = forms::RecurrentProjection{.size = intOf(ctx.node, "projected_size", 0),
                                                      .clip = clipOf(ctx, "projection_clip")};
    }
    layer.cellClip = clipOf(ctx, "cell_clip");
    layer.cells = {cell};
    x = broadcastBatch(ctx, layer, x, isSet(ctx, "zero_h"), isSet(ctx, "zero_c"));
    layer.lengths = lengths ? stepsOf(ctx, lengths, x) : lengths;
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, x);
    const bool isHeld = layer.pastEnd == forms::PastEnd::RepeatLast;
    OnnxValues outputs{isHeld ? heldStates(ctx, layer, made.y, layer.h.value) : made.y,
                       finalState(ctx, layer, made.h, layer.h.value, x)};
    if (isLstm) {
        outputs.push_back(finalState(ctx, layer, made.c, layer.c.value, x));
    }
    return outputs;
}

} // namespace

std::span<const OpRow> recurrentLayerOps()
{
    static constexpr OpRow rows[] = {
        {"RecurrentLayer", recurrent, "LSTM, GRU or RNN; Scan", "", Support::ExactWithStrategy},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
