// Properties of a layer that ONNX's recurrent operators cannot express, and their workarounds.

#include "core/convert/forms/recurrent_layer.h"
#include "core/convert/forms/recurrent_states.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// The behaviour of ONNX's own operator instead of a gap's function.
enum class FusedForm : std::uint8_t { Exact, Approximate, None };

struct Gap {
    Code code;
    std::string attribute;
    std::string what;           ///< the property that ONNX or ONNX Runtime cannot express
    std::string fusedCost = {}; ///< the cost of the fused form
    FusedForm fused = FusedForm::None;
};

std::string_view operatorName(CellKind kind)
{
    return kind == CellKind::Lstm ? "LSTM" : kind == CellKind::Gru ? "GRU" : "RNN";
}

/// In the shortest form of float32 if it is one.
std::string boundOf(double value)
{
    const auto single = static_cast<float>(value);
    return static_cast<double>(single) == value ? fmt::format("{}", single) : fmt::format("{}", value);
}

Gap cellClipGap(const StateClip& clip)
{
    return {
        "rnn-clip", clip.attribute,
        fmt::format("the cell state is clipped to [{}, {}], which ONNX's LSTM cannot express (its clip bounds the "
                    "activations' inputs)",
                    boundOf(clip.low), boundOf(clip.high)),
        fmt::format(
            "one LSTM per layer, fastest; the cell state is not clipped, so the results differ once it leaves [{}, {}]",
            boundOf(clip.low), boundOf(clip.high)),
        FusedForm::Approximate};
}

Gap projectionGap(const RecurrentLayer& layer)
{
    const RecurrentProjection& projection = *layer.projection;
    return {"rnn-projection", projection.attribute,
            fmt::format("the hidden state is projected to {} features in each step, which ONNX's LSTM cannot express",
                        projection.size),
            fmt::format("one LSTM per layer; the projection is multiplied into the recurrent weights, "
                        "which grow from {} to {} columns: the same function, rounded in another order",
                        projection.size, layer.hidden),
            FusedForm::Exact};
}

std::vector<Gap> gapsOf(const RecurrentLayer& layer, ElementType type)
{
    std::vector<Gap> gaps;
    const std::string_view op = operatorName(layer.kind);
    if (layer.cellClip) {
        gaps.push_back(cellClipGap(*layer.cellClip));
    }
    if (layer.projection) {
        gaps.push_back(projectionGap(layer));
        if (const auto& clip = layer.projection->clip) {
            gaps.push_back({"rnn-clip", clip->attribute,
                            fmt::format("the projected hidden state is clipped to [{}, {}], which ONNX's LSTM cannot "
                                        "express",
                                        boundOf(clip->low), boundOf(clip->high))});
        }
    }
    if (layer.mask) {
        gaps.push_back(
            {"rnn-mask", "",
             fmt::format("a mask can skip any steps of a sample, but ONNX's {} skips only the last ones", op)});
    }
    for (const RecurrentActivation& each : layer.activations) {
        if (!each.isOnnx()) {
            gaps.push_back({"rnn-activation", "", fmt::format("ONNX's {} does not have its activation function", op)});
            break;
        }
    }
    if (layer.needsCells) {
        gaps.push_back(
            {"rnn-cells", "", "the cell state of every step is used, but ONNX's LSTM returns only the last"});
    }
    if (type == ElementType::Float64) {
        gaps.push_back({"rnn-double", "",
                        fmt::format("the data is float64, for which ONNX Runtime's CPU provider has no {}", op),
                        fmt::format("one {} per layer, fastest; computed in float32, about 7 digits instead of 16", op),
                        FusedForm::Approximate});
    }
    return gaps;
}

std::vector<Choice> waysAround(const Gap& gap, bool fusedIsOffered)
{
    std::vector<Choice> ways{{"exact", "a Scan of the step: any length, one small body for all steps", true}};
    if (fusedIsOffered) {
        ways.push_back({"fused", gap.fusedCost, gap.fused == FusedForm::Exact});
    }
    ways.push_back(
        {"unrolled", "a copy of the step for each time step: a fixed length, and a file that grows with it", true});
    return ways;
}

} // namespace

RecurrentForm chooseRecurrentForm(NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const std::vector<Gap> gaps = gapsOf(layer, ctx.element(x));
    if (gaps.empty()) {
        return RecurrentForm::Fused;
    }
    Strategy strategy = ctx.strategy();
    // Multiplied out, the recurrence starts from a full-width h, which a given projected one does not determine.
    const bool startsRight = !layer.projection || startsAtZero(ctx, layer.h);
    const bool hasFused = std::ranges::none_of(gaps, [](const Gap& gap) { return gap.fused == FusedForm::None; });
    const bool fusedIsOffered = startsRight && hasFused;
    std::string unlessFused;
    if (strategy == Strategy::Fused && !fusedIsOffered) {
        strategy = Strategy::Exact;
        unlessFused = !hasFused ? " (there is no fused form)" : " (fused requires an initial h of zero)";
    }
    const Dim& time = ctx.shape(x)[layer.batchMajor ? 1 : 0];
    for (const Gap& gap : gaps) {
        const auto ways = waysAround(gap, fusedIsOffered);
        if (strategy == Strategy::Unrolled && !time.isFixed()) {
            ctx.refuse("unrolled requires a fixed number of steps, but its data has shape " + toString(ctx.shape(x)),
                       gap.attribute, "fix the length with --shape, or choose another strategy", ways);
        }
        if (strategy == Strategy::Fused && gap.fused != FusedForm::Exact) {
            ctx.approximate(gap.what + "; as chosen: " + gap.fusedCost, gap.attribute, ways);
            continue;
        }
        const std::string_view form =
            strategy == Strategy::Fused      ? "an equivalent LSTM with the projection multiplied out"
            : strategy == Strategy::Unrolled ? "one equivalent step per time step"
            : fusesAtRunTime(layer, ctx.element(x))
                ? "its operator for batches whose mask skips only last steps, and an equivalent Scan loop for others"
                : "an equivalent Scan loop";
        ctx.choices(gap.code, fmt::format("{}: exported as {}{}", gap.what, form, unlessFused), gap.attribute, ways);
    }
    return strategy == Strategy::Fused      ? RecurrentForm::Fused
           : strategy == Strategy::Unrolled ? RecurrentForm::Unrolled
                                            : RecurrentForm::Scan;
}

} // namespace crosswalk::forms
