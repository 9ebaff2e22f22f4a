#pragma once

#include "core/formats/tensorflow/attr_value.h"
#include "core/formats/tensorflow/op_defs.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk::tensorflow {

// The messages of graph.proto, node_def.proto and function.proto as stored in a file. Text refers to the file.

struct NodeDef {
    std::string_view name;
    std::string_view op;
    std::string_view device;
    /// `name` or `name:k` in a graph, `name:output:k` or an argument's name in a function; `^name` is a control edge.
    std::vector<std::string_view> inputs;
    std::vector<NamedAttr> attrs; ///< sorted by name
    std::size_t begin = 0;        ///< where the message starts in the file
};

/// An entry of a map<string, string>.
struct NamePair {
    std::string_view key;
    std::string_view value;
};

/// A function of the library. The arguments of its signature have number or type attributes only in polymorphic
/// functions, which only TensorFlow 1 wrote.
struct FunctionDef {
    OpDef signature;
    std::vector<NodeDef> nodes;
    std::vector<NamePair> results;        ///< an output argument's name, the value that it returns
    std::vector<NamePair> controlResults; ///< a name, the node that runs whenever the function is called
    std::vector<NamedAttr> attrs;
    /// Attributes of arguments, by their index: `_output_shapes`, `_user_specified_name`.
    std::vector<std::pair<std::size_t, std::vector<NamedAttr>>> argAttrs;
    std::size_t begin = 0;
};

struct GraphDef {
    std::vector<NodeDef> nodes;
    std::vector<FunctionDef> functions;
    std::int64_t producer = 0; ///< version of the writer's graph format; 0 if the file has none
};

/// Reads file[begin, end) as a GraphDef. Throws ModelError "damaged" or "truncated", with the node's name if known.
/// Calls `checkStop` for every node, which throws to stop reading (ModelSource::checkStop).
GraphDef parseGraphDef(
    std::span<const std::byte> file, std::size_t begin, std::size_t end,
    const std::function<void()>& checkStop = [] {});

} // namespace crosswalk::tensorflow
