#include "core/layout/scopes.h"

namespace crosswalk {

std::vector<std::string_view> scopesOf(std::string_view name)
{
    std::vector<std::string_view> scopes;
    const bool hasSlashes = name.find('/') != std::string_view::npos;
    const char separator = hasSlashes ? '/' : '_';
    std::size_t start = 0;
    for (std::size_t at = name.find(separator); at != std::string_view::npos; at = name.find(separator, at + 1)) {
        const auto part = name.substr(start, at - start);
        // In names with underscores, only numbered parts are scopes (stage1_unit2_...): elsewhere the underscore is
        // part of a word.
        const bool isNumbered = !part.empty() && part.back() >= '0' && part.back() <= '9';
        if (hasSlashes || isNumbered) {
            if (!part.empty()) {
                scopes.push_back(part);
            }
            start = at + 1;
        }
    }
    return scopes;
}

} // namespace crosswalk
