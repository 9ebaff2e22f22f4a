#pragma once

#include "core/graph/graph.h"

namespace crosswalk {

/// Finds the values of a graph that is being built by name. Keeps no names: those of the graph are compared.
class ValueLookup {
public:
    explicit ValueLookup(const Graph& graph)
        : m_graph(graph)
    {
    }

    void reserve(std::size_t values);
    /// False where another value has the name of this one.
    bool add(ValueId id);
    /// No id where no value is named so.
    ValueId find(std::string_view name) const;

private:
    struct Slot {
        std::uint32_t hash = 0;
        ValueId id;
    };
    static std::uint32_t hashOf(std::string_view name);
    std::size_t slotOf(std::string_view name, std::uint32_t hash) const; ///< where it is, or could be put
    void resize(std::size_t slots);

    const Graph& m_graph;
    std::vector<Slot> m_slots; ///< a power of two, at least twice as many as values
    std::size_t m_count = 0;
};

} // namespace crosswalk
