#include "ui/canvas/same_boxes.h"

#include <algorithm>
#include <limits>

namespace crosswalk::ui {
namespace {

constexpr std::uint32_t noBox = std::numeric_limits<std::uint32_t>::max();

} // namespace

SameBoxes SameBoxes::nothing()
{
    return SameBoxes(std::make_shared<const std::vector<std::uint32_t>>());
}

std::optional<std::uint32_t> SameBoxes::now(std::uint32_t before) const
{
    if (!m_list) {
        return before;
    }
    return before < m_list->size() && (*m_list)[before] != noBox ? std::optional((*m_list)[before]) : std::nullopt;
}

SameBoxes SameBoxes::turned() const
{
    if (!m_list) {
        return {};
    }
    auto list = std::make_shared<std::vector<std::uint32_t>>();
    for (std::uint32_t before = 0; before < m_list->size(); ++before) {
        if (const auto now = (*m_list)[before]; now != noBox) {
            list->resize(std::max<std::size_t>(list->size(), now + 1), noBox);
            (*list)[now] = before;
        }
    }
    return SameBoxes(std::move(list));
}

} // namespace crosswalk::ui
