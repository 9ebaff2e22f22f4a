#pragma once

#include "core/formats/tensorflow/node_outputs.h"
#include "core/formats/tensorflow/scope_builder.h"

namespace crosswalk::tensorflow {

/// What an input of a node refers to.
struct Reference {
    enum class Kind : std::uint8_t { Output, Argument, Control };
    Kind kind = Kind::Output;
    std::uint32_t index = 0;  ///< of the node, or of the function's argument
    std::uint32_t output = 0; ///< of the node, or of an argument that consists of several tensors
};

/// The names of a scope and what they refer to. A node whose operator no table has gets the outputs that others read,
/// and at least one.
class References {
public:
    /// Throws ModelError "damaged" where two nodes have one name, and for counts of outputs that no file can have.
    explicit References(const Scope& scope);

    /// What `text` refers to; nothing for a control edge from an argument, which has no effect. `reader` names the node
    /// that has it as an input. Throws ModelError "damaged".
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

    const Scope& m_scope;
    std::unordered_map<std::string_view, std::uint32_t> m_nodes;
    std::unordered_map<std::string_view, std::uint32_t> m_arguments;
    std::vector<NodeOutputs> m_outputs;
    std::vector<bool> m_isOpen; ///< whether no table has the node's operator
    std::vector<std::uint32_t> m_argumentSizes;
};

} // namespace crosswalk::tensorflow
