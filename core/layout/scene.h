#pragma once

#include "core/graph/graph.h"
#include "core/layout/layout.h"

#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// Family of an operator: decides the tint of a node's header.
enum class OperatorFamily : std::uint8_t {
    Recurrent,
    Convolution,
    Normalisation,
    Activation,
    Pooling,
    Shape,
    Arithmetic,
    ControlFlow,
    Data, ///< inputs, outputs, constants
    Other,
};
OperatorFamily familyOf(std::string_view op);
std::string_view familyName(OperatorFamily family);

/// What is drawn as one box.
struct SceneNode {
    enum class Kind : std::uint8_t { Operator, Input, Output, Group };
    Kind kind = Kind::Operator;
    NodeId node;                   ///< of an operator
    ValueId value;                 ///< of an input or output; of an operator that is an input, the input
    std::string title;             ///< operator name, or "input" / "output"
    std::string name;              ///< instance name, elided in the middle to fit; may be empty
    std::string fullName;          ///< as the file has it: for tooltips and files
    std::vector<std::string> rows; ///< what says something: attributes off their default (at most four, then "and 3
                                   ///< more"), then weights as "weight 64x3x7x7"
    std::uint32_t attributes = 0;  ///< how many of the rows are attributes
    OperatorFamily family = OperatorFamily::Other;
    float width = 0;
    float height = 0;
};

struct SceneEdge {
    std::uint32_t from = 0; ///< index into Scene::nodes
    std::uint32_t to = 0;
    ValueId value;
    bool isControl = false;  ///< `to` runs after `from` and reads nothing of it; `value` is none
    bool closesLoop = false; ///< leads back to a box that stands before `from`, as of a loop with cyclic edges

    friend bool operator==(const SceneEdge&, const SceneEdge&) = default;
};

/// A graph as it is drawn: constants folded into their consumers, inputs and outputs as boxes, every box measured
/// with the bundled font's advance widths, laid out. An input that a node of the graph stands for (a placeholder) is
/// drawn as that node. Without the edges that close loops, every edge leads to a later box.
struct Scene {
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    Layout layout;
    std::vector<std::uint32_t> ofNode; ///< scene index of each graph node; a folded constant's is its first reader's
};

/// The boxes and edges of a graph, not yet laid out. `types` (by value, may be empty) gives shapes for inputs.
Scene buildScene(const Graph& graph, std::span<const TensorType> types = {});

/// The same for a box and for what stands in its place in another scene of the model; seldom so for others.
std::uint64_t keyOf(const SceneNode& box);
std::vector<std::uint64_t> keysOf(const Scene& scene);

/// Shortens the texts of a box to fit, and sets its size.
void measureBox(SceneNode& box);

enum class LayoutEngine { Automatic, Ours, Graphviz };
/// Automatic: Graphviz up to 150 boxes, ours above.
void layOut(Scene& scene, LayoutEngine engine = LayoutEngine::Automatic, std::stop_token stop = {},
            Flow flow = Flow::Down);

/// As layOut, but what `before` (laid out) has of the same stays where it was, as long as that is most of it.
void layOutLike(Scene& scene, const Scene& before, std::stop_token stop = {});

/// Width of a text in pixels at the given font size, from the table of advance widths of Inter Regular, or SemiBold
/// where bold is asked for. Kerning is left out: whoever paints must turn it off.
float textWidth(std::string_view utf8, float pixelSize, bool bold = false);

// Sizes of a box, shared by the measuring here and the painting in ui.
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
inline constexpr float bodyPadding = 4;    ///< above and below the lines under the header
inline constexpr float stripeWidth = 4;    ///< of the verdict, on the left edge
inline constexpr float iconSize = 15;      ///< of the verdict, in the header's right corner: titles leave it free
inline constexpr float rowGap = 4;         ///< between the first word of a row and the rest
inline constexpr float capHeight = 0.727F; ///< of the font, in em: centres a line of text

/// Height of a box with this many lines under its header (the name counts as one).
constexpr float height(std::size_t lines)
{
    return headerHeight + (lines == 0 ? 0 : 2 * bodyPadding + lineHeight * static_cast<float>(lines));
}
/// Baseline of the title, from the box's top.
inline constexpr float titleBaseline = headerHeight / 2 + titleSize * capHeight / 2;
/// Baseline of line `line` under the header, from the box's top.
constexpr float lineBaseline(std::size_t line)
{
    return headerHeight + bodyPadding + lineHeight * (static_cast<float>(line) + 0.5F) + rowSize * capHeight / 2;
}
} // namespace box

} // namespace crosswalk
