#include "core/formats/mxnet/reroll/step_attributes.h"

#include "core/formats/mxnet/symbol_attributes.h"
#include "core/graph/attributes.h"

namespace crosswalk::mxnet {

std::string_view attributeText(const Node& node, std::string_view name, std::string_view fallback)
{
    const auto* text = attributeOf<std::string>(node, name);
    return text != nullptr ? std::string_view(*text) : fallback;
}

std::optional<std::int64_t> attributeInteger(const Node& node, std::string_view name,
                                             std::optional<std::int64_t> fallback)
{
    const std::string_view text = attributeText(node, name, {});
    if (text.empty()) {
        return fallback;
    }
    const auto numbers = integers(text);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

bool attributeFlag(const Node& node, std::string_view name, bool fallback)
{
    const std::string_view text = attributeText(node, name, {});
    return text.empty() ? fallback : text == "1" || text.starts_with('T') || text.starts_with('t');
}

} // namespace crosswalk::mxnet
