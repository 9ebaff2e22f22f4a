#pragma once

#include "core/layout/incremental.h"

#include <memory>
#include <unordered_map>

namespace crosswalk {

/// A frame around boxes and other frames.
struct NestedFrame {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t parent = none; ///< frame around it; stands before it
    float leastWidth = 0;        ///< that its title needs
    std::uint64_t key = 0;       ///< as for boxes
};

struct NestedEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t flow = 0;  ///< edges of equal flow cross a frame's border as one line
    bool closesLoop = false; ///< leads back: runs upwards, and is cut into tags where it would cross a frame's border
};

/// Boxes and edges, and the innermost frame of each box.
struct NestedGraph {
    Flow flow = Flow::Down; ///< to the right: width and height of the boxes are given exchanged
    std::vector<LayoutBox> boxes;
    std::vector<std::uint32_t> frameOf; ///< by box
    std::vector<std::uint64_t> keys;    ///< by box: which is the same in another graph; empty where none is
    std::vector<NestedFrame> frames;
    std::vector<NestedEdge> edges;
};

struct FramePlace {
    LayoutPoint at; ///< top left corner
    LayoutBox size;
};

/// What was laid out before, frame by frame: what has not changed is not laid out again, equal frames only once, and
/// where a frame has changed, what lies around the change stays.
class LayoutMemo {
public:
    /// The inside of a frame: `frame` and `keys` say which is the same in the memo of before.
    struct Inside {
        LayoutTask task;
        std::uint64_t frame = 0;
        std::vector<std::uint64_t> keys = {}; ///< by box; empty where nothing is known
    };
    /// Looks into `previous` (may be null) as well. Null when stopped.
    std::shared_ptr<const Layout> layOut(Inside inside, const LayoutMemo* previous, std::stop_token stop);

private:
    struct Entry {
        LayoutTask task;
        std::shared_ptr<const Layout> layout;
    };
    /// How a frame looked, and by which keys.
    struct Look {
        std::shared_ptr<const Entry> entry;
        std::vector<std::uint64_t> keys;
    };
    using Looks = std::vector<Look>;

    std::shared_ptr<const Entry> find(std::size_t hash, const LayoutTask& task) const;
    /// The looks of a frame, the last one first.
    const Looks& looksOf(std::uint64_t frame) const;
    void remember(Look look, std::uint64_t frame, const LayoutMemo* previous);

    std::unordered_multimap<std::size_t, std::shared_ptr<const Entry>> m_known;
    std::unordered_map<std::uint64_t, Looks> m_looks;
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
inline constexpr float exitRoom = 20;  ///< under the last boxes, for lines that leave
inline constexpr float titleSize = 12; ///< font size in pixels at scale 1
inline constexpr float radius = 10;
} // namespace frame

} // namespace crosswalk
