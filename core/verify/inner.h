#pragma once

#include "core/verify/verify.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// Comparison of intermediate values of a model with recorded ones.
struct InnerReport {
    std::string runtimeVersion;
    std::vector<Comparison> values;  ///< in the model's order: the model diverges at the first that is not equal
    std::vector<std::string> absent; ///< recorded values that the model does not have, or in another type
    bool equal() const;
};

/// Whether inner tensors are recorded (inner/*.pb in a data set).
bool hasInner(const std::filesystem::path& data);

/// Runs an ONNX file with an additional output for each tensor in DIR/inner/*.pb and compares them. Tensors are matched
/// by name, because an export keeps the names of the source's values; `names` maps recorded names to names in the file
/// where they differ. `data` and problem codes as for verify(), and "unreadable" if no inner tensors are recorded.
Result<InnerReport> verifyInner(const std::filesystem::path& model, const std::filesystem::path& data,
                                const Tolerance& tolerance = {}, std::stop_token stop = {},
                                const std::map<std::string, std::string>& names = {}, const RuntimeLimits& limits = {});

} // namespace crosswalk
