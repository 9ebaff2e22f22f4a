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
    std::string why; ///< empty when equal: "shape 2x3, recorded 3x2", "type ...", "17 of 320 values"
    double maxAbsolute = 0;
    double maxRelative = 0;
    std::vector<std::int64_t> where; ///< position of the largest absolute difference; of the first among strings
    double got = 0;
    double wanted = 0;
    std::int64_t differing = 0;
    std::int64_t elements = 0;
    bool isText = false; ///< strings: maxAbsolute, maxRelative, got and wanted are 0
};

struct VerifyReport {
    std::string runtimeVersion;
    std::size_t dataSets = 0;
    std::vector<Comparison> outputs; ///< of all data sets, in the model's order
    bool equal() const;
};

/// Runs an ONNX file with ONNX Runtime on recorded tensors and compares. `data` holds input_<i>.pb and output_<i>.pb
/// (ONNX TensorProto), or folders test_data_set_<k> that do. Tensors are paired by name, else by position;
/// recorded labels that the model has not are dropped; types must be equal; integers, booleans and strings exactly.
/// A model output that has no record differs, and so does a record that has no output; where alt_*/ beside the data set
/// hold further right outputs, one of them is enough. Problem codes: "no-runtime" (exit status 6), "unreadable" and
/// "damaged" (the recorded tensors), "missing-input" (none recorded), "runtime" (what ONNX Runtime says), "cancelled".
Result<VerifyReport> verify(const std::filesystem::path& model, const std::filesystem::path& data,
                            const Tolerance& tolerance = {}, std::stop_token stop = {});

} // namespace crosswalk
