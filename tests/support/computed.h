#pragma once

#include "tests/support/text_graph.h"

#include "core/graph/tensor.h"

#include <span>
#include <vector>

namespace crosswalk::test {

/// What the export of a graph computes in ONNX Runtime: its outputs for `inputs`, which stand for the graph's inputs in
/// order. Throws ModelError where the graph does not convert without an error, or the runtime refuses the export.
std::vector<Tensor> computed(const Graph& graph, std::span<const Tensor> inputs, const ConvertOptions& options = {});

/// float32 elements.
Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values);

} // namespace crosswalk::test
