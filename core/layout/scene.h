#pragma once

#include "core/graph/operator_info.h"
#include "core/layout/layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// An item that is drawn as one box.
struct SceneNode {
    enum class Kind : std::uint8_t { Operator, Input, Output, Group };
    Kind kind = Kind::Operator;
    NodeId node;   ///< of an operator
    ValueId value; ///< of an input or output; for an operator that is an input, that input
    // Title, name and rows contain text of the file in its visible form (visibleLine).
    std::string title;             ///< operator name, or "input" / "output"
    std::string name;              ///< instance name, elided in the middle to fit; may be empty
    std::string fullName;          ///< as in the file: for tooltips and files
    std::vector<std::string> rows; ///< informative rows: attributes with non-default values (at most four, then "and 3
                                   ///< more"), then weights as "weight 64x3x7x7"
    std::uint32_t attributes = 0;  ///< number of rows that are attributes
    OperatorCategory category = OperatorCategory::Other;
    float width = 0;
    float height = 0;

    friend bool operator==(const SceneNode&, const SceneNode&) = default;
};

struct SceneEdge {
    std::uint32_t from = 0; ///< index into Scene::nodes
    std::uint32_t to = 0;
    ValueId value;
    bool isControl = false;  ///< `to` runs after `from` but does not read from it; `value` is invalid
    bool closesLoop = false; ///< leads back to a box before `from`, as in a loop with cyclic edges

    friend bool operator==(const SceneEdge&, const SceneEdge&) = default;
};

/// A graph as drawn: constants folded into their consumers, inputs and outputs as boxes, every box measured with the
/// bundled font's advance widths, laid out. An input that is also a node of the graph (a placeholder) is drawn as that
/// node. Except for edges that close loops, every edge leads to a later box.
struct Scene {
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    Layout layout;
    std::vector<std::uint32_t>
        ofNode; ///< scene index of each graph node; for a folded constant, that of its first reader
};

/// The boxes and edges of a graph without a layout. `types` (by value, may be empty) has shapes for inputs.
Scene buildScene(const Graph& graph, std::span<const TensorType> types = {});

/// Keys that identify a box in other scenes of the same model; rarely ambiguous.
std::uint64_t keyOf(const SceneNode& box);
std::vector<std::uint64_t> keysOf(const Scene& scene);

/// Makes the texts of a box visible (visibleLine) and shortens them to fit, and sets its size.
void measureBox(SceneNode& box);

enum class LayoutEngine { Automatic, Ours, Graphviz };
/// Automatic: Graphviz up to 150 boxes, the layered layout above.
void layOut(Scene& scene, LayoutEngine engine = LayoutEngine::Automatic, std::stop_token stop = {},
            Flow flow = Flow::Down);

/// Like layOut, but boxes that are also in `before` (laid out) keep their positions if most of the scene is unchanged.
void layOutLike(Scene& scene, const Scene& before, std::stop_token stop = {});

/// Width of a text in pixels at the given font size, from the table of advance widths of Inter Regular, or SemiBold if
/// bold. Ignores kerning: painters must turn it off.
float textWidth(std::string_view utf8, float pixelSize, bool bold = false);

// Sizes of a box, shared by measuring here and painting in ui.
namespace box {
inline constexpr float titleSize = 13; ///< font sizes in pixels at scale 1
inline constexpr float nameSize = 11;
inline constexpr float rowSize = 11;
inline constexpr float headerHeight = 24;
inline constexpr float lineHeight = 16;
inline constexpr float padding = 10;
inline constexpr float minWidth = 96;
inline constexpr float maxWidth = 260;
inline constexpr float radius = 6;
inline constexpr float bodyPadding = 4; ///< above and below the rows
inline constexpr float stripeWidth = 4; ///< of the verdict, on the left edge
inline constexpr float iconSize = 15;   ///< of the verdict, in the right corner of the header; titles do not overlap it
inline constexpr float rowGap = 4;      ///< between the first word of a row and the rest
inline constexpr float capHeight = 0.727F; ///< of the font, in em: centres a line of text vertically

/// Height of a box with this many rows below its header (the name counts as one).
constexpr float height(std::size_t lines)
{
    return headerHeight + (lines == 0 ? 0 : 2 * bodyPadding + lineHeight * static_cast<float>(lines));
}
/// Baseline of the title, from the box's top.
inline constexpr float titleBaseline = headerHeight / 2 + titleSize * capHeight / 2;
/// Baseline of row `line` below the header, from the box's top.
constexpr float lineBaseline(std::size_t line)
{
    return headerHeight + bodyPadding + lineHeight * (static_cast<float>(line) + 0.5F) + rowSize * capHeight / 2;
}
} // namespace box

} // namespace crosswalk
