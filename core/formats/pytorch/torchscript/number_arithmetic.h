#pragma once

#include "core/formats/pytorch/torchscript/script_value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace crosswalk::pytorch {

/// An operator on numbers of Python.
struct NumberOperator {
    /// What it returns: the common kind of its operands, or always the same.
    enum class Result : std::uint8_t { Common, Float, Bool, Int };
    std::string_view op; ///< "aten::add"
    std::size_t operands = 2;
    Result result = Result::Common;
};

std::span<const NumberOperator> numberOperators();
/// Null for an operator that is not one on numbers.
const NumberOperator* findNumberOperator(std::string_view op);
/// The kind in which numbers are computed: float if one is, int if one is, otherwise bool.
NumberKind commonKind(std::span<const ScriptValue> operands);
/// The result for constants, as Python computes it; integers wrap around as int64. Throws UnsupportedScript for a
/// division by zero and what has no integer result.
ScriptValue evaluateNumbers(const NumberOperator& row, std::span<const ScriptValue> operands);

} // namespace crosswalk::pytorch
