#pragma once

#include "core/convert/framework.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <span>

namespace crosswalk::mxnet {

/// One operator of MXNet, by its canonical name (see aliases.h), and how it is said in ONNX.
struct OpRow {
    std::string_view name;
    OnnxValues (*translate)(NodeContext& ctx);
    std::string_view form; ///< the ONNX operators it becomes, for `crosswalk ops`
    Support support = Support::Exact;
    std::string_view note = {};
};

/// Null for an operator that is in no family.
const OpRow* findOperator(std::string_view name);
std::vector<SupportedOperator> supportedOperators();

} // namespace crosswalk::mxnet
