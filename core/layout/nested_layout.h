#pragma once

#include "core/layout/incremental.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// A frame around boxes and other frames.
struct NestedFrame {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t parent = none; ///< enclosing frame; precedes this one
    float minWidth = 0;          ///< required by its title
    std::uint64_t key = 0;       ///< as for boxes
};

struct NestedEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t flow = 0;  ///< edges of equal flow cross a frame's border as one line
    bool closesLoop = false; ///< leads back: runs upwards, and is cut into tags if it would cross a frame's border
};

/// Boxes and edges, and the innermost frame of each box.
struct NestedGraph {
    Flow flow = Flow::Down; ///< to the right: width and height of the boxes are exchanged
    std::vector<LayoutBox> boxes;
    std::vector<std::uint32_t> frameOf; ///< by box
    std::vector<std::uint64_t> keys;    ///< by box: identifies it across graphs; empty if unknown
    std::vector<NestedFrame> frames;
    std::vector<NestedEdge> edges;
};

struct FramePlace {
    LayoutPoint at; ///< top left corner
    LayoutBox size;
};

/// Previous layouts by frame. Unchanged frames are not laid out again, equal frames are laid out once, and in a changed
/// frame the surroundings of the change keep their positions.
class LayoutMemo {
public:
    /// The inside of a frame: `frame` and `keys` identify it in the memo of the previous layout.
    struct Inside {
        LayoutTask task;
        std::uint64_t frame = 0;
        std::vector<std::uint64_t> keys = {}; ///< by box; empty if unknown
    };
    /// Also searches `previous` (may be null). Null if stopped.
    std::shared_ptr<const Layout> layOut(Inside inside, const LayoutMemo* previous, std::stop_token stop);

private:
    struct Entry {
        LayoutTask task;
        std::shared_ptr<const Layout> layout;
    };
    /// A layout of a frame, with the keys of its items.
    struct Look {
        std::shared_ptr<const Entry> entry;
        std::vector<std::uint64_t> keys;
    };
    using Looks = std::vector<Look>;

    std::shared_ptr<const Entry> find(std::size_t hash, const LayoutTask& task) const;
    /// The layouts of a frame, the latest first.
    const Looks& looksOf(std::uint64_t frame) const;
    void remember(Look look, std::uint64_t frame, const LayoutMemo* previous);

    std::unordered_multimap<std::size_t, std::shared_ptr<const Entry>> m_known;
    std::unordered_map<std::uint64_t, Looks> m_looks;
};

struct NestedLayout {
    Layout layout; ///< empty if stopped
    std::vector<FramePlace> frames;
    std::shared_ptr<const LayoutMemo> memo; ///< for the next layout
};

/// Each frame is laid out separately and is then a box among its siblings; lines cross its border where they do inside.
/// So frames overlap only their own contents, and parts without changes keep their inner positions.
NestedLayout layoutNested(const NestedGraph& graph, const LayoutMemo* previous = nullptr, std::stop_token stop = {});

// Sizes of a frame, shared by measuring here and painting in ui.
namespace frame {
inline constexpr float titleHeight = 26;
inline constexpr float padding = 14;
inline constexpr float exitRoom = 20;  ///< below the last boxes, for outgoing lines
inline constexpr float titleSize = 12; ///< font size in pixels at scale 1
inline constexpr float radius = 10;
} // namespace frame

} // namespace crosswalk
