#pragma once

#include "core/onnx/proto.h"

#include <optional>
#include <string>

namespace crosswalk {

/// A node that onnx's version converter would silently convert to something else.
struct OpsetProblem {
    const ::onnx::NodeProto* node = nullptr;
    std::string why;
};

/// The first such node for a conversion between two opsets, including nodes of bodies. `model` has opset `from`.
std::optional<OpsetProblem> findOpsetProblem(const ::onnx::ModelProto& model, int from, int to);

/// Whether downgrade_forms.h has an equivalent form of the operator for older opsets, also in bodies.
bool hasOlderForm(const ::onnx::NodeProto& node);

/// Corrects errors of the converter in `graph`, its result.
void repairAfterOpsetChange(::onnx::GraphProto& graph, int from, int to);

} // namespace crosswalk
