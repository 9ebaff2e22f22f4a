#include "core/formats/tensorflow/lowering/step_clip.h"

namespace crosswalk::tensorflow {
namespace {

struct Bounded {
    double bound;
    ValueId argument;
};

/// The minimum or maximum of a value and a stored number.
std::optional<Bounded> boundedBy(const StepMatcher& step, ValueId value, std::string_view op)
{
    const Node* node = step.node(value, op);
    for (std::size_t i = 0; node != nullptr && node->inputs.size() == 2 && i < 2; ++i) {
        if (const auto bound = step.number(node->inputs[i])) {
            return Bounded{*bound, node->inputs[1 - i]};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Clipped> clippedOf(const StepMatcher& step, ValueId value)
{
    std::optional<double> low;
    std::optional<double> high;
    ValueId argument;
    const Node* clip = step.node(value, "ClipByValue");
    if (clip != nullptr && clip->inputs.size() == 3) {
        argument = clip->inputs[0];
        low = step.number(clip->inputs[1]);
        high = step.number(clip->inputs[2]);
    } else if (const auto most = boundedBy(step, value, "Minimum")) {
        const auto least = boundedBy(step, most->argument, "Maximum");
        high = most->bound;
        low = least ? std::optional(least->bound) : std::nullopt;
        argument = least ? least->argument : ValueId{};
    } else if (const auto least = boundedBy(step, value, "Maximum")) {
        const auto inner = boundedBy(step, least->argument, "Minimum");
        low = least->bound;
        high = inner ? std::optional(inner->bound) : std::nullopt;
        argument = inner ? inner->argument : ValueId{};
    }
    return low && high && *low <= *high ? std::optional(Clipped{{*low, *high}, argument}) : std::nullopt;
}

} // namespace crosswalk::tensorflow
