#include "core/formats/tensorflow/lowering/dilated_convolutions.h"

#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/formats/tensorflow/lowering/stored_weights.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr int expressionDepth = 24;

/// The elements of a small integer tensor in order; nothing if they are computed.
std::optional<Ints> numbersOf(const Graph& graph, ValueId value)
{
    constexpr std::int64_t limit = 64;
    const StoredWeights weights(graph);
    const Tensor* stored = weights.of(value);
    if (stored != nullptr) {
        return isInteger(stored->type()) && stored->elements() <= limit ? std::optional(stored->toInts())
                                                                        : std::nullopt;
    }
    return integersOf(graph, value);
}

/// The argument of a chain of identities.
ValueId plain(const GraphRewriter& graph, ValueId value)
{
    while (const Node* identity = graph.from("Identity", value)) {
        value = graph.input(*identity, 0);
    }
    return graph.current(value);
}

/// Whether two values are equal in every run: equal numbers, or the same operators on equal values.
bool isEqual(const GraphRewriter& graph, ValueId a, ValueId b, int depth = 0)
{
    a = plain(graph, a);
    b = plain(graph, b);
    if (a == b) {
        return true;
    }
    const auto& shapes = std::array{graph.graph().value(a).type.shape, graph.graph().value(b).type.shape};
    const auto left = numbersOf(graph.graph(), a);
    if (left && left == numbersOf(graph.graph(), b) &&
        !(shapes[0] && shapes[1] && shapes[0]->size() != shapes[1]->size())) {
        return true;
    }
    const Node* x = graph.producerNode(a);
    const Node* y = graph.producerNode(b);
    if (depth == expressionDepth || x == nullptr || y == nullptr || x->op != y->op || x->domain != y->domain ||
        x->inputs.size() != y->inputs.size() || x->attributes != y->attributes ||
        graph.graph().value(a).producerOutput != graph.graph().value(b).producerOutput || x->inputs.empty() ||
        x->op.find("Random") != std::string::npos) {
        return false;
    }
    for (std::size_t i = 0; i < x->inputs.size(); ++i) {
        if (!isEqual(graph, x->inputs[i], y->inputs[i], depth + 1)) {
            return false;
        }
    }
    return true;
}

/// Whether a value is equal to the sum of another one and zeros.
bool isEqualSum(const GraphRewriter& graph, ValueId sum, ValueId other)
{
    if (isEqual(graph, sum, other)) {
        return true;
    }
    for (const std::string_view op : {"AddV2", "Add"}) {
        const Node* node = graph.from(op, sum);
        for (std::size_t i = 0; node != nullptr && i < 2; ++i) {
            const auto zeros = numbersOf(graph.graph(), graph.input(*node, i));
            if (zeros && std::all_of(zeros->begin(), zeros->end(), [](std::int64_t n) { return n == 0; }) &&
                isEqualSum(graph, graph.input(*node, 1 - i), other)) {
                return true;
            }
        }
    }
    return false;
}

/// Whether two matrices of rows (before, after) are equal.
bool areEqualPairs(const GraphRewriter& graph, ValueId a, ValueId b)
{
    a = plain(graph, a);
    b = plain(graph, b);
    if (isEqualSum(graph, a, b)) {
        return true;
    }
    for (const std::string_view op : {"StridedSlice", "Pack"}) {
        const Node* x = graph.from(op, a);
        const Node* y = graph.from(op, b);
        if (x == nullptr || y == nullptr || x->inputs.size() != y->inputs.size() || x->attributes != y->attributes) {
            continue;
        }
        const std::size_t parts = op == "Pack" ? x->inputs.size() : 1;
        for (std::size_t i = 0; i < x->inputs.size(); ++i) {
            const ValueId left = graph.input(*x, i);
            const ValueId right = graph.input(*y, i);
            if (!(i < parts ? areEqualPairs(graph, left, right) : isEqual(graph, left, right))) {
                return false;
            }
        }
        return true;
    }
    return false;
}

