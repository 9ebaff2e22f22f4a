#pragma once

#include "core/graph/attributes.h"
#include "core/graph/source_location.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

/// Attribute of every node, a list of strings: the argument of the operator that each input of the node is, "self",
/// "weight", or an element of a list, "tensors[1]". Arguments that are stored in the file are attributes of their own;
/// in a list of integers the elements that are computed are 0 there.
constexpr std::string_view argumentNames = "inputs";
/// The input that is an argument; nothing if the node has no such input.
inline std::optional<std::size_t> inputNamed(const Node& node, std::string_view argument)
{
    const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
    if (names == nullptr) {
        return std::nullopt;
    }
    const auto found = static_cast<std::size_t>(std::find(names->begin(), names->end(), argument) - names->begin());
    return found < names->size() && found < node.inputs.size() ? std::optional(found) : std::nullopt;
}
/// Attribute of a node, a list of strings: its inputs that are numbers of Python, not tensors, by argument.
constexpr std::string_view computedNumbers = "numbers";
/// Attribute of a node: the overload of its operator, "Tensor" or "default".
constexpr std::string_view overloadName = "overload";
/// Attribute of aten::size: the number of sizes that the program unpacks, which is the rank of the tensor.
constexpr std::string_view unpackedRank = "unpacked";
/// Attributes that describe a node for the user: where the model's program calls it, and in which module.
constexpr std::string_view stackTrace = "stack_trace";
constexpr std::string_view modulePath = "module";
/// Attribute of a node, for the user: the device of its first result, or the one that the program asks for.
constexpr std::string_view deviceName = "device";

/// The attributes of nodes that are not arguments of their operators.
constexpr auto describingAttributes = std::to_array<std::string_view>(
    {argumentNames, computedNumbers, overloadName, unpackedRank, stackTrace, modulePath, sourceLocationAttribute});

} // namespace crosswalk::pytorch
