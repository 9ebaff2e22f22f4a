#include "core/layout/scene.h"

#include "core/base/visible_text.h"
#include "core/graph/readable_shape.h"
#include "core/graph/reads.h"
#include "core/layout/attribute_rows.h"
#include "core/layout/constants.h"
#include "core/layout/font_metrics.h"
#include "core/layout/weight_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

constexpr std::size_t maxAttributes = 4;
constexpr std::size_t maxWeights = 6;

void shorten(std::vector<std::string>& rows, std::size_t most)
{
    if (rows.size() > most) {
        const std::size_t rest = rows.size() - most;
        rows.resize(most);
        rows.push_back(fmt::format("and {} more", rest));
    }
}

/// Width of a row as painted: the first word, a gap, the rest.
float rowWidth(std::string_view row)
{
    const auto space = row.find(' ');
    return space == std::string_view::npos ? textWidth(row, box::rowSize)
                                           : textWidth(row.substr(0, space), box::rowSize) + box::rowGap +
                                                 textWidth(row.substr(space + 1), box::rowSize);
}

/// "float32 N×3×224", in the format of weights.
std::string typeRow(const TensorType& type)
{
    std::string text = type.element == ElementType::Undefined ? "" : std::string(elementTypeName(type.element));
    if (type.shape) {
        std::vector<std::string> dims;
        for (const Dim& dim : *type.shape) {
            dims.push_back(readableDim(dim));
        }
        text += text.empty() ? "" : " ";
        text += dims.empty() ? "scalar" : fmt::format("{}", fmt::join(dims, "×"));
    }
    return text;
}

class SceneBuilder {
public:
    SceneBuilder(const Graph& graph, std::span<const TensorType> types)
        : m_graph(graph)
        , m_types(types)
        , m_consumers(graph)
        , m_constants(findConstants(graph, m_consumers))
        , m_maker(graph.valueCount(), nothing)
        , m_isInput(graph.valueCount())
        , m_entered(graph.valueCount(), nothing)
    {
        for (const ValueId input : graph.inputs) {
            m_isInput[input.index] = true;
        }
    }

    Scene build()
    {
        m_scene.ofNode.assign(m_graph.nodeCount(), nothing);
        m_scene.nodes.reserve(m_graph.nodeCount() + m_graph.inputs.size() + m_graph.outputs.size());
        for (const ValueId input : m_graph.inputs) {
            const bool isNode = static_cast<bool>(m_graph.value(input).producer);
            if (!isNode && !m_constants.values[input.index] && m_maker[input.index] == nothing) {
                m_maker[input.index] = addValueBox(SceneNode::Kind::Input, input, "input");
            }
        }
        addOpenValues();
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            addOperator(NodeId{i});
        }
        // Last, because edges may come from later nodes.
        m_followed.assign(m_scene.nodes.size(), nothing);
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            connectOperator(NodeId{i});
        }
        for (const ValueId output : m_graph.outputs) {
            const auto box = addValueBox(SceneNode::Kind::Output, output, "output");
            connect(output, box);
        }
        placeFoldedNodes();
        return std::move(m_scene);
    }

