#pragma once

#include "core/onnx/onnx_model.h"

#include <functional>
#include <map>
#include <string>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// New names by old ones.
using Renames = std::map<std::string, std::string, std::less<>>;

/// Renames inputs and outputs of a model, and all references to them. All renames are applied at once, so two names can
/// be swapped. Throws ModelError "unknown-value" for a name that is not an input or output, and "taken-name" for a new
/// name that another value already has.
void renamePorts(OnnxModel& model, const Renames& renames);

/// Renames values of a graph and of its bodies. The new names must be unused.
void renameValues(::onnx::GraphProto& graph, const Renames& renames);

} // namespace crosswalk
