#pragma once

#include "core/convert/framework.h"
#include "core/convert/node_context.h"

#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

/// One operator of PyTorch, all its overloads, and its translation into ONNX.
struct OpRow {
    std::string_view name; ///< "aten::add"
    OnnxValues (*translate)(NodeContext& ctx);
    std::string_view form; ///< the ONNX operators of its translation, for `crosswalk ops`
    Support support = Support::Exact;
    std::string_view note = {};
};

/// Translates by the operator's row. Throws ModelError "unsupported-operator" if there is none.
OnnxValues translateNode(NodeContext& ctx);
std::vector<SupportedOperator> supportedOperators();

} // namespace crosswalk::pytorch