/// The numbers of a stored matrix (axes, 2), in order.
std::optional<Ints> storedPairs(const Graph& graph, ValueId value, std::size_t axes)
{
    const StoredWeights weights(graph);
    const Tensor* stored = value ? weights.of(value) : nullptr;
    const bool isMatrix =
        stored != nullptr && isInteger(stored->type()) && stored->dims() == Ints{static_cast<std::int64_t>(axes), 2};
    return isMatrix ? std::optional(stored->toInts()) : std::nullopt;
}

struct Dilated {
    const Node* toBatch = nullptr;
    const Node* expand = nullptr; ///< null without a further axis
    const Node* convolution = nullptr;
    const Node* squeeze = nullptr;
    std::vector<NodeId> nodes;
    Ints blocks;
    std::int64_t newAxis = 0; ///< the further axis
};

class DilatedConvolution {
public:
    DilatedConvolution(GraphRewriter& graph, NodeId toSpace)
        : m_graph(graph)
        , m_toSpace(toSpace)
    {
    }

    void fuse()
    {
        if (!match()) {
            return;
        }
        const auto pads = padding();
        if (!pads) {
            return;
        }
        // Copies: adding a node moves the others.
        const Node convolution = *m_match.convolution;
        const std::optional<Node> squeeze = m_match.squeeze != nullptr ? std::optional(*m_match.squeeze) : std::nullopt;
        const Node* expand = m_match.expand;
        ValueId x = m_graph.input(*m_match.toBatch, 0);
        if (expand != nullptr) {
            const Node node = *expand;
            x = m_graph.add("ExpandDims", {x, m_graph.input(node, 1)}, node.attributes).front();
        }
        ValueIds inputs{x};
        for (std::size_t i = 1; i < convolution.inputs.size(); ++i) {
            inputs.push_back(m_graph.input(convolution, i));
        }
        const bool isPadded = std::any_of(pads->begin(), pads->end(), [](std::int64_t pad) { return pad != 0; });
        std::vector<Attribute> attributes;
        for (const Attribute& attribute : convolution.attributes) {
            const bool isReplaced =
                attribute.name == "dilations" || attribute.name == "padding" || attribute.name == "explicit_paddings";
            if (!isReplaced) {
                attributes.push_back(attribute);
            }
        }
        attributes.push_back({"dilations", m_dilations});
        attributes.push_back({"padding", std::string(isPadded ? "EXPLICIT" : "VALID")});
        attributes.push_back({"explicit_paddings", isPadded ? *pads : Ints()});
        ValueId y = m_graph.add(convolution.op, inputs, attributes, 1, convolution.name).front();
        if (squeeze) {
            y = m_graph.add("Squeeze", {y}, squeeze->attributes).front();
        }
        m_graph.addOrigins(y, m_match.nodes);
        m_graph.replace(m_graph.graph().node(m_toSpace).outputs[0], y);
    }

private:
    std::optional<Ints> numbers(const Node& node, std::size_t input) const
    {
        return integersOf(m_graph.graph(), m_graph.input(node, input));
    }

    /// The node that computes a value by an operator; counted to the fused ones.
    const Node* take(std::string_view op, ValueId value)
    {
        const Node* node = m_graph.from(op, value);
        if (node != nullptr) {
            m_match.nodes.push_back(m_graph.producer(value));
        }
        return node;
    }

    bool match()
    {
        const Node& toSpace = m_graph.graph().node(m_toSpace);
        const auto blocks = toSpace.inputs.size() == 3 ? numbers(toSpace, 1) : std::nullopt;
        if (!blocks || blocks->empty()) {
            return false;
        }
        m_match.blocks = *blocks;
        m_match.nodes.push_back(m_toSpace);
        ValueId value = m_graph.input(toSpace, 0);
        m_match.squeeze = take("Squeeze", value);
        if (m_match.squeeze != nullptr) {
            value = m_graph.input(*m_match.squeeze, 0);
        }
        for (const std::string_view op : {"Conv2D", "DepthwiseConv2dNative", "Conv3D"}) {
            m_match.convolution = m_match.convolution == nullptr ? take(op, value) : m_match.convolution;
        }
        if (m_match.convolution == nullptr || !isPlain(*m_match.convolution)) {
            return false;
        }
        value = m_graph.input(*m_match.convolution, 0);
        if (m_match.squeeze != nullptr) {
            m_match.expand = take("ExpandDims", value);
            if (m_match.expand == nullptr || !readNewAxis()) {
                return false;
            }
            value = m_graph.input(*m_match.expand, 0);
        }
        m_match.toBatch = take("SpaceToBatchND", value);
        return m_match.toBatch != nullptr && m_match.toBatch->inputs.size() == 3 &&
               numbers(*m_match.toBatch, 1) == blocks && placeBlocks();
    }

