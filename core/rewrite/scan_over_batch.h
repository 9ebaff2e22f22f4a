#pragma once

#include "core/base/diagnostic.h"
#include "core/onnx/model.h"

#include <map>
#include <string>
#include <vector>

namespace crosswalk {

/// The axis along which the samples of an input lie, by input.
using BatchAxes = std::map<std::string, std::size_t>;

struct BatchScan {
    std::vector<Diagnostic> problems; ///< "kept-input" notes, "varying-size" warnings, "each-sample" errors
    /// Inputs and outputs whose types have changed: the new ones.
    std::map<std::string, TensorType> ports = {};
    bool isChanged = false;
};

/// Makes of a model of one sample (length 1 along each of `axes`) one that computes any number of them, called `batch`:
/// its nodes become the body of a Scan, which is all that is left of the graph, and which runs them on one sample after
/// another. That is what the model computes by definition, whatever sizes it has baked in. Inputs that are not in
/// `axes` are the same for all samples. What each sample gives lies along the axis of its output that has length 1
/// (that of the first input in `axes`, else the first), or along a new first one. Where an error is told, nothing is
/// changed.
BatchScan scanOverBatch(OnnxModel& model, const BatchAxes& axes, const std::string& batch);

/// Whether all of the model is a Scan without states: no node of it can see two samples of what it scans.
bool isScanOverBatch(const OnnxModel& model);

} // namespace crosswalk