private:
    static constexpr std::uint32_t nothing = Id<struct NodeTag>::none;

    const TensorType& typeOf(ValueId value) const
    {
        return value.index < m_types.size() ? m_types[value.index] : m_graph.value(value).type;
    }

    std::uint32_t addValueBox(SceneNode::Kind kind, ValueId id, std::string title)
    {
        SceneNode box;
        box.kind = kind;
        box.value = id;
        box.title = std::move(title);
        box.fullName = m_graph.value(id).name;
        box.category = OperatorCategory::Data;
        const TensorType& type = typeOf(id);
        if (type.shape || type.element != ElementType::Undefined) {
            box.rows.push_back(typeRow(type));
        }
        return add(std::move(box));
    }

    /// Adds boxes for values without a producer that are not inputs: stored outputs, and captured values of a subgraph.
    void addOpenValues()
    {
        std::vector<bool> isRead(m_graph.valueCount(), false);
        for (const ValueId output : m_graph.outputs) {
            isRead[output.index] = true;
        }
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Value& value = m_graph.value(ValueId{i});
            const bool open = !value.producer && m_maker[i] == nothing && !m_constants.values[i];
            if (open && (isRead[i] || !m_consumers.of(ValueId{i}).empty())) {
                m_maker[i] = addValueBox(SceneNode::Kind::Input, ValueId{i}, value.tensor ? "constant" : "input");
            }
        }
    }

    void addOperator(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (m_constants.nodes[id.index]) {
            return;
        }
        SceneNode box;
        box.node = id;
        box.title = node.op;
        box.fullName = node.name;
        box.category = operatorInfo(m_graph, node).category(node);
        const auto input =
            std::ranges::find_if(node.outputs, [&](ValueId output) { return output && m_isInput[output.index]; });
        box.value = input != node.outputs.end() ? *input : ValueId{};
        box.rows = attributeRows(node, m_graph);
        shorten(box.rows, maxAttributes);
        box.attributes = static_cast<std::uint32_t>(box.rows.size());
        auto weights = weightRows(node, m_graph, m_constants);
        shorten(weights, maxWeights);
        std::ranges::move(weights, std::back_inserter(box.rows));
        const auto index = add(std::move(box));
        m_scene.ofNode[id.index] = index;
        for (const ValueId output : node.outputs) {
            if (output) {
                m_maker[output.index] = index;
            }
        }
    }

    void connectOperator(NodeId id)
    {
        const std::uint32_t box = m_scene.ofNode[id.index];
        if (box == nothing) {
            return;
        }
        const Node& node = m_graph.node(id);
        const std::size_t first = m_scene.edges.size();
        forEachRead(m_graph, node, [&](ValueId value) { connectOnce(value, box); });
        for (std::size_t e = first; e < m_scene.edges.size(); ++e) {
            m_followed[m_scene.edges[e].from] = box; // a node runs after its inputs in any case
        }
        for (const NodeId before : node.controlInputs) {
            const std::uint32_t from = m_scene.ofNode[before.index];
            if (from != nothing && from != box && m_followed[from] != box) {
                m_followed[from] = box;
                m_scene.edges.push_back({from, box, {}, true, from >= box});
            }
        }
    }

    /// One line per value, even if a node reads it several times.
    void connectOnce(ValueId value, std::uint32_t box)
    {
        if (m_entered[value.index] != box) {
            m_entered[value.index] = box;
            connect(value, box);
        }
    }

    void connect(ValueId value, std::uint32_t box)
    {
        if (m_maker[value.index] != nothing) {
            const std::uint32_t from = m_maker[value.index];
            m_scene.edges.push_back({from, box, value, false, from >= box});
        }
    }

    std::uint32_t add(SceneNode box)
    {
        box.name = box.fullName;
        measureBox(box);
        m_scene.nodes.push_back(std::move(box));
        return static_cast<std::uint32_t>(m_scene.nodes.size() - 1);
    }

    /// A folded constant is found in the box of its first reader. In reverse order, because that reader may be folded,
    /// too.
    void placeFoldedNodes()
    {
        for (auto i = static_cast<std::uint32_t>(m_graph.nodeCount()); i-- > 0;) {
            if (m_scene.ofNode[i] != nothing) {
                continue;
            }
            for (const ValueId output : m_graph.node(NodeId{i}).outputs) {
                for (const NodeId reader : m_consumers.of(output)) {
                    if (m_scene.ofNode[i] == nothing) {
                        m_scene.ofNode[i] = m_scene.ofNode[reader.index];
                    }
                }
            }
        }
    }

    const Graph& m_graph;
    std::span<const TensorType> m_types;
    Consumers m_consumers;
    Constants m_constants;
    std::vector<std::uint32_t> m_maker;    ///< by value: the box that produces it
    std::vector<bool> m_isInput;           ///< by value: input of the graph
    std::vector<std::uint32_t> m_entered;  ///< by value: the last box that it leads to
    std::vector<std::uint32_t> m_followed; ///< by box: the last box that runs after it
    Scene m_scene;
};

} // namespace

std::uint64_t keyOf(const SceneNode& box)
{
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    const std::hash<std::string> hash;
    return ((hash(box.fullName) * factor) ^ hash(box.title)) * factor + static_cast<std::uint64_t>(box.kind);
}

void measureBox(SceneNode& box)
{
    const float room = box::maxWidth - 2 * box::padding;
    box.title = elideMiddle(visibleLine(box.title), box::titleSize, room - box::iconSize, true);
    box.name = elideMiddle(visibleLine(box.name), box::nameSize, room);
    float width =
        std::max(textWidth(box.title, box::titleSize, true) + box::iconSize, textWidth(box.name, box::nameSize));
    for (std::string& row : box.rows) {
        row = elideMiddle(visibleLine(row), box::rowSize, room - box::rowGap);
        width = std::max(width, rowWidth(row));
    }
    box.width = std::clamp(std::ceil(width + 2 * box::padding), box::minWidth, box::maxWidth);
    box.height = box::height(box.rows.size() + (box.name.empty() ? 0 : 1));
}

Scene buildScene(const Graph& graph, std::span<const TensorType> types)
{
    return SceneBuilder(graph, types).build();
}

} // namespace crosswalk
