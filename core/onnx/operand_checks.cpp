#include "core/onnx/operand_checks.h"

#include "core/base/diagnostic.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

/// Larger constants are not searched.
constexpr std::int64_t mostSearched = 1 << 20;

bool contains(std::span<const Tensor* const> contents, std::size_t input, bool (*isBad)(std::int64_t))
{
    const Tensor* content = input < contents.size() ? contents[input] : nullptr;
    return content != nullptr && isInteger(content->type()) && content->elements() <= mostSearched &&
           std::ranges::any_of(content->toInts(), isBad);
}

[[noreturn]] void refuse(const ::onnx::NodeProto& node, const char* why)
{
    throw ModelError("wrong-operands", fmt::format("as ONNX's {}: {}", node.op_type(), why));
}

} // namespace

void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents,
                   const std::optional<Shape>& first)
{
    const std::string& op = node.op_type();
    if (op == "Transpose") {
        for (const auto& attribute : node.attribute()) {
            const std::set<std::int64_t> axes(attribute.ints().begin(), attribute.ints().end());
            const auto count = static_cast<std::size_t>(attribute.ints_size());
            if (axes.size() != count || (first && first->size() != count)) {
                refuse(node, "the axes are no permutation of those of the input");
            }
        }
    } else if ((op == "Div" || op == "Mod") && contains(contents, 1, [](std::int64_t n) { return n == 0; })) {
        refuse(node, "an integer divisor is 0");
    } else if (op == "Split" && contains(contents, 1, [](std::int64_t n) { return n < 0; })) {
        refuse(node, "the size of a part is negative");
    }
}

} // namespace crosswalk
