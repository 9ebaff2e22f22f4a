#pragma once

#include "core/base/diagnostic.h"
#include "core/rewrite/axis_tracker.h"
#include "core/rewrite/shape_nodes.h"

#include <functional>

namespace crosswalk {

/// What a mender may know and do. Problems are told of the node at hand.
struct PatchContext {
    const ::onnx::ModelProto& whole;
    const MultiShapeInference& sized;
    const AxisTracker& tracker;
    ShapeNodes& nodes;
    const std::unordered_set<std::string>& constants; ///< values that follow from no input
    std::function<const Tensor*(const std::string&)> stored;
    std::function<void(Severity, Code, std::string message, std::string hint)> tell;

    void note(std::string message) const { tell(Severity::Note, "mended-size", std::move(message), {}); }
    void refuse(std::string message, std::string hint = {}) const
    {
        tell(Severity::Error, "baked-size", std::move(message), std::move(hint));
    }
};

/// Whether the inputs of an operator are brought to one shape.
bool isBroadcasting(std::string_view op);

/// Puts sizes in the place of the literals with which a node says what its inputs say too.
void patchShapes(::onnx::NodeProto& node, const PatchContext& context);

/// Stretches constants of a node to the sizes of its other inputs, where that repeats what they are. False where
/// nothing was to be done.
bool resizeConstants(::onnx::NodeProto& node, const PatchContext& context);

/// Tells of what computes something else at another size without a word: samples picked by number (an error), samples
/// taken together (a warning).
void checkBatchIndependence(const ::onnx::NodeProto& node, const PatchContext& context);

} // namespace crosswalk
