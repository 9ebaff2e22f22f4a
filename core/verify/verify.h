#pragma once

#include "core/base/result.h"
#include "core/graph/tensor.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

struct Tolerance {
    double relative = 1e-3;
    double absolute = 1e-4;
};

/// One output compared with its recorded tensor.
struct Comparison {
    std::string name;
    bool equal = false;
    std::string why; ///< "shape 2x3, recorded 3x2", "type ...", "17 of 320 values"; empty if equal
    double maxAbsolute = 0;
    double maxRelative = 0;
    std::vector<std::int64_t> where; ///< index of the largest absolute difference; for strings, of the first difference
    double got = 0;
    double wanted = 0;
    std::int64_t differing = 0;
    std::int64_t elements = 0;
    bool isText = false; ///< for strings: maxAbsolute, maxRelative, got and wanted are 0
};

struct VerifyReport {
    std::string runtimeVersion;
    std::size_t dataSets = 0;
    std::vector<Comparison> outputs; ///< of all data sets, in the model's order
    bool equal() const;
};

/// Runs an ONNX file with ONNX Runtime on recorded tensors and compares the outputs. `data` contains input_<i>.pb and
/// output_<i>.pb (ONNX TensorProto), or folders test_data_set_<k> with them. Tensors are paired by name, otherwise by
/// position. Recorded labels that the model does not have are ignored. Types, integers, booleans and strings must be
/// equal. A model output without a recorded tensor is a difference, and so is a recorded tensor without an output. If
/// folders alt_*/ beside the data set contain other correct outputs, one match is enough. Problem codes: "no-runtime"
/// (exit status 6), "unreadable" and "damaged" (recorded tensors), "missing-input", "runtime", "cancelled".
Result<VerifyReport> verify(const std::filesystem::path& model, const std::filesystem::path& data,
                            const Tolerance& tolerance = {}, std::stop_token stop = {});

} // namespace crosswalk
