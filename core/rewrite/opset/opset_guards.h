#pragma once

#include "core/onnx/proto.h"

#include <optional>
#include <string>

namespace crosswalk {

/// A node that onnx's version converter would turn into another function without a word.
struct OpsetFault {
    const ::onnx::NodeProto* node = nullptr;
    std::string why;
};

/// The first such node on the way from one opset to another, those of bodies included. `whole` is a model of opset
/// `from`.
std::optional<OpsetFault> findOpsetFault(const ::onnx::ModelProto& whole, int from, int to);

/// Whether it has a form of its own below the opset that it came with (downgrade_forms.h), in bodies too.
bool hasOlderForm(const ::onnx::NodeProto& node);

/// Puts right what the converter leaves wrong on that way. `graph` is what it has made.
void repairAfterOpsetChange(::onnx::GraphProto& graph, int from, int to);

} // namespace crosswalk
