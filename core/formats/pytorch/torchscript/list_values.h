#pragma once

#include "core/formats/pytorch/torchscript/script_value.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace crosswalk::pytorch {

class Interpreter;

constexpr std::size_t mostItems = 1U << 20U; ///< of a list, and characters of a text

/// Null for anything but a constant integer.
const std::int64_t* constantIn(const ScriptValue& value);

/// An index of a list, counted from the start.
/// @throws UnsupportedScript for an index outside
std::size_t indexIn(std::int64_t index, std::size_t size);

/// A list, a tuple, a computed list or the sizes or parts of a tensor.
bool isSequence(const ScriptValue& value);

/// The position of an entry of a dictionary; nothing if it has no such key.
/// @throws UnsupportedScript for a computed key
std::optional<std::size_t> positionOf(const DictCell& cell, const ScriptValue& key);

/// Null for a value that is not a dictionary, or has no such key.
ScriptValue* entryOf(Interpreter& script, const ScriptValue& dictionary, const ScriptValue& key);

} // namespace crosswalk::pytorch
