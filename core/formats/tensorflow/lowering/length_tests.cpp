#include "core/formats/tensorflow/lowering/length_tests.h"

namespace crosswalk::tensorflow {

std::optional<LengthTest> lengthTest(std::string_view op, ValueId left, ValueId right,
                                     const std::function<std::optional<std::int64_t>(ValueId)>& number)
{
    const auto a = number(left);
    const auto b = number(right);
    if (a.has_value() == b.has_value()) {
        return std::nullopt;
    }
    const ValueId lengths = a ? right : left;
    const std::int64_t step = a ? *a : *b;
    if (op == (a ? "GreaterEqual" : "LessEqual")) {
        return LengthTest{lengths, step, true};
    }
    if (op == (a ? "Less" : "Greater")) {
        return LengthTest{lengths, step, false};
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