    /// Whether the convolution has channels last, no padding and steps of one.
    bool isPlain(const Node& node)
    {
        const auto* strides = attributeOf<Ints>(node, "strides");
        const auto* dilations = attributeOf<Ints>(node, "dilations");
        const auto* padding = attributeOf<std::string>(node, "padding");
        const auto* format = attributeOf<std::string>(node, "data_format");
        const auto areOnes = [](const Ints& list) {
            return std::all_of(list.begin(), list.end(), [](std::int64_t step) { return step == 1; });
        };
        m_rank = strides != nullptr ? strides->size() : 0;
        return m_rank >= 4 && areOnes(*strides) && (dilations == nullptr || areOnes(*dilations)) &&
               padding != nullptr && *padding == "VALID" && (format == nullptr || format->back() == 'C');
    }

    bool readNewAxis()
    {
        const auto axis = numbers(*m_match.expand, 1);
        const auto* squeezed = attributeOf<Ints>(*m_match.squeeze, "squeeze_dims");
        if (!axis || axis->size() != 1 || squeezed == nullptr || squeezed->size() != 1) {
            return false;
        }
        const auto place = [&](std::int64_t given) {
            return given < 0 ? given + static_cast<std::int64_t>(m_rank) : given;
        };
        m_match.newAxis = place(axis->front());
        return place(squeezed->front()) == m_match.newAxis && m_match.newAxis > 0;
    }

    /// The axis of the convolution's data that a block divides.
    std::size_t axisOf(std::size_t block) const
    {
        const std::size_t axis = block + 1;
        return m_match.expand != nullptr && static_cast<std::int64_t>(axis) >= m_match.newAxis ? axis + 1 : axis;
    }

    bool placeBlocks()
    {
        m_dilations.assign(m_rank, 1);
        for (std::size_t i = 0; i < m_match.blocks.size(); ++i) {
            if (axisOf(i) + 1 >= m_rank || m_match.blocks[i] < 1) {
                return false;
            }
            m_dilations[axisOf(i)] = m_match.blocks[i];
        }
        return true;
    }

    /// A pair (before, after) for each axis; nothing if they are computed or negative.
    std::optional<Ints> padding() const
    {
        const Node& toSpace = m_graph.graph().node(m_toSpace);
        const ValueId paddings = m_graph.input(*m_match.toBatch, 2);
        const ValueId crops = m_graph.input(toSpace, 2);
        Ints pads(2 * m_rank, 0);
        if (areEqualPairs(m_graph, paddings, crops)) {
            return pads;
        }
        const std::size_t axes = m_match.blocks.size();
        const auto padded = storedPairs(m_graph.graph(), paddings, axes);
        const auto cropped = storedPairs(m_graph.graph(), crops, axes);
        if (!padded || !cropped) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < 2 * axes; ++i) {
            const std::int64_t pad = (*padded)[i] - (*cropped)[i];
            if (pad < 0 || (*padded)[i] < 0 || (*cropped)[i] < 0) {
                return std::nullopt;
            }
            pads[2 * axisOf(i / 2) + i % 2] = pad;
        }
        return pads;
    }

    GraphRewriter& m_graph;
    NodeId m_toSpace;
    Dilated m_match;
    std::size_t m_rank = 0; ///< of the convolution's data
    Ints m_dilations;
};

} // namespace

void fuseDilatedConvolutions(GraphRewriter& graph)
{
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        if (graph.graph().node(NodeId{i}).op == "BatchToSpaceND") {
            DilatedConvolution(graph, NodeId{i}).fuse();
        }
    }
}

} // namespace crosswalk::tensorflow
