#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/node_context.h"
#include "core/formats/pytorch/program_state.h"
#include "core/graph/graph.h"
#include "crosswalk/options.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::pytorch {

/// Reports sizes given by the user for which the program was not exported: what it decided by the size stays decided.
/// Another number of axes is an error, as it is in PyTorch: the operators of the program name their axes from the
/// front.
void checkSizes(const Graph& source, const ProgramState& state, const ConvertOptions& options,
                std::vector<Diagnostic>& problems);

/// The sizes that have names in the program, for the shapes that the inputs are converted with. `source` is an exported
/// program for which checkSizes() reports nothing. Nothing if one name would have two sizes.
std::optional<std::map<std::string, Dim, std::less<>>> namedSizes(const Graph& source, const ConvertOptions& options);

/// Adds to the inferred shapes of a node's results the sizes that the exported program records for them. torch.export
/// derives sizes that the inference of ONNX cannot, such as those of views and of slices that end at a computed place.
/// The inferred shape stays where the two disagree.
void refineSizes(const NodeContext& ctx, const OnnxValues& results);

} // namespace crosswalk::pytorch
