#pragma once

#include "core/convert/framework.h"

#include <stop_token>

namespace crosswalk {

/// Translates a lowered graph node by node, including bodies, and describes the result in terms of the source:
/// verdicts, problems, provenance and types refer to the source's nodes and values. A node without an ONNX form becomes
/// a gap and a problem. Throws ModelError "cancelled", "unknown-input" or "unknown-node".
Conversion translate(const LoweredGraph& lowered, const Graph& source, const ConvertOptions& options,
                     const Framework& framework, std::stop_token stop);

} // namespace crosswalk
