#pragma once

#include "core/verify/verify.h"

#include <map>

namespace crosswalk {

/// Inner values of a model against recorded ones.
struct InnerReport {
    std::string runtimeVersion;
    std::vector<Comparison> values;  ///< in the model's order: the first that is not equal is where it diverges
    std::vector<std::string> absent; ///< recorded, but the model has no value of the name (folded away)
    bool equal() const;
};

/// Whether inner tensors are recorded (inner/*.pb in a data set).
bool hasInner(const std::filesystem::path& data);

/// Runs an ONNX file with every value that DIR/inner/*.pb records made an output, and compares. The export keeps the
/// source's names for its values, so a recorded tensor finds its value by name; `names` says, by recorded name, which
/// value of the file stands for it where that is another. `data` as for verify(); problems likewise, and "unreadable"
/// where no inner tensors are recorded.
Result<InnerReport> verifyInner(const std::filesystem::path& model, const std::filesystem::path& data,
                                const Tolerance& tolerance = {}, std::stop_token stop = {},
                                const std::map<std::string, std::string>& names = {});

} // namespace crosswalk
