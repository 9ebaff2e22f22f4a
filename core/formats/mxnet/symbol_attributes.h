#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/formats/mxnet/symbol_json.h"

namespace crosswalk::mxnet {

/// What the reader itself has to know of attributes. Translators have their own, strict accessors; here a value that
/// cannot be understood is one that says nothing.
using SymbolAttributes = std::span<const SymbolAttribute>;

std::optional<std::string_view> findAttribute(SymbolAttributes attributes, std::string_view key);
bool flag(SymbolAttributes attributes, std::string_view key, bool fallback);
std::optional<std::int64_t> integer(SymbolAttributes attributes, std::string_view key);
/// "(3, 3)", "[3, 3]", "(3L,)", "3"; nothing where a part is no integer.
std::optional<std::vector<std::int64_t>> integers(std::string_view text);
std::optional<std::vector<std::int64_t>> integers(SymbolAttributes attributes, std::string_view key);

/// A key that is no parameter of an operator: `__shape__` and the like, and what stood for them before 0.9.
bool isHiddenKey(std::string_view key);

} // namespace crosswalk::mxnet
