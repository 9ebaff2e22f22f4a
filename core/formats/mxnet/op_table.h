#pragma once

#include "core/convert/framework.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// One operator of MXNet, by its canonical name (see aliases.h), and its translation to ONNX.
struct OpRow {
    std::string_view name;
    OnnxValues (*translate)(NodeContext& ctx);
    std::string_view form; ///< the ONNX operators of its translation, for `crosswalk ops`
    Support support = Support::Exact;
    std::string_view note = {};
};

/// Null for an operator without a family.
const OpRow* findOperator(std::string_view name);
std::vector<SupportedOperator> supportedOperators();

} // namespace crosswalk::mxnet
