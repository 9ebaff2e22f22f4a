#pragma once

#include "core/convert/framework.h"
#include "core/formats/tensorflow/tensorflow_forms.h"

#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// One operator of TensorFlow and its translation into ONNX.
struct OpRow {
    std::string_view name;
    OnnxValues (*translate)(NodeContext& ctx);
    std::string_view form; ///< the ONNX operators of its translation, for `crosswalk ops`
    std::string_view note = {};
    Support support = Support::Exact;
    bool takesComplex = false; ///< complex numbers are pairs on a last axis of two, which other operators must not read
};

/// Null for an operator without a family.
const OpRow* findOperator(std::string_view name);
/// Translates by the operator's row. Throws ModelError "unsupported-operator" if there is none, and
/// "unsupported-attribute" for complex numbers that the operator does not accept.
OnnxValues translateNode(NodeContext& ctx);
std::vector<SupportedOperator> supportedOperators();

} // namespace crosswalk::tensorflow
