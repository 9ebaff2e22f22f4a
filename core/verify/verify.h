#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/tensor.h"
#include "core/verify/runtime.h"
#include "crosswalk/reports.h"
#include "crosswalk/result.h"

#include <filesystem>
#include <stop_token>

namespace crosswalk {

/// Runs an ONNX file with ONNX Runtime on recorded tensors and compares the outputs. `data` contains input_<i>.pb and
/// output_<i>.pb (ONNX TensorProto), or folders test_data_set_<k> with them. Tensors are paired by name, otherwise by
/// position. Recorded labels that the model does not have are ignored. Types, integers, booleans and strings must be
/// equal. A model output without a recorded tensor is a difference, and so is a recorded tensor without an output. If
/// folders alt_*/ beside the data set contain other correct outputs, one match is enough. Problem codes: "no-runtime"
/// (exit status 6), "unreadable" and "damaged" (recorded tensors), "missing-input", "runtime", "cancelled", and those
/// of Runtime::start(): the model runs in a separate process.
Result<VerifyReport> verify(const std::filesystem::path& model, const std::filesystem::path& data,
                            const Tolerance& tolerance = {}, std::stop_token stop = {},
                            const RuntimeLimits& limits = {});

} // namespace crosswalk
