#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crosswalk {

/// Finds the values of a graph under construction by name. Stores no names: it compares those of the graph.
class ValueLookup {
public:
    explicit ValueLookup(const Graph& graph)
        : m_graph(graph)
    {
    }

    void reserve(std::size_t values);
    /// False if another value has the same name.
    bool add(ValueId id);
    /// No id if no value has this name.
    ValueId find(std::string_view name) const;

private:
    struct Slot {
        std::uint32_t hash = 0;
        ValueId id;
    };
    static std::uint32_t hashOf(std::string_view name);
    std::size_t slotOf(std::string_view name, std::uint32_t hash) const; ///< its slot, or the slot for it
    void resize(std::size_t slots);

    const Graph& m_graph;
    std::vector<Slot> m_slots; ///< a power of two, of which values take at most two thirds
    std::size_t m_count = 0;
};

} // namespace crosswalk
