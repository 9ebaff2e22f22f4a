#include "core/layout/weight_rows.h"

#include "core/graph/operator_info.h"
#include "core/graph/readable_shape.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// "dense/kernel:0" without the output index.
std::string_view withoutOutput(std::string_view valueName)
{
    const auto colon = valueName.rfind(':');
    const bool isNumbered = colon != std::string_view::npos && colon + 1 < valueName.size() &&
                            valueName.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
    return isNumbered ? valueName.substr(0, colon) : valueName;
}

/// For the node stage1_conv0, "stage1_conv0_weight" is its weight, "layer1.0.conv.bias" a bias; "onnx::MatMul_412" has
/// no meaning: empty.
std::string_view shortName(std::string_view valueName, std::string_view nodeName)
{
    valueName = withoutOutput(valueName);
    if (!nodeName.empty() && valueName.size() > nodeName.size() + 1 && valueName.starts_with(nodeName)) {
        return valueName.substr(nodeName.size() + 1);
    }
    const auto mark = valueName.find_last_of("./:");
    std::string_view last = mark == std::string_view::npos ? valueName : valueName.substr(mark + 1);
    for (const std::string_view known : {"weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "running_mean",
                                         "running_var", "parameters", "alpha"}) {
        if (last.ends_with(known)) {
            return known;
        }
    }
    const bool telling = !last.empty() && last.size() <= 20 &&
                         std::ranges::none_of(last, [](unsigned char c) { return std::isdigit(c) != 0; });
    return telling ? last : std::string_view();
}

/// The distinguishing part of weights that are concatenated for one node: l0_i2h_weight for "lstm0_l0_i2h_weight" of
/// lstm0_rnn0.
std::string_view shortInScope(std::string_view valueName, std::string_view nodeName)
{
    constexpr std::size_t longest = 24;
    valueName = withoutOutput(valueName);
    const auto differ = std::ranges::mismatch(valueName, nodeName);
    const auto common = static_cast<std::size_t>(differ.in1 - valueName.begin());
    const auto mark = common == 0 ? std::string_view::npos : valueName.find_last_of("_./", common - 1);
    const auto rest = mark == std::string_view::npos ? valueName : valueName.substr(mark + 1);
    return rest.size() <= longest ? rest : std::string_view{};
}

constexpr std::int64_t previewLimit = 4; ///< elements

std::string contentText(const Tensor& tensor)
{
    const bool readable = isInteger(tensor.type()) || isFloating(tensor.type()) || tensor.type() == ElementType::Bool;
    if (!readable || tensor.rank() > 1 || tensor.elements() > previewLimit || tensor.elements() == 0) {
        return toString(shapeOf(tensor.dims()));
    }
    std::string text;
    if (isFloating(tensor.type())) {
        for (const double value : tensor.toDoubles()) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", static_cast<float>(value));
        }
    } else {
        for (const std::int64_t value : tensor.toInts()) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
        }
    }
    return tensor.rank() == 0 ? text : "(" + text + ")";
}

/// Parameters without weights are assumed to be float: most are.
bool isFloat(const Graph& graph, ValueId value)
{
    const Tensor* tensor = constantTensor(graph, value);
    return tensor == nullptr || isFloating(tensor->type());
}

std::string contentOf(const Graph& graph, ValueId value)
{
    const Tensor* tensor = constantTensor(graph, value);
    const auto& shape = graph.value(value).type.shape;
    return tensor != nullptr ? contentText(*tensor) : shape ? readableShape(*shape) : std::string("*");
}

} // namespace

std::vector<std::string> weightRows(const Node& node, const Graph& graph, const Constants& constants)
{
    const OperatorInfo& info = operatorInfo(graph, node);
    std::vector<std::string> rows;
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
        const ValueId input = node.inputs[slot];
        if (!input || !constants.values[input.index]) {
            continue;
        }
        ValueIds stored = storedBehind(graph, constants, input);
        if (std::ranges::any_of(stored, [&](ValueId id) { return isFloat(graph, id); })) {
            std::erase_if(stored, [&](ValueId id) { return !isFloat(graph, id); }); // indices, shapes and axes
        }
        const std::string_view operand = info.operandName(node, slot);
        for (const ValueId id : stored) {
            const bool isAlone = stored.size() == 1;
            std::string_view name = !isAlone                   ? shortInScope(graph.value(id).name, node.name)
                                    : info.prefersOperandNames ? operand
                                                               : std::string_view();
            if (name.empty()) {
                name = shortName(graph.value(id).name, node.name);
            }
            if (name.empty()) {
                name = isAlone && !operand.empty() ? operand : "constant";
            }
            rows.push_back(std::string(name) + " " + contentOf(graph, id));
        }
    }
    return rows;
}

} // namespace crosswalk
