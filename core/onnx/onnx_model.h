#pragma once

#include "core/graph/tensor.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// An ONNX model without its weights in memory: every initializer of the proto is a stub that has name, type and
/// dimensions (and raw_data where it is small enough for shape inference to look into, see stubLimit); the
/// content of initializer i is weights[i]. Checking and inferring run on the stubs, never on gigabytes.
struct OnnxModel {
    std::shared_ptr<::onnx::ModelProto> proto;
    std::vector<Tensor> weights; ///< parallel to proto->graph().initializer()

    /// Initializers up to this many bytes stand in the proto as well.
    static constexpr std::uint64_t stubLimit = 1024;
};

/// The domain of the nodes that stand for gaps: operators of the source that have no form in ONNX.
inline constexpr std::string_view gapDomain = "crosswalk.gap";

/// onnx's checker over the model's stubs, then its whole-model inference in strict mode. Throws ModelError
/// "invalid-model" with the checker's words: on a model we made, that is a mistake of ours.
void checkModel(const OnnxModel& model);

} // namespace crosswalk
