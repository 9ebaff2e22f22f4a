#pragma once

#include "tests/support/text_graph.h"

#include "core/graph/tensor.h"

#include <span>
#include <vector>

namespace crosswalk::test {

/// Converts a graph, runs the export with ONNX Runtime and returns its outputs. `inputs` are in the order of the
/// graph's inputs. Throws ModelError if the conversion has an error, or if the runtime rejects the export.
std::vector<Tensor> computed(const Graph& graph, std::span<const Tensor> inputs, const ConvertOptions& options = {});

/// A float32 tensor.
Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values);

} // namespace crosswalk::test
