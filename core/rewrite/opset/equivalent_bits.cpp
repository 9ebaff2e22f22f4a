// Operators on the bits of integers. A Cast between integers keeps the lower bits, in both directions.

#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace crosswalk {
namespace {

std::string castTo(NodeReplacement& at, const std::string& x, ElementType type)
{
    return at.add("Cast", {x}, {{"to", static_cast<std::int64_t>(type)}});
}

std::string bitsOf(NodeReplacement& at, const std::string& x)
{
    return castTo(at, castTo(at, x, ElementType::Int64), ElementType::UInt64);
}

std::string shifted(NodeReplacement& at, const std::string& x, const std::string& by, std::string_view direction)
{
    return at.add("BitShift", {x, by}, {{"direction", direction}});
}

/// -1 - x, whose bits are those of x inverted.
std::string inverted(NodeReplacement& at, const std::string& x)
{
    return at.add("Sub", {at.scalar(ElementType::Int64, -1), x});
}

bool isSigned(ElementType type)
{
    return type == ElementType::Int8 || type == ElementType::Int16 || type == ElementType::Int32 ||
           type == ElementType::Int64;
}

} // namespace

bool signedShift(NodeReplacement& at)
{
    constexpr int since = 28;
    const ElementType type = at.typeOf(at.input(0)).element;
    const auto* direction = findAttribute(at.node(), "direction");
    if (at.to() >= since || !isSigned(type) || direction == nullptr) {
        return false;
    }
    const auto width = static_cast<double>(byteSize(type) * 8);
    const std::string x = castTo(at, at.input(0), ElementType::Int64);
    const std::string by = castTo(at, at.input(1), ElementType::Int64);
    constexpr double most = 63; // of 64 bits
    const std::string places =
        castTo(at, at.add("Min", {by, at.scalar(ElementType::Int64, most)}), ElementType::UInt64);
    const std::string zero = at.scalar(ElementType::Int64, 0);
    std::string result;
    if (direction->s() == "LEFT") {
        const std::string all =
            castTo(at, shifted(at, castTo(at, x, ElementType::UInt64), places, "LEFT"), ElementType::Int64);
        result = at.add("Where", {at.add("Less", {by, at.scalar(ElementType::Int64, width)}), all, zero});
    } else { // the sign fills the upper bits
        const std::string isNegative = at.add("Less", {x, zero});
        const std::string positive = at.add("Where", {isNegative, inverted(at, x), x});
        const std::string moved =
            castTo(at, shifted(at, castTo(at, positive, ElementType::UInt64), places, "RIGHT"), ElementType::Int64);
        result = at.add("Where", {isNegative, inverted(at, moved), moved});
    }
    at.addLast("Cast", {result}, {{"to", static_cast<std::int64_t>(type)}});
    return true;
}

bool bitwiseOperator(NodeReplacement& at)
{
    constexpr int since = 18;
    const std::string_view op = at.node().op_type();
    const ElementType type = at.typeOf(at.input(0)).element;
    if (at.to() >= since || type == ElementType::Undefined) {
        return false;
    }
    std::string result;
    if (op == "BitwiseNot") {
        result = inverted(at, castTo(at, at.input(0), ElementType::Int64));
    } else {
        const std::size_t width = byteSize(type) * 8;
        std::vector<std::uint64_t> numbers(width);
        std::iota(numbers.begin(), numbers.end(), 0U);
        const std::string places =
            at.constant(Tensor::of<std::uint64_t>(ElementType::UInt64, {static_cast<std::int64_t>(width)}, numbers));
        const auto isSet = [&](const std::string& x) { // by bit, along a new last axis
            const std::string spread = at.add("Unsqueeze", {bitsOf(at, x), at.ints({-1})});
            const std::string two = at.scalar(ElementType::UInt64, 2);
            return castTo(at, at.add("Mod", {shifted(at, spread, places, "RIGHT"), two}), ElementType::Bool);
        };
        const std::string both =
            at.add(op.substr(std::string_view("Bitwise").size()), {isSet(at.input(0)), isSet(at.input(1))});
        const std::string moved = shifted(at, castTo(at, both, ElementType::UInt64), places, "LEFT");
        result = at.add("ReduceSum", {castTo(at, moved, ElementType::Int64), at.ints({-1})},
                        {{"keepdims", std::int64_t{0}}});
    }
    at.addLast("Cast", {result}, {{"to", static_cast<std::int64_t>(type)}});
    return true;
}

bool bitCastOfIntegers(NodeReplacement& at)
{
    constexpr int since = 26;
    const ElementType from = at.typeOf(at.input(0)).element;
    const auto to = static_cast<ElementType>(intAttribute(at.node(), "to", 0));
    const auto isWhole = [](ElementType type) { return isInteger(type) && byteSize(type) > 0; };
    const bool isBool = from == ElementType::Bool && to == ElementType::UInt8;
    if (at.to() >= since || !(isBool || (isWhole(from) && isWhole(to) && byteSize(from) == byteSize(to)))) {
        return false;
    }
    at.addLast("Cast", {at.input(0)}, {{"to", static_cast<std::int64_t>(to)}});
    return true;
}

} // namespace crosswalk
