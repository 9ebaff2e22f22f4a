#include "core/layout/layered.h"
#include "core/layout/polyline.h"

#include <algorithm>

namespace crosswalk::layered {
namespace {

struct Band {
    float top = 0;
    float bottom = 0;
};

std::vector<Band> bandsOf(const Layers& layers, std::span<const LayoutBox> boxes, const LayoutOptions& options)
{
    std::vector<Band> bands(layers.layerCount());
    float y = 0;
    for (std::size_t layer = 0; layer < bands.size(); ++layer) {
        float height = 0;
        for (const std::uint32_t v : layers.order(layer)) {
            height = std::max(height, layers.isBox(v) ? boxes[v].height : 0);
        }
        bands[layer] = {y, y + height};
        y += height + options.layerGap;
    }
    return bands;
}

/// Ports of the lines at their boxes: as vertically aligned with the line's next point as the box's side allows, with a
/// minimum distance between neighbours.
class Ports {
public:
    struct Wish {
        float wanted;
        std::uint32_t edge;
    };
    /// Assigns `port[edge]` to the lines in `wishes` on one side of the box.
    static void assign(std::vector<Wish>& wishes, float axis, const LayoutBox& box, std::vector<float>& port)
    {
        const float centre = axis - box.leftOfAxis() + box.width / 2;
        constexpr float cornerRoom = 10;
        constexpr float widestGap = 14;
        if (wishes.size() > 1) {
            std::ranges::stable_sort(wishes, {}, &Wish::wanted);
        }
        const float room = std::max(0.0F, box.width - 2 * cornerRoom);
        const auto count = static_cast<float>(wishes.size());
        const float gap = count > 1 ? std::min(widestGap, room / (count - 1)) : 0;
        const float left = centre - room / 2;
        float least = left;
        for (std::size_t i = 0; i < wishes.size(); ++i) {
            const float most = centre + room / 2 - gap * (count - 1 - static_cast<float>(i));
            const float x = std::clamp(wishes[i].wanted, std::min(least, most), most);
            port[wishes[i].edge] = x;
            least = x + gap;
        }
    }
};

struct Ends {
    std::vector<float> leaves; ///< by edge: port at the box above
    std::vector<float> enters; ///< port at the box below
};

Ends edgeEnds(const Layers& layers, std::span<const LayoutBox> boxes, std::span<const LayoutEdge> edges,
              const std::vector<bool>& isCut, std::span<const float> axes)
{
    std::vector<std::uint32_t> drawn;
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    drawn.reserve(edges.size());
    from.reserve(edges.size());
    to.reserve(edges.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (!isCut[e]) {
            drawn.push_back(e);
            from.push_back(edges[e].from);
            to.push_back(edges[e].to);
        }
    }
    const Adjacency below(boxes.size(), from, drawn);
    const Adjacency above(boxes.size(), to, drawn);
    Ends ends{std::vector<float>(edges.size(), 0), std::vector<float>(edges.size(), 0)};
    std::vector<Ports::Wish> wishes;
    for (std::uint32_t v = 0; v < boxes.size(); ++v) {
        wishes.clear();
        for (const std::uint32_t e : below.of(v)) {
            if (edges[e].leaves >= 0) {
                ends.leaves[e] = axes[v] - boxes[v].leftOfAxis() + edges[e].leaves;
                continue;
            }
            const bool isShort = layers.rank[edges[e].to] == layers.rank[v] + 1;
            wishes.push_back({axes[isShort ? edges[e].to : layers.firstWaypoint[e]], e});
        }
        Ports::assign(wishes, axes[v], boxes[v], ends.leaves);
        wishes.clear();
        for (const std::uint32_t e : above.of(v)) {
            if (edges[e].enters >= 0) {
                ends.enters[e] = axes[v] - boxes[v].leftOfAxis() + edges[e].enters;
                continue;
            }
            const std::uint32_t waypoints = layers.rank[v] - layers.rank[edges[e].from] - 1;
            wishes.push_back({axes[waypoints == 0 ? edges[e].from : layers.firstWaypoint[e] + waypoints - 1], e});
        }
        Ports::assign(wishes, axes[v], boxes[v], ends.enters);
    }
    return ends;
}

} // namespace

Layout route(const Layers& layers, std::span<const LayoutBox> boxes, std::span<const LayoutEdge> edges,
             const std::vector<bool>& isCut, std::span<const float> axes, const LayoutOptions& options)
{
    Layout layout;
    const auto bands = bandsOf(layers, boxes, options);
    float left = std::numeric_limits<float>::max();
    float right = std::numeric_limits<float>::lowest();
    for (std::uint32_t v = 0; v < layers.vertexCount(); ++v) {
        const bool isBox = layers.isBox(v);
        left = std::min(left, axes[v] - (isBox ? boxes[v].leftOfAxis() : 0));
        right = std::max(right, axes[v] + (isBox ? boxes[v].rightOfAxis() : 0));
    }
    layout.width = layers.vertexCount() == 0 ? 0 : right - left;
    layout.height = bands.empty() ? 0 : bands.back().bottom;
    layout.positions.resize(boxes.size());
    for (std::uint32_t v = 0; v < boxes.size(); ++v) {
        const Band band = bands[layers.rank[v]];
        layout.positions[v] = {axes[v] - left - boxes[v].leftOfAxis(), (band.top + band.bottom - boxes[v].height) / 2};
    }

    const Ends ends = edgeEnds(layers, boxes, edges, isCut, axes);
    layout.routes.resize(edges.size());
    std::vector<LayoutPoint> line;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if (isCut[e]) {
            continue;
        }
        const std::uint32_t from = edges[e].from;
        const std::uint32_t to = edges[e].to;
        line.clear();
        appendPoint(line, {ends.leaves[e] - left, layout.positions[from].y + boxes[from].height});
        appendPoint(line, {ends.leaves[e] - left, bands[layers.rank[from]].bottom});
        for (std::uint32_t r = layers.rank[from] + 1; r < layers.rank[to]; ++r) {
            const float x = axes[layers.firstWaypoint[e] + r - layers.rank[from] - 1] - left;
            appendPoint(line, {x, bands[r].top});
            appendPoint(line, {x, bands[r].bottom});
        }
        appendPoint(line, {ends.enters[e] - left, bands[layers.rank[to]].top});
        appendPoint(line, {ends.enters[e] - left, layout.positions[to].y});
        layout.routes[e].assign(line.begin(), line.end()); // exact capacity
    }
    return layout;
}

} // namespace crosswalk::layered
