#pragma once

#include "core/formats/format_reader.h"
#include "core/formats/onnx_graph.h"
#include "core/onnx/onnx_model.h"

#include <cstddef>
#include <span>

namespace crosswalk {

/// The neutral graph of an ONNX model. Nodes keep their order if it is topological (so node i is the proto's node i),
/// else they are sorted. Throws ModelError "damaged", with node and value, for a value with two producers or none, and
/// for a cycle.
Graph graphOf(const OnnxModel& model);
/// The same of a file, which Graph::original keeps.
Graph graphOfFile(const ModelSource& source);

/// ONNX: one file, or one with external data beside it.
Match matchOnnx(const Probe& probe);
LoadedModel readOnnx(const ReadRequest& request, const ModelSource& source);

/// Whether a file with this beginning can be an ONNX model: every field is one of ONNX's ModelProto. `head` may end
/// anywhere.
bool looksLikeOnnx(std::span<const std::byte> head);

} // namespace crosswalk
