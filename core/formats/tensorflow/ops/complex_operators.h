#pragma once

#include "core/convert/node_context.h"

#include <optional>

/// Complex numbers, which are pairs (real, imaginary) on a last axis of two.
namespace crosswalk::tensorflow {

/// Translates an operator that takes real numbers as well, on complex ones; nothing if it has no such form.
std::optional<OnnxValues> translateComplex(NodeContext& ctx);

/// Refuses a complex graph output: only operators that accept pairs may read a complex value, and the caller does not
/// expect pairs.
void expectInner(const NodeContext& ctx);

} // namespace crosswalk::tensorflow
