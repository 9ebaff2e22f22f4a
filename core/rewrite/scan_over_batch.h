#pragma once

#include "core/base/diagnostic.h"
#include "core/onnx/onnx_model.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace crosswalk {

/// The batch axis of each input.
using BatchAxes = std::map<std::string, std::size_t>;

struct BatchScan {
    std::vector<Diagnostic> problems; ///< "kept-input" notes, "varying-size" warnings, "each-sample" errors
    /// New types of the inputs and outputs whose types have changed.
    std::map<std::string, TensorType> ports = {};
    bool isChanged = false;
};

/// Converts a model of one sample (length 1 along each of `axes`) into one with the symbolic batch dimension `batch`.
/// The nodes become the body of a Scan, the only node of the graph, which runs the body on each sample. This is correct
/// by construction, whatever sizes are hard-coded in the model. Inputs that are not in `axes` are shared by all
/// samples. The batch axis of an output is its axis of length 1 (the axis of the first input in `axes` if that has
/// length 1, otherwise the first such axis), or a new first axis. After an error the model is unchanged.
BatchScan scanOverBatch(OnnxModel& model, const BatchAxes& axes, const std::string& batch);

/// Whether the model is a single Scan without states, so that none of its nodes can combine samples of the scanned
/// inputs.
bool isScanOverBatch(const OnnxModel& model);

} // namespace crosswalk
