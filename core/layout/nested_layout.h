#pragma once

#include "core/layout/layout.h"

#include <memory>
#include <unordered_map>

namespace crosswalk {

/// A frame around boxes and other frames.
struct NestedFrame {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t parent = none; ///< frame around it; stands before it
    float leastWidth = 0;        ///< that its title needs
};

struct NestedEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t flow = 0; ///< edges of equal flow cross a frame's border as one line
};

/// Boxes and edges, and the innermost frame of each box.
struct NestedGraph {
    std::vector<LayoutBox> boxes;
    std::vector<std::uint32_t> frameOf; ///< by box
    std::vector<NestedFrame> frames;
    std::vector<NestedEdge> edges;
};

struct FramePlace {
    LayoutPoint at; ///< top left corner
    LayoutBox size;
};

/// What was laid out before, frame by frame: what has not changed is not laid out again, and equal frames only once.
class LayoutMemo {
public:
    struct Task {
        std::vector<LayoutBox> boxes;
        std::vector<LayoutEdge> edges;
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> last;
        friend bool operator==(const Task&, const Task&) = default;
    };
    /// Looks into `previous` (may be null) as well. Null when stopped.
    std::shared_ptr<const Layout> layOut(Task task, const LayoutMemo* previous, std::stop_token stop);

private:
    struct Entry {
        Task task;
        std::shared_ptr<const Layout> layout;
    };
    std::shared_ptr<const Entry> find(std::size_t hash, const Task& task) const;

    std::unordered_multimap<std::size_t, std::shared_ptr<const Entry>> m_known;
};

struct NestedLayout {
    Layout layout; ///< empty when stopped
    std::vector<FramePlace> frames;
    std::shared_ptr<const LayoutMemo> memo; ///< for the next time
};

/// Each frame is laid out for itself, then stands as a box among its siblings; lines pass its border where they pass it
/// inside. So frames overlap nothing that is not in them, and what a change leaves alone keeps its inner places.
NestedLayout layoutNested(const NestedGraph& graph, const LayoutMemo* previous = nullptr, std::stop_token stop = {});

// Sizes of a frame, shared by the measuring here and the painting in ui.
namespace frame {
inline constexpr float titleHeight = 26;
inline constexpr float padding = 14;
inline constexpr float titleSize = 12; ///< font size in pixels at scale 1
inline constexpr float radius = 10;
} // namespace frame

} // namespace crosswalk
