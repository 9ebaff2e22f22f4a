#pragma once

#include "core/formats/pytorch/torchscript/script_value.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace crosswalk::pytorch {

/// The model's graph and the bodies in it that are being built. A body takes each value of the graphs around it that it
/// reads as an input.
class GraphStack {
public:
    struct Level {
        Graph graph;
        std::vector<GraphValue> captured; ///< the outer values of the last inputs of the graph
        std::map<std::pair<std::uint32_t, ValueId>, ValueId> inner; ///< the inputs of outer values
    };

    GraphStack();

    std::uint32_t level() const { return static_cast<std::uint32_t>(m_levels.size() - 1); }
    Graph& graph() { return m_levels.back().graph; }
    Graph& model() { return m_levels.front().graph; }
    const Graph& graph(std::uint32_t level) const { return m_levels.at(level).graph; }

    void push() { push(Level()); }
    void push(Level level);
    Level pop();

    /// The value in the innermost graph, which takes it as an input if it is an outer one.
    ValueId at(GraphValue value) { return at(value, level()); }
    /// What the producer of a value negates, if it does.
    std::optional<GraphValue> negatedBy(GraphValue value) const;
    /// The stored tensor that a value, or the number in it, is; null for one that is computed.
    const Tensor* storedTensor(GraphValue value) const;
    /// An input of the innermost graph. Bodies: before any outer value is read.
    GraphValue input(std::string name, ValueType type);
    /// A stored tensor of the innermost graph.
    GraphValue stored(std::string name, Tensor tensor, Role role = Role::Data);
    /// Adds a node to the innermost graph, with outputs that have its name.
    std::vector<GraphValue> add(Node node, std::size_t outputs);
    /// The name with a number at its end if it is in use: "conv_2".
    std::string unique(const std::string& name);

private:
    ValueId at(GraphValue value, std::uint32_t level);

    std::vector<Level> m_levels;
    std::unordered_map<std::string, std::uint32_t> m_names;
};

} // namespace crosswalk::pytorch
