#pragma once

#include "core/formats/tensorflow/graph_def.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// The outputs of a node in order, as its operator defines them.
struct NodeOutputs {
    struct Argument {
        std::string_view name;
        std::uint32_t first = 0; ///< index of the argument's first output
        std::uint32_t count = 0;
    };
    std::vector<Argument> arguments;
    std::vector<DataType> types; ///< one for each output; Invalid if the node leaves it open

    /// Index of the output `name:index` of a function's body; nothing if there is none.
    std::optional<std::uint32_t> find(std::string_view name, std::uint32_t index) const;
};

/// Throws ModelError "damaged" for an impossible number of outputs.
NodeOutputs outputsOf(const NodeDef& node, const OpDef& op);

} // namespace crosswalk::tensorflow
