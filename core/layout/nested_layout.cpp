#include "core/layout/nested_layout.h"

#include "core/base/cpu_time.h"
#include "core/layout/polyline.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

namespace crosswalk {
namespace {

/// The contents of a frame or of the top level: boxes, inner frames, and ports where lines cross the frame's border.
struct Level {
    struct Item {
        enum class Kind : std::uint8_t { Box, Frame, Entry, Exit };
        Kind kind;
        std::uint32_t index; ///< of a box or a frame; for a port, the box where its lines start
    };
    /// A line between items. For an inner frame, the port inside it is stored as well.
    struct Segment {
        std::uint32_t from = 0;
        std::uint32_t fromPort = NestedFrame::none;
        std::uint32_t to = 0;
        std::uint32_t toPort = NestedFrame::none;
    };
    std::vector<Item> items;
    std::vector<Segment> segments;
    std::shared_ptr<const Layout> layout;
    LayoutPoint inset;  ///< offset of the layout in the frame
    float lowest = 0;   ///< bottom of the boxes; below it, lines that leave the frame end,
    float exitAt = 0;   ///< and they are extended to here
    LayoutPoint origin; ///< offset of the layout in the whole drawing
};

class Nester {
public:
    Nester(const NestedGraph& graph, const LayoutMemo* previous, std::stop_token stop)
        : m_graph(graph)
        , m_previous(previous)
        , m_stop(std::move(stop))
        , m_levels(graph.frames.size() + 1)
        , m_depth(graph.frames.size() + 1, 0)
        , m_itemOfBox(graph.boxes.size())
        , m_itemOfFrame(graph.frames.size())
        , m_size(graph.frames.size())
        , m_memo(std::make_shared<LayoutMemo>())
    {
    }

    NestedLayout run()
    {
        const double start = threadCpuSeconds();
        placeItems();
        splitEdges();
        for (std::size_t level = m_levels.size(); level-- > 0;) {
            if (!layOut(static_cast<std::uint32_t>(level))) {
                return {};
            }
        }
        NestedLayout result = together();
        result.memo = std::move(m_memo);
        result.layout.cpuSeconds = threadCpuSeconds() - start;
        return result;
    }

private:
    using Kind = Level::Item::Kind;

    // Level 0 is the whole drawing, level f + 1 the inside of frame f.
    static std::uint32_t levelOf(std::uint32_t frame) { return frame == NestedFrame::none ? 0 : frame + 1; }

    std::uint32_t addItem(std::uint32_t level, Kind kind, std::uint32_t index)
    {
        m_levels[level].items.push_back({kind, index});
        return static_cast<std::uint32_t>(m_levels[level].items.size() - 1);
    }

    void placeItems()
    {
        for (std::uint32_t f = 0; f < m_graph.frames.size(); ++f) {
            assert(m_graph.frames[f].parent == NestedFrame::none || m_graph.frames[f].parent < f);
            m_depth[f + 1] = m_depth[levelOf(m_graph.frames[f].parent)] + 1;
            m_itemOfFrame[f] = addItem(levelOf(m_graph.frames[f].parent), Kind::Frame, f);
        }
        for (std::uint32_t b = 0; b < m_graph.boxes.size(); ++b) {
            m_itemOfBox[b] = addItem(levelOf(m_graph.frameOf[b]), Kind::Box, b);
        }
    }

    /// One end of the remaining part of an edge: the item, and the port inside it if it is a frame.
    struct End {
        std::uint32_t level;
        std::uint32_t item;
        std::uint32_t port = NestedFrame::none;
    };

    /// Splits every edge at the borders of frames that it crosses.
    void splitEdges()
    {
        m_firstPart.reserve(m_graph.edges.size() + 1);
        std::vector<Part> entered;
        for (const NestedEdge& edge : m_graph.edges) {
            m_firstPart.push_back(static_cast<std::uint32_t>(m_parts.size()));
            End from{levelOf(m_graph.frameOf[edge.from]), m_itemOfBox[edge.from]};
            End to{levelOf(m_graph.frameOf[edge.to]), m_itemOfBox[edge.to]};
            entered.clear();
            if (edge.closesLoop) {
                if (from.level == to.level && from.item != to.item) {
                    m_parts.push_back(connect(to, from)); // every edge leads down
                }
                continue;
            }
            while (from.level != to.level) {
                if (m_depth[from.level] >= m_depth[to.level]) {
                    const std::uint32_t port = portOf(from.level, Kind::Exit, edge);
                    m_parts.push_back(connect(from, {from.level, port}));
                    from = outOf(from.level, port);
                } else {
                    const std::uint32_t port = portOf(to.level, Kind::Entry, edge);
                    entered.push_back(connect({to.level, port}, to));
                    to = outOf(to.level, port);
                }
            }
            m_parts.push_back(connect(from, to));
            m_parts.insert(m_parts.end(), entered.rbegin(), entered.rend());
        }
        m_firstPart.push_back(static_cast<std::uint32_t>(m_parts.size()));
    }

