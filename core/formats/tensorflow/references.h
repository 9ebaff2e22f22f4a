#pragma once

#include "core/formats/tensorflow/node_outputs.h"
#include "core/formats/tensorflow/scope_builder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk::tensorflow {

/// The target of a node's input.
struct Reference {
    enum class Kind : std::uint8_t { Output, Argument, Control };
    Kind kind = Kind::Output;
    std::uint32_t index = 0;  ///< of the node, or of the function's argument
    std::uint32_t output = 0; ///< of the node, or of an argument that consists of several tensors
};

/// The names of a scope and what they refer to. A node of an unknown operator gets the outputs that others read, but at
/// least one.
class References {
public:
    /// Throws ModelError "damaged" if two nodes have the same name, and for impossible numbers of outputs.
    explicit References(const Scope& scope);

    /// The target of `text`; nothing for a control edge from an argument, which has no effect. `reader`: the node with
    /// this input. Throws ModelError "damaged".
    std::optional<Reference> resolve(std::string_view text, std::string_view reader) const;

    const std::vector<NodeOutputs>& outputs() const { return m_outputs; } ///< by node
    std::uint32_t argumentSize(std::size_t argument) const { return m_argumentSizes[argument]; }

private:
    /// The parts of a reference: `name:output:index` of a function, `name:index` of the main graph.
    struct Parts {
        std::string_view name;
        std::string_view output;
        std::uint32_t index = 0;
        bool isControl = false;
    };

    Parts split(std::string_view text) const;
    void indexNames();
    void noteOpenOutputs(std::string_view text);
    void addOutputs();
    void countOutputs(std::size_t outputs); ///< of one node or argument

    const Scope& m_scope;
    std::unordered_map<std::string_view, std::uint32_t> m_nodes;
    std::unordered_map<std::string_view, std::uint32_t> m_arguments;
    std::vector<NodeOutputs> m_outputs;
    std::vector<bool> m_isOpen; ///< whether the node's operator is unknown
    std::vector<std::uint32_t> m_argumentSizes;
};

} // namespace crosswalk::tensorflow
