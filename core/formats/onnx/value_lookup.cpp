#include "core/formats/onnx/value_lookup.h"

#include <bit>
#include <functional>

namespace crosswalk {

std::uint32_t ValueLookup::hashOf(std::string_view name)
{
    const std::uint64_t hash = std::hash<std::string_view>()(name);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

std::size_t ValueLookup::slotOf(std::string_view name, std::uint32_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    while (m_slots[at].id && (m_slots[at].hash != hash || m_graph.value(m_slots[at].id).name != name)) {
        at = (at + 1) & mask;
    }
    return at;
}

void ValueLookup::resize(std::size_t slots)
{
    const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(slots));
    const std::size_t mask = slots - 1;
    for (const Slot& slot : old) {
        if (slot.id) {
            std::size_t at = slot.hash & mask;
            while (m_slots[at].id) {
                at = (at + 1) & mask;
            }
            m_slots[at] = slot;
        }
    }
}

void ValueLookup::reserve(std::size_t values)
{
    constexpr std::size_t least = 16;
    const std::size_t slots = std::bit_ceil(std::max(least, values + values / 2)); // at most two thirds are taken
    if (slots > m_slots.size()) {
        resize(slots);
    }
}

bool ValueLookup::add(ValueId id)
{
    reserve(m_count + 1);
    const std::string& name = m_graph.value(id).name;
    const std::uint32_t hash = hashOf(name);
    Slot& slot = m_slots[slotOf(name, hash)];
    if (slot.id) {
        return false;
    }
    slot = {hash, id};
    ++m_count;
    return true;
}

ValueId ValueLookup::find(std::string_view name) const
{
    return m_slots.empty() ? ValueId{} : m_slots[slotOf(name, hashOf(name))].id;
}

} // namespace crosswalk
