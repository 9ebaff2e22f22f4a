#include "core/layout/scopes.h"

#include <algorithm>

namespace crosswalk {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Appends the scopes of a name without slashes and returns the rest of it. Only numbered parts are scopes
/// (stage1_unit2_...): elsewhere the underscore is part of a word. With `keepsCounters`, a part that is only a number
/// belongs to the part before it (dense_1_2).
std::string_view takeNumbered(std::string_view name, bool keepsCounters, std::vector<std::string_view>& scopes)
{
    std::size_t start = 0;
    for (std::size_t at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
        const auto part = name.substr(start, at - start);
        const auto rest = name.substr(at + 1);
        const bool isCounter = keepsCounters && std::ranges::all_of(rest.substr(0, rest.find('_')), isDigit);
        if (!part.empty() && isDigit(part.back()) && !isCounter) {
            scopes.push_back(part);
            start = at + 1;
        }
    }
    return name.substr(start);
}

std::string_view takeScopes(std::string_view name, std::vector<std::string_view>& scopes)
{
    const std::size_t last = name.rfind('/');
    if (last == std::string_view::npos) {
        return takeNumbered(name, false, scopes);
    }
    for (std::size_t start = 0; start <= last;) {
        const std::size_t end = name.find('/', start);
        const std::string_view rest = takeNumbered(name.substr(start, end - start), true, scopes);
        if (!rest.empty()) {
            scopes.push_back(rest);
        }
        start = end + 1;
    }
    return name.substr(last + 1);
}

} // namespace

std::vector<std::string_view> scopesOf(std::string_view name)
{
    std::vector<std::string_view> scopes;
    takeScopes(name, scopes);
    return scopes;
}

std::string_view withoutScopes(std::string_view name)
{
    std::vector<std::string_view> scopes;
    return takeScopes(name, scopes);
}

} // namespace crosswalk
