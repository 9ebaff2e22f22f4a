#pragma once

#include "core/base/diagnostic.h"
#include "core/formats/read_model.h"
#include "crosswalk/result.h"

#include <cstdlib>

namespace crosswalk::fuzz {

/// Uses a model as all programs do: iterates over all values and reads the smaller weights. Any problem is allowed
/// except an internal error: also weights whose checksum is wrong, which is found when they are read.
inline void useModel(const Result<LoadedModel>& model)
{
    if (!model) {
        if (model.problem().code == Code("internal")) {
            std::abort();
        }
        return;
    }
    constexpr std::int64_t readable = 1 << 20;
    const Graph& graph = *model.value().graph;
    const NodeNames names(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        names.find(names.of(NodeId{i}));
        for (const ValueId input : graph.node(NodeId{i}).inputs) {
            const Tensor* tensor = input ? graph.tensorOf(input) : nullptr;
            if (tensor != nullptr && tensor->elements() <= readable) {
                try {
                    tensor->stream([](std::span<const std::byte>) { return true; });
                } catch (const ModelError&) {
                    return;
                }
            }
        }
    }
    for (const ValueId output : graph.outputs) {
        graph.value(output);
    }
}

} // namespace crosswalk::fuzz
