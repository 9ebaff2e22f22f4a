#pragma once

#include <optional>
#include <string>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// Why no runtime can load a model that onnx's checker accepts: a call that does not fit its function, a function that
/// does not compute an output, a Scan whose attributes do not fit its inputs. Nothing for any other model.
std::optional<std::string> structureError(const ::onnx::ModelProto& model);

} // namespace crosswalk
