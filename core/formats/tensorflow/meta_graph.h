#pragma once

#include "core/formats/tensorflow/graph_def.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

// The messages of meta_graph.proto, saver.proto and saved_model.proto that inference needs. Text refers to the file.

struct SignatureDef {
    struct Port {
        std::string_view key;
        std::string_view tensor; ///< `node:k`; empty if the value is not a single tensor (sparse, composite)
        std::optional<ShapeProto> shape;
    };
    std::string_view name;
    std::string_view method;
    std::vector<Port> inputs;  ///< sorted by key
    std::vector<Port> outputs; ///< sorted by key
};

struct CollectionDef {
    std::string_view name;
    std::vector<std::string_view> nodes; ///< names of nodes or tensors, if the collection lists them
    std::vector<std::string_view> bytes; ///< serialized messages or text
};

struct SaverDef {
    std::string_view filenameTensor;
    std::string_view restoreOp;
};

struct AssetFileDef {
    std::string_view tensor;   ///< `node:k`, which holds the path when the model runs; empty if the file has none
    std::string_view filename; ///< in the folder `assets`
};

struct MetaGraphDef {
    std::vector<std::string_view> tags;
    std::string_view version; ///< of TensorFlow
    GraphDef graph;
    SaverDef saver;
    std::vector<SignatureDef> signatures;   ///< sorted by name
    std::vector<CollectionDef> collections; ///< sorted by name
    std::vector<AssetFileDef> assets;
    std::vector<std::string> otherTags; ///< of the other graphs of a SavedModel, joined by commas
    bool isObjectBased = false;         ///< of TensorFlow 2: a graph of objects, functions and their signatures
};

/// Reads file[begin, end). Throws like parseGraphDef().
MetaGraphDef parseMetaGraph(
    std::span<const std::byte> file, std::size_t begin, std::size_t end,
    const std::function<void()>& checkStop = [] {});

/// The graph of a SavedModel with exactly these tags; without tags the one for serving: of those tagged `serve` the one
/// with the fewest tags, else the first one. Also throws "damaged" if the file has no graph, and "unknown-tags".
MetaGraphDef parseSavedModel(
    std::span<const std::byte> file, std::span<const std::string> tags, const std::function<void()>& checkStop = [] {});

} // namespace crosswalk::tensorflow
