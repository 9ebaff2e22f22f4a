#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace crosswalk {

// The layout engine: takes boxes and edges, returns positions and routes. Independent of models.

struct LayoutPoint {
    float x = 0;
    float y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

/// The flow direction of a graph: down or to the right.
enum class Flow : std::uint8_t { Down, Right };

struct LayoutBox {
    float width = 0;
    float height = 0;
    float axis = middle; ///< offset from its left side that is aligned with connected boxes

    static constexpr float middle = -1;
    float leftOfAxis() const { return axis < 0 ? width / 2 : axis; }
    float rightOfAxis() const { return width - leftOfAxis(); }
    friend bool operator==(const LayoutBox&, const LayoutBox&) = default;
};

struct LayoutEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    float leaves = anywhere; ///< offset of the line's start from the left side of `from`
    float enters = anywhere; ///< offset of the line's end from the left side of `to`

    static constexpr float anywhere = -1;
    friend bool operator==(const LayoutEdge&, const LayoutEdge&) = default;
};

/// Pixels at scale 1; the flow direction is down.
struct LayoutOptions {
    float nodeGap = 24;                        ///< between boxes of a layer
    float layerGap = 40;                       ///< between layers
    bool cutLongEdges = true;                  ///< hubs and very long edges become reference tags instead of lines
    std::span<const std::uint32_t> first = {}; ///< boxes without producers that form the top layer
    std::span<const std::uint32_t> last = {};  ///< boxes without consumers that form the bottom layer
    // If axes are given, these layers are fixed: in the order of the boxes' numbers, from left to right, with these
    // axes.
    std::span<const float> firstAxes = {};
    std::span<const float> lastAxes = {};
};

struct Layout {
    float width = 0;
    float height = 0;
    std::vector<LayoutPoint> positions; ///< top left corner of each box
    std::vector<std::vector<LayoutPoint>>
        routes; ///< route of each edge, from the lower side of `from` to the upper side of `to`; empty for an edge cut
                ///< into tags, and for one that closes a cycle. In a scene, an edge that closes a loop runs from the
                ///< upper side of `from` to the lower side of `to`
    double cpuSeconds = 0;
};

/// The same drawing with x and y exchanged: turns a downward layout of transposed boxes into one that flows to the
/// right.
void exchangeAxes(Layout& layout);

/// Deterministic and independent of the order of edges. Returns an empty layout if stopped.
Layout layoutGraph(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                   const LayoutOptions& options = {}, std::stop_token stop = {});

} // namespace crosswalk
