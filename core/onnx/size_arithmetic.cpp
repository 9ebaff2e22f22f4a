#include "core/onnx/size_arithmetic.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace crosswalk {
namespace {

using Sizes = Ints;

std::optional<Sizes> fixedSizes(const std::optional<std::vector<Dim>>& dims)
{
    if (!dims || !std::all_of(dims->begin(), dims->end(), [](const Dim& dim) { return dim.isFixed(); })) {
        return std::nullopt;
    }
    Sizes sizes;
    for (const Dim& dim : *dims) {
        sizes.push_back(dim.size);
    }
    return sizes;
}

bool isFloatRemainder(const ::onnx::NodeProto& node)
{
    return std::any_of(node.attribute().begin(), node.attribute().end(),
                       [](const auto& attribute) { return attribute.name() == "fmod" && attribute.i() != 0; });
}

std::optional<std::int64_t> computed(std::string_view op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (op == "Add") {
        return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    }
    if (op == "Sub") {
        return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    }
    if (op == "Mul") {
        return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    }
    if (op == "Min" || op == "Max") {
        return op == "Min" ? std::min(a, b) : std::max(a, b);
    }
    if (b <= 0) {
        return std::nullopt;
    }
    if (op == "Mod") { // has the sign of the divisor
        return a % b < 0 ? a % b + b : a % b;
    }
    return a < 0 ? std::nullopt : std::optional(a / b); // a negative dividend: truncated, or rounded down
}

} // namespace

std::optional<Sizes> computedSizes(const ::onnx::NodeProto& node,
                                   std::span<const std::optional<std::vector<Dim>>> inputs, std::size_t count)
{
    const std::string_view op = node.op_type();
    const auto first = inputs.empty() ? std::nullopt : fixedSizes(inputs[0]);
    if (!node.domain().empty() || !first) {
        return std::nullopt;
    }
    if (op == "Identity" || op == "Reshape") {
        return first->size() == count ? first : std::nullopt;
    }
    if (op == "Neg") {
        Sizes sizes = *first;
        for (std::int64_t& size : sizes) {
            if (size == std::numeric_limits<std::int64_t>::min()) {
                return std::nullopt;
            }
            size = -size;
        }
        return sizes;
    }
    const auto second = inputs.size() == 2 ? fixedSizes(inputs[1]) : std::nullopt;
    constexpr auto known = std::to_array<std::string_view>({"Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"});
    const bool isKnown = std::find(known.begin(), known.end(), op) != known.end() && !isFloatRemainder(node);
    const auto fits = [&](const Sizes& sizes) { return sizes.size() == count || sizes.size() == 1; };
    if (!isKnown || !second || !fits(*first) || !fits(*second)) {
        return std::nullopt;
    }
    Sizes sizes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = computed(op, (*first)[first->size() == 1 ? 0 : i], (*second)[second->size() == 1 ? 0 : i]);
        if (!size) {
            return std::nullopt;
        }
        sizes.push_back(*size);
    }
    return sizes;
}

} // namespace crosswalk
