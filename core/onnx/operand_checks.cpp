#include "core/onnx/operand_checks.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/base/saturating_product.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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

[[noreturn]] void refuse(const ::onnx::NodeProto& node, std::string_view why)
{
    throw ModelError("wrong-operands", fmt::format("as ONNX's {}: {}", node.op_type(), why));
}

/// onnx's inference rounds the result down. Not a rule of findShapeMismatch(), which also checks models with arbitrary
/// sizes in place of their dynamic dimensions, and these need not be divisible.
void checkBlocks(const ::onnx::NodeProto& node, const std::optional<Shape>& data)
{
    const std::int64_t block = intAttribute(node, "blocksize", 1);
    const auto check = [&](std::size_t axis, std::int64_t divisor, std::string_view what) {
        const Dim size = data && axis < data->size() ? (*data)[axis] : Dim();
        if (size.isFixed() && divisor > 0 && size.size % divisor != 0) {
            refuse(node, fmt::format("{} {} are not divisible by {}", size.size, what, divisor));
        }
    };
    if (node.op_type() == "DepthToSpace") {
        check(1, saturatingProduct(block, block), "channels");
    } else {
        check(2, block, "rows");
        check(3, block, "columns");
    }
}

/// Whether the text is terms of letters and at most one ellipsis, separated by commas, and optionally the result's
/// term behind an arrow.
bool isEquation(std::string text)
{
    std::erase(text, ' ');
    const auto arrow = text.find("->");
    const std::string result = arrow != std::string::npos ? text.substr(arrow + 2) : std::string();
    std::string term;
    const auto isTerm = [](const std::string& indices) {
        const auto dots = indices.find("...");
        std::string letters = indices;
        if (dots != std::string::npos) {
            letters.erase(dots, 3);
        }
        return std::ranges::all_of(letters, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    };
    for (const char c : text.substr(0, arrow) + ",") {
        if (c != ',') {
            term += c;
        } else if (!isTerm(std::exchange(term, {}))) {
            return false;
        }
    }
    return isTerm(result);
}

} // namespace

void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents, const ShapeOf& shapeOf)
{
    if (!isOnnxDomain(node.domain())) {
        return;
    }
    const std::string& op = node.op_type();
    if (op == "Transpose") {
        const auto first = shapeOf(inputOf(node, 0));
        for (const auto& attribute : node.attribute()) {
            const std::set<std::int64_t> axes(attribute.ints().begin(), attribute.ints().end());
            const auto count = static_cast<std::size_t>(attribute.ints_size());
            if (axes.size() != count || (first && first->size() != count)) {
                refuse(node, "perm is not a permutation of the axes of the input");
            }
        }
    } else if ((op == "Div" || op == "Mod") && contains(contents, 1, [](std::int64_t n) { return n == 0; })) {
        refuse(node, "an integer divisor is 0");
    } else if (op == "Split" && contains(contents, 1, [](std::int64_t n) { return n < 0; })) {
        refuse(node, "the size of a part is negative");
    } else if (op == "DepthToSpace" || op == "SpaceToDepth") {
        checkBlocks(node, shapeOf(inputOf(node, 0)));
    } else if (const auto mismatch = findShapeMismatch(node, shapeOf)) {
        refuse(node, mismatch->reason);
    }
}

void expectEquation(const ::onnx::NodeProto& node)
{
    if (node.op_type() != "Einsum" || !isOnnxDomain(node.domain())) {
        return;
    }
    for (const auto& attribute : node.attribute()) {
        const std::string& equation = attribute.s();
        if (equation.size() > Budget::equationLength) {
            throw ModelError("damaged",
                             fmt::format("the equation of an Einsum has {} characters; at most {} are possible",
                                         equation.size(), Budget::equationLength));
        }
        if (attribute.name() == "equation" && !isEquation(equation)) {
            throw ModelError("damaged", fmt::format("'{}' is not a valid equation of Einsum", equation));
        }
    }
}

} // namespace crosswalk
