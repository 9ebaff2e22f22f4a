#pragma once

#include "core/layout/layered.h"
#include "core/layout/task_match.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk {

/// The layers of a drawing, reconstructed from the positions of its boxes.
struct Bands {
    Bands(std::span<const LayoutBox> boxes, std::span<const LayoutPoint> positions);

    std::vector<float> top;
    std::vector<float> bottom;
    std::vector<std::int32_t> of; ///< by box

    std::int32_t count() const { return static_cast<std::int32_t>(top.size()); }
    float middle(std::int32_t band) const
    {
        const auto i = static_cast<std::size_t>(band);
        return (top[i] + bottom[i]) / 2;
    }
};

/// The band of a box: above the upper cut, in its layer, between the cuts, and so on.
enum class Zone : std::uint8_t { Above, UpperCut, Between, LowerCut, Below };

/// Two layers of a drawing. Above the upper and below the lower one, the new task has the same boxes and lines.
class DrawingCuts {
public:
    DrawingCuts(const LayoutTask& task, std::span<const std::uint64_t> keys, const LaidOutTask& before);

    const TaskMatch match;
    const Bands bands;
    const std::vector<bool> isOfHub;               ///< by edge of the task
    std::int32_t upper() const { return m_upper; } ///< a band; -1 if there is none
    std::int32_t lower() const { return m_lower; } ///< a band; the number of bands if there is none

    /// The band of a box of the new task.
    Zone zoneOf(std::uint32_t box) const;
    /// Whether most boxes are outside the cuts.
    bool leaveMost() const;
    /// The old line from the start of an edge through the upper cut; TaskMatch::none if there is none.
    std::uint32_t lineOutOf(std::uint32_t edge) const;
    /// The old line through the lower cut to the end of an edge.
    std::uint32_t lineInto(std::uint32_t edge) const;

private:
    layered::Adjacency edgesBy(std::uint32_t LayoutEdge::*end) const;
    void find();
    void moveToNewLines();
    template <typename Fits>
    std::uint32_t findLine(std::span<const std::uint32_t> edges, Fits fits) const;

    const LayoutTask& m_task;
    const LaidOutTask& m_before;
    layered::Adjacency m_edgesOutOf; ///< by old box
    layered::Adjacency m_edgesInto;
    std::int32_t m_upper = -1;
    std::int32_t m_lower;
};

} // namespace crosswalk
