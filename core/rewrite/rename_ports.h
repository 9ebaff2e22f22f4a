#pragma once

#include "core/onnx/model.h"

#include <map>
#include <string>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// New names by old ones.
using Renames = std::map<std::string, std::string, std::less<>>;

/// Gives inputs and outputs of a model other names, all at once (so two may change places), wherever they are read.
/// Throws ModelError "unknown-value" for a name that is no input or output, and "taken-name" for a new one that is
/// another value's.
void renamePorts(OnnxModel& model, const Renames& renames);

/// Gives values of a graph other names, in its bodies too. The new names must be free.
void renameValues(::onnx::GraphProto& graph, const Renames& renames);

} // namespace crosswalk
