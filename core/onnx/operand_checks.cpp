#include "core/onnx/operand_checks.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/onnx/operand_shapes.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <fmt/format.h>
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

/// Inference compares the sizes only where one of them is -1.
void checkReshape(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents, const Shape* data)
{
    const auto given = data != nullptr ? elementCount(*data) : std::nullopt;
    const Tensor* target = contents.size() > 1 ? contents[1] : nullptr;
    if (!given || target == nullptr || target->elements() > mostSearched) {
        return;
    }
    const bool keepsZeros = std::ranges::any_of(
        node.attribute(), [](const auto& attribute) { return attribute.name() == "allowzero" && attribute.i() != 0; });
    Shape shape;
    for (const std::int64_t size : target->toInts()) {
        const bool copies = size == 0 && !keepsZeros && shape.size() < data->size();
        shape.push_back(copies ? (*data)[shape.size()] : size >= 0 ? Dim(size) : Dim());
    }
    const auto wanted = elementCount(shape);
    if (wanted && *wanted != *given) {
        refuse(node, fmt::format("a tensor of shape {} cannot be reshaped to {}", toString(*data), toString(shape)));
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

void checkOperands(const ::onnx::NodeProto& node, std::span<const Tensor* const> contents,
                   const std::function<const Shape*(std::size_t operand)>& shapeOf)
{
    if (!isOnnxDomain(node.domain())) {
        return;
    }
    const std::string& op = node.op_type();
    if (op == "Transpose") {
        const Shape* first = shapeOf(0);
        for (const auto& attribute : node.attribute()) {
            const std::set<std::int64_t> axes(attribute.ints().begin(), attribute.ints().end());
            const auto count = static_cast<std::size_t>(attribute.ints_size());
            if (axes.size() != count || (first != nullptr && first->size() != count)) {
                refuse(node, "perm is not a permutation of the axes of the input");
            }
        }
    } else if ((op == "Div" || op == "Mod") && contains(contents, 1, [](std::int64_t n) { return n == 0; })) {
        refuse(node, "an integer divisor is 0");
    } else if (op == "Split" && contains(contents, 1, [](std::int64_t n) { return n < 0; })) {
        refuse(node, "the size of a part is negative");
    } else if (op == "Reshape") {
        checkReshape(node, contents, shapeOf(0));
    } else {
        checkShapes(node, shapeOf);
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
