#include "core/formats/tensorflow/node_outputs.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

constexpr std::size_t mostOutputs = 1U << 16U; ///< of one node

std::size_t numberOf(const NodeDef& node, const OpDef& op, std::string_view attribute)
{
    std::int64_t count = 0;
    if (const auto* given = findAttrOf<std::int64_t>(node.attrs, attribute)) {
        count = *given;
    } else if (const auto fallback = defaultOf(op, attribute)) {
        const auto* number = std::get_if<std::int64_t>(&*fallback);
        count = number != nullptr ? *number : 0;
    }
    if (count < 0 || count > static_cast<std::int64_t>(mostOutputs)) {
        throw ModelError("damaged", fmt::format("{} is {}: no node has that many outputs", attribute, count));
    }
    return static_cast<std::size_t>(count);
}

DataType typeOf(const NodeDef& node, const OpDef& op, const ArgDef& arg)
{
    if (arg.typeAttr.empty()) {
        return arg.type;
    }
    const auto* given = findAttrOf<DataType>(node.attrs, arg.typeAttr);
    return given != nullptr ? *given : defaultTypeOf(op, arg.typeAttr).value_or(DataType::Invalid);
}

} // namespace

std::optional<std::uint32_t> NodeOutputs::find(std::string_view name, std::uint32_t index) const
{
    const auto arg =
        std::find_if(arguments.begin(), arguments.end(), [&](const Argument& each) { return each.name == name; });
    return arg != arguments.end() && index < arg->count ? std::optional(arg->first + index) : std::nullopt;
}

NodeOutputs outputsOf(const NodeDef& node, const OpDef& op)
{
    NodeOutputs outputs;
    for (const ArgDef& arg : op.outputs) {
        const std::size_t first = outputs.types.size();
        if (!arg.typeListAttr.empty()) {
            const auto* list = findAttrOf<std::shared_ptr<const ListProto>>(node.attrs, arg.typeListAttr);
            if (list != nullptr) {
                outputs.types.insert(outputs.types.end(), (*list)->types.begin(), (*list)->types.end());
            }
        } else {
            const std::size_t count = arg.numberAttr.empty() ? 1 : numberOf(node, op, arg.numberAttr);
            outputs.types.insert(outputs.types.end(), count, typeOf(node, op, arg));
        }
        outputs.arguments.push_back(
            {arg.name, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(outputs.types.size() - first)});
    }
    if (outputs.types.size() > mostOutputs) {
        throw ModelError("damaged", fmt::format("{} outputs: no node has that many", outputs.types.size()));
    }
    return outputs;
}

} // namespace crosswalk::tensorflow