    End outOf(std::uint32_t level, std::uint32_t port) const
    {
        return {levelOf(m_graph.frames[level - 1].parent), m_itemOfFrame[level - 1], port};
    }

    std::uint32_t portOf(std::uint32_t level, Kind kind, const NestedEdge& edge)
    {
        const auto [found, isNew] = m_ports.try_emplace({level, kind, edge.flow}, 0);
        if (isNew) {
            found->second = addItem(level, kind, edge.from);
        }
        return found->second;
    }

    struct Part {
        std::uint32_t level;
        std::uint32_t segment;
    };

    Part connect(const End& from, const End& to)
    {
        auto& segments = m_levels[from.level].segments;
        const auto next = static_cast<std::uint32_t>(segments.size());
        const auto isPort = [&](const End& end) { return m_levels[end.level].items[end.item].kind >= Kind::Entry; };
        // Lines that cross a border as one are merged if they share both ends.
        if (from.port != NestedFrame::none || to.port != NestedFrame::none || isPort(from) || isPort(to)) {
            const auto [found, isNew] =
                m_shared.try_emplace({from.level, from.item, from.port, to.item, to.port}, next);
            if (!isNew) {
                return {from.level, found->second};
            }
        }
        segments.push_back({from.item, from.port, to.item, to.port});
        return {from.level, next};
    }

    /// The offset of a port of an inner frame from the frame's left side.
    float portPlace(const Level::Item& item, std::uint32_t port) const
    {
        if (port == NestedFrame::none) {
            return LayoutEdge::anywhere;
        }
        const Level& inner = m_levels[item.index + 1];
        return inner.inset.x + inner.layout->positions[port].x;
    }

    bool layOut(std::uint32_t index)
    {
        Level& level = m_levels[index];
        LayoutMemo::Inside inside{.task = {}, .frame = index == 0 ? 0 : m_graph.frames[index - 1].key};
        LayoutTask& task = inside.task;
        task.boxes.reserve(level.items.size());
        for (std::uint32_t i = 0; i < level.items.size(); ++i) {
            const Level::Item& item = level.items[i];
            switch (item.kind) {
            case Kind::Box:
                task.boxes.push_back(m_graph.boxes[item.index]);
                break;
            case Kind::Frame:
                task.boxes.push_back(m_size[item.index]);
                break;
            case Kind::Entry:
                task.first.push_back(i);
                task.boxes.push_back({0, 0});
                break;
            case Kind::Exit:
                task.last.push_back(i);
                task.boxes.push_back({0, 0});
                break;
            }
        }
        task.edges.reserve(level.segments.size());
        for (const Level::Segment& segment : level.segments) {
            task.edges.push_back({segment.from, segment.to, portPlace(level.items[segment.from], segment.fromPort),
                                  portPlace(level.items[segment.to], segment.toPort)});
        }
        const bool hasEntries = !task.first.empty();
        const bool hasExits = !task.last.empty();
        inside.keys = keysOf(level);
        level.layout = m_memo->layOut(std::move(inside), m_previous, m_stop);
        if (level.layout == nullptr) {
            return false;
        }
        if (index > 0) {
            measure(index - 1, level, hasEntries, hasExits);
        }
        return true;
    }

    /// Keys that identify items across layouts.
    std::vector<std::uint64_t> keysOf(const Level& level) const
    {
        std::vector<std::uint64_t> keys;
        if (m_graph.keys.size() == m_graph.boxes.size()) {
            keys.reserve(level.items.size());
            for (const auto& [kind, index] : level.items) {
                const std::uint64_t key = kind == Kind::Frame ? m_graph.frames[index].key : m_graph.keys[index];
                keys.push_back(kind < Kind::Entry ? key : key * 2 + (kind == Kind::Entry ? 0 : 1));
            }
        }
        return keys;
    }

