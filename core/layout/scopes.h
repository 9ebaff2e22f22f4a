#pragma once

#include <string_view>
#include <vector>

namespace crosswalk {

/// The scopes in a name, outermost first: "/encoder/layer.0/MatMul" or "stage1_unit2_conv".
std::vector<std::string_view> scopesOf(std::string_view name);

/// The part of a name after its scopes.
std::string_view withoutScopes(std::string_view name);

} // namespace crosswalk
