#pragma once

#include "core/convert/framework.h"
#include "core/formats/keras/ops/layer.h"

#include <string_view>
#include <vector>

namespace crosswalk::keras {

/// A class of layers or an operation, and its translation into ONNX.
struct OpRow {
    std::string_view name;
    OnnxValues (*translate)(const Layer& layer);
    std::string_view form; ///< the ONNX operators of its translation, for `crosswalk ops`
    Support support = Support::Exact;
    std::string_view note = {};
};

/// Null for a class without a family.
const OpRow* findOperator(std::string_view name);
/// Translates by the row of the layer's class. Throws ModelError "unsupported-operator" if there is none.
OnnxValues translateLayer(const Layer& layer);
std::vector<SupportedOperator> supportedOperators();

} // namespace crosswalk::keras
