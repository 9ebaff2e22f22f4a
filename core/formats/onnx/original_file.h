#pragma once

#include "core/base/model_source.h"
#include "core/graph/graph.h"
#include "core/onnx/file_parts.h"

#include <memory>
#include <utility>

namespace crosswalk {

/// What Graph::original is for an ONNX file. The protos of a large graph take more memory than everything else: they
/// are recreated on demand.
struct OriginalFile {
    OriginalFile(std::shared_ptr<const ModelSource> model, FileIndex parts, bool hasOrder)
        : source(std::move(model))
        , index(std::move(parts))
        , isSorted(hasOrder)
    {
    }
    std::shared_ptr<const ModelSource> source;
    FileIndex index;
    bool isSorted; ///< its nodes are in the graph's order
};

inline std::shared_ptr<const OriginalFile> originalFileOf(const Graph& graph)
{
    return std::static_pointer_cast<const OriginalFile>(graph.original);
}

} // namespace crosswalk
