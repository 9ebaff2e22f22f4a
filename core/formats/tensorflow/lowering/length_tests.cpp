#include "core/formats/tensorflow/lowering/length_tests.h"

namespace crosswalk::tensorflow {

std::optional<LengthTest> lengthTestOf(ValueId value,
                                       const std::function<const Node*(ValueId, std::string_view op)>& node,
                                       const std::function<bool(ValueId)>& isStep)
{
    struct Comparison {
        std::string_view op;
        std::size_t step; ///< input
        bool isPast;
    };
    static constexpr Comparison comparisons[]{
        {"GreaterEqual", 0, true}, {"LessEqual", 1, true}, {"Less", 0, false}, {"Greater", 1, false}};
    for (const Comparison& each : comparisons) {
        const Node* found = node(value, each.op);
        if (found != nullptr && found->inputs.size() == 2 && isStep(found->inputs[each.step])) {
            return LengthTest{found->inputs[each.step], found->inputs[1 - each.step], each.isPast};
        }
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
