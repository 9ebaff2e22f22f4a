#include "core/formats/tensorflow/lowering/step_activation.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr std::array<std::string_view, 5> plain{"Sigmoid", "Tanh", "Relu", "Softsign", "Softplus"};

/// The operand of a value that is min(operand, bound) or max(operand, bound).
ValueId boundedBy(const StepMatcher& step, ValueId value, std::string_view op, double bound)
{
    const Node* node = step.node(value, op);
    if (node == nullptr || node->inputs.size() != 2) {
        return {};
    }
    return step.number(node->inputs[1]) == bound   ? node->inputs[0]
           : step.number(node->inputs[0]) == bound ? node->inputs[1]
                                                   : ValueId{};
}

/// The operand of a value that is clipped to [0, 1].
ValueId clippedToOne(const StepMatcher& step, ValueId value)
{
    const Node* clip = step.node(value, "ClipByValue");
    if (clip != nullptr && clip->inputs.size() == 3) {
        return step.number(clip->inputs[1]) == 0.0 && step.number(clip->inputs[2]) == 1.0 ? clip->inputs[0] : ValueId{};
    }
    const ValueId below = boundedBy(step, value, "Maximum", 0);
    return below ? boundedBy(step, below, "Minimum", 1) : ValueId{};
}

/// clip(alpha x + beta, 0, 1)
std::optional<Activated> hardSigmoid(const StepMatcher& step, ValueId value)
{
    const ValueId line = clippedToOne(step, value);
    const auto summands = line ? step.summands(line) : std::vector<ValueId>{};
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
    for (const std::string_view op : plain) {
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
