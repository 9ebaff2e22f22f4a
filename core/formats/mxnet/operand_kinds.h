#pragma once

#include "core/formats/mxnet/attribute_lookup.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// The kind of one of an operator's inputs.
enum class OperandKind : std::uint8_t {
    Data,
    Parameter, ///< a weight
    Auxiliary, ///< a weight that training updates without a gradient
    Label,     ///< read in training only
};

struct Operand {
    std::string_view name;
    OperandKind kind = OperandKind::Data;
};

/// The inputs of an operator (canonical name) with these attributes, in order. Empty for an operator that accepts any
/// number of data inputs and nothing else.
std::vector<Operand> inputOperands(std::string_view op, AttributeSpan attributes);

/// An operator that only moves or renames its input: its result is a weight if its input is one.
bool passesWeightsOn(std::string_view op);

} // namespace crosswalk::mxnet
