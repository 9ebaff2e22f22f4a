#pragma once

#include "core/base/diagnostic.h"
#include "core/rewrite/axis_tracker.h"
#include "core/rewrite/shape_nodes.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace crosswalk {

/// The environment of a function that patches or checks a node. Problems are reported at that node.
struct PatchContext {
    const ::onnx::ModelProto& original;
    const MultiShapeInference& sized;
    const AxisTracker& tracker;
    ShapeNodes& nodes;
    const std::unordered_set<std::string>& constants; ///< values that do not depend on an input
    std::function<const Tensor*(const std::string&)> stored;
    std::function<void(Severity, Code, std::string message, std::string hint)> report;

    void note(std::string message) const { report(Severity::Note, "mended-size", std::move(message), {}); }
    void reportError(std::string message, std::string hint = {}) const
    {
        report(Severity::Error, "baked-size", std::move(message), std::move(hint));
    }
};

/// Whether the operator broadcasts its inputs.
bool isBroadcasting(std::string_view op);

/// The axis along which a Scan reads an input, as its attribute has it; nothing for an initial state.
std::optional<std::int64_t> scannedAxis(const ::onnx::NodeProto& scan, int input);

/// Replaces hard-coded dimensions of a node by dimensions of its inputs.
void patchShapes(::onnx::NodeProto& node, const PatchContext& context);

/// Expands constants of a node to the size of its other inputs, if their content repeats along the axis. Returns
/// whether the node has changed.
bool resizeConstants(::onnx::NodeProto& node, const PatchContext& context);

/// Reports nodes that would silently compute a different result at another batch size: those that select samples by
/// index (error), and those that combine samples (warning).
void checkBatchIndependence(const ::onnx::NodeProto& node, const PatchContext& context);

/// The same for the nodes of the node's bodies, whose values are inferred and followed for it. Of a Loop, these are the
/// sizes of the first iteration.
void checkBodies(const ::onnx::NodeProto& node, const PatchContext& context, MultiShapeInference& sized,
                 AxisTracker& tracker);

} // namespace crosswalk
