#include "core/formats/tensorflow/ops/node_settings.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {

Settings::Settings(const NodeContext& ctx)
    : Settings(ctx, ctx.node.op)
{
}

Settings::Settings(const NodeContext& ctx, std::string_view defaultsOf)
    : m_ctx(ctx)
    , m_def(findOpDef(defaultsOf))
{
}

template <class T>
T Settings::valueOf(std::string_view name) const
{
    if (const AttributeValue* given = m_ctx.node.attribute(name)) {
        if (const T* value = std::get_if<T>(given)) {
            return *value;
        }
        const auto* list = std::get_if<AttributeList>(given);
        if (std::is_same_v<T, Ints> && list != nullptr && list->empty()) {
            return T();
        }
        m_ctx.invalid(fmt::format("attribute {} has a value of another type", name), std::string(name));
    }
    const auto fallback = m_def != nullptr ? defaultOf(*m_def, name) : std::nullopt;
    if (fallback) {
        if (const T* value = std::get_if<T>(&*fallback)) {
            return *value;
        }
        return T(); // an empty list
    }
    m_ctx.invalid(fmt::format("attribute {} is missing", name), std::string(name));
}

bool Settings::boolean(std::string_view name) const
{
    return valueOf<bool>(name);
}

std::int64_t Settings::integer(std::string_view name) const
{
    return valueOf<std::int64_t>(name);
}

double Settings::number(std::string_view name) const
{
    return valueOf<double>(name);
}

std::string Settings::text(std::string_view name) const
{
    return valueOf<std::string>(name);
}

Ints Settings::ints(std::string_view name) const
{
    return valueOf<Ints>(name);
}

ElementType Settings::elementType(std::string_view name) const
{
    return valueOf<ElementType>(name);
}

} // namespace crosswalk::tensorflow
