#include "core/formats/tensorflow/lowering/step_activation.h"

#include "core/formats/tensorflow/lowering/step_clip.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr std::array<std::string_view, 5> plainActivations{"Sigmoid", "Tanh", "Relu", "Softsign", "Softplus"};

/// clip(alpha x + beta, 0, 1)
std::optional<Activated> hardSigmoid(const StepMatcher& step, ValueId value)
{
    const auto clipped = clippedOf(step, value);
    const bool isToOne = clipped && clipped->clip == StepClip{0, 1};
    const auto summands = isToOne ? step.summands(clipped->argument) : ValueIds{};
    for (std::size_t i = 0; summands.size() == 2 && i < 2; ++i) {
        const auto beta = step.number(summands[1 - i]);
        for (const auto& [x, factor] : step.products(summands[i])) {
            const auto alpha = step.number(factor);
            if (alpha && beta) {
                return Activated{{"HardSigmoid", *alpha, *beta}, x};
            }
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Activated> activationOf(const StepMatcher& step, ValueId value)
{
    for (const std::string_view op : plainActivations) {
        if (const ValueId argument = step.argument(op, value)) {
            return Activated{{std::string(op)}, argument};
        }
    }
    if (const ValueId argument = step.argument("Elu", value)) {
        return Activated{{"Elu", 1}, argument};
    }
    return hardSigmoid(step, value);
}

} // namespace crosswalk::tensorflow
