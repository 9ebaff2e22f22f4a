#include "core/formats/operator_tables.h"

#include <algorithm>

namespace crosswalk {
namespace {

std::vector<std::string_view> listParts(std::string_view text)
{
    if (!text.empty() && (text.front() == '(' || text.front() == '[')) {
        text = text.substr(1, text.find_first_of(")]") - 1);
    }
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        std::string_view part = text.substr(at, end - at);
        while (part.starts_with(' ')) {
            part.remove_prefix(1);
        }
        if (part.size() > 1 && part.ends_with('L')) {
            part.remove_suffix(1);
        }
        if (!part.empty()) {
            parts.push_back(part);
        }
        at = end + 1;
    }
    return parts;
}

bool matches(std::string_view value, std::string_view pattern)
{
    if (pattern == "*") {
        return true;
    }
    return pattern == "1*" || pattern == "0*" ? isListOf(value, pattern.substr(0, 1)) : value == pattern;
}

} // namespace

CategoryTable::CategoryTable(std::span<const CategoryRow> rows)
{
    for (const CategoryRow& row : rows) {
        for (std::size_t at = 0; at < row.operators.size();) {
            const auto end = std::min(row.operators.find(' ', at), row.operators.size());
            m_categories.emplace(row.operators.substr(at, end - at), row.category);
            at = end + 1;
        }
    }
}

std::optional<OperatorCategory> CategoryTable::find(std::string_view op) const
{
    const auto found = m_categories.find(op);
    return found != m_categories.end() ? std::optional(found->second) : std::nullopt;
}

DefaultTable::DefaultTable(std::span<const DefaultRow> rows)
{
    for (const DefaultRow& row : rows) {
        m_rows[row.attribute].push_back(row);
    }
}

bool DefaultTable::contains(std::string_view op, std::string_view attribute, std::string_view value) const
{
    const auto rows = m_rows.find(attribute);
    return rows != m_rows.end() && std::ranges::any_of(rows->second, [&](const DefaultRow& row) {
               return (row.op.empty() || row.op == op) && matches(value, row.value);
           });
}

bool isListOf(std::string_view text, std::string_view item)
{
    const auto parts = listParts(text);
    return !parts.empty() && std::ranges::all_of(parts, [&](auto part) { return part == item; });
}

} // namespace crosswalk
