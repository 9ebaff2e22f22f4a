// What ONNX's recurrent operators cannot say of MXNet's, and the ways around it.

#include "core/formats/mxnet/ops/recurrent/gaps.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Gap {
    Code code;
    std::string attribute;
    std::string what;      ///< what ONNX or its runtime cannot say
    std::string fusedCost; ///< what the fused form loses or takes
    bool fusedIsExact;
};

std::vector<Gap> gapsOf(const RecurrentSettings& settings, ElementType type)
{
    std::vector<Gap> gaps;
    const std::string op = settings.isLstm() ? "LSTM" : settings.mode == CellMode::Gru ? "GRU" : "RNN";
    if (settings.clip) {
        gaps.push_back(
            {"rnn-clip", "lstm_state_clip_min",
             fmt::format("the cell state is clipped to [{}, {}], which ONNX's LSTM cannot say (its clip bounds "
                         "the activations' inputs)",
                         settings.clip->low, settings.clip->high),
             fmt::format("one LSTM a layer, fastest; the cell state is not clipped, so the numbers differ as "
                         "soon as it leaves [{}, {}]",
                         settings.clip->low, settings.clip->high),
             false});
    }
    if (settings.projection) {
        gaps.push_back(
            {"rnn-projection", "projection_size",
             fmt::format("the hidden state is projected to {} features in each step, which ONNX's LSTM cannot say",
                         *settings.projection),
             fmt::format("one LSTM a layer; the projection is multiplied into the recurrent weights, "
                         "which grow from {} to {} columns: the same function, rounded in another order",
                         *settings.projection, settings.hidden),
             true});
    }
    if (type == ElementType::Float64) {
        gaps.push_back(
            {"rnn-double", "", fmt::format("the numbers are float64, for which ONNX Runtime's CPU has no {}", op),
             fmt::format("one {} a layer, fastest; computed in float32, about 7 digits instead of 16", op), false});
    }
    return gaps;
}

std::vector<Choice> waysAround(const Gap& gap, bool fusedIsOffered)
{
    std::vector<Choice> ways{{"exact", "a Scan of the step: any length, one small body run for each time", true}};
    if (fusedIsOffered) {
        ways.push_back({"fused", gap.fusedCost, gap.fusedIsExact});
    }
    ways.push_back(
        {"unrolled", "a copy of the step for each time: a fixed length, and a file that grows with it", true});
    return ways;
}

} // namespace

RecurrentForm chooseForm(NodeContext& ctx, const RecurrentSettings& settings, ElementType type, OnnxValue data,
                         bool startsAtZero)
{
    const std::vector<Gap> gaps = gapsOf(settings, type);
    if (gaps.empty()) {
        return RecurrentForm::Fused;
    }
    Strategy strategy = ctx.strategy();
    // Multiplied out, the recurrence starts from a full-width h, which a given projected one does not determine.
    const bool fusedIsOffered = !settings.projection || startsAtZero;
    std::string unlessFused;
    if (strategy == Strategy::Fused && !fusedIsOffered) {
        strategy = Strategy::Exact;
        unlessFused = " (fused needs an initial h of zero)";
    }
    const Dim& time = ctx.shape(data)[0];
    for (const Gap& gap : gaps) {
        const auto ways = waysAround(gap, fusedIsOffered);
        if (strategy == Strategy::Unrolled && !time.isFixed()) {
            ctx.refuse("unrolled needs a fixed number of steps, its data has shape " + toString(ctx.shape(data)),
                       gap.attribute, "fix the length with --shape, or take another strategy", ways);
        }
        if (strategy == Strategy::Fused && !gap.fusedIsExact) {
            ctx.approximate(gap.what + "; as chosen: " + gap.fusedCost, gap.attribute, ways);
            continue;
        }
        const std::string_view form = strategy == Strategy::Fused      ? "one LSTM with the projection multiplied out"
                                      : strategy == Strategy::Unrolled ? "the step written out for each time"
                                                                       : "a Scan of the step";
        ctx.choices(gap.code, fmt::format("{}: {} computes the same{}", gap.what, form, unlessFused), gap.attribute,
                    ways);
    }
    return strategy == Strategy::Fused      ? RecurrentForm::Fused
           : strategy == Strategy::Unrolled ? RecurrentForm::Unrolled
                                            : RecurrentForm::Scan;
}

} // namespace crosswalk::mxnet