    void measure(std::uint32_t frame, Level& level, bool hasEntries, bool hasExits)
    {
        // The title is above the contents. In a flow to the right that is a side, where no lines need room.
        const bool isDown = m_graph.flow == Flow::Down;
        const float title = m_graph.frames[frame].minWidth;
        const float beside = isDown ? frame::padding : frame::titleHeight + frame::padding / 2;
        // Incoming and outgoing lines already reserve room, at the bottom more than necessary.
        const float above = (isDown ? frame::titleHeight : frame::padding) - (hasEntries ? frame::padding : 0);
        const float below = hasExits ? frame::exitRoom - LayoutOptions().layerGap : frame::padding;
        LayoutBox& size = m_size[frame];
        size.width = std::max(beside + level.layout->width + frame::padding, isDown ? title : 0);
        size.height = std::max(above + level.layout->height + below, isDown ? 0 : title);
        level.inset = {isDown ? (size.width - level.layout->width) / 2 : beside, above};
        level.lowest = level.layout->height + std::min(below, 0.0F);
        level.exitAt = hasExits ? size.height - above : level.layout->height;
        // The position at which its lines continue straight.
        float sum = 0;
        float count = 0;
        for (std::uint32_t i = 0; i < level.items.size(); ++i) {
            if (level.items[i].kind >= Kind::Entry) {
                sum += level.inset.x + level.layout->positions[i].x;
                ++count;
            }
        }
        size.axis = count > 0 ? sum / count : LayoutBox::middle;
    }

    NestedLayout together()
    {
        NestedLayout result;
        result.frames.resize(m_graph.frames.size());
        Layout& layout = result.layout;
        layout.width = m_levels[0].layout->width;
        layout.height = m_levels[0].layout->height;
        layout.positions.resize(m_graph.boxes.size());
        for (Level& level : m_levels) { // outer levels first
            for (std::size_t i = 0; i < level.items.size(); ++i) {
                const LayoutPoint in = level.layout->positions[i];
                const LayoutPoint at{level.origin.x + in.x, level.origin.y + in.y};
                const auto [kind, index] = level.items[i];
                if (kind == Kind::Box) {
                    layout.positions[index] = at;
                } else if (kind == Kind::Frame) {
                    result.frames[index] = {at, m_size[index]};
                    const LayoutPoint inset = m_levels[index + 1].inset;
                    m_levels[index + 1].origin = {at.x + inset.x, at.y + inset.y};
                }
            }
        }
        layout.routes.resize(m_graph.edges.size());
        std::vector<LayoutPoint> line;
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            line.clear();
            if (join(m_firstPart[e], m_firstPart[e + 1], line)) {
                if (m_graph.edges[e].closesLoop) {
                    std::ranges::reverse(line);
                }
                layout.routes[e].assign(line.begin(), line.end()); // exact capacity
            }
        }
        if (m_graph.flow == Flow::Right) {
            exchangeAxes(layout);
            for (FramePlace& frame : result.frames) {
                std::swap(frame.at.x, frame.at.y);
                std::swap(frame.size.width, frame.size.height);
            }
        }
        return result;
    }

    /// An edge with a tag in one part becomes a tag as a whole.
    bool join(std::uint32_t first, std::uint32_t end, std::vector<LayoutPoint>& line) const
    {
        for (std::uint32_t p = first; p < end; ++p) {
            const Level& level = m_levels[m_parts[p].level];
            const auto& part = level.layout->routes[m_parts[p].segment];
            if (part.empty()) {
                return false;
            }
            const bool hasExits = level.exitAt != level.layout->height && level.exitAt > 0;
            for (const LayoutPoint point : part) {
                const float y = hasExits && point.y >= level.lowest ? level.exitAt : point.y;
                appendPoint(line, {level.origin.x + point.x, level.origin.y + y});
            }
        }
        return true;
    }

    const NestedGraph& m_graph;
    const LayoutMemo* m_previous;
    std::stop_token m_stop;
    std::vector<Level> m_levels;
    std::vector<std::uint32_t> m_depth; ///< by level
    std::vector<std::uint32_t> m_itemOfBox;
    std::vector<std::uint32_t> m_itemOfFrame;
    std::vector<LayoutBox> m_size; ///< by frame
    std::vector<Part> m_parts;     ///< of all edges, consecutive
    std::vector<std::uint32_t> m_firstPart;
    std::map<std::tuple<std::uint32_t, Kind, std::uint64_t>, std::uint32_t> m_ports;
    std::map<std::array<std::uint32_t, 5>, std::uint32_t> m_shared;
    std::shared_ptr<LayoutMemo> m_memo;
};

} // namespace

NestedLayout layoutNested(const NestedGraph& graph, const LayoutMemo* previous, std::stop_token stop)
{
    return Nester(graph, previous, std::move(stop)).run();
}

} // namespace crosswalk
