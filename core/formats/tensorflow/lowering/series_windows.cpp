#include "core/formats/tensorflow/lowering/series_windows.h"

#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr std::int64_t imageRank = 4;

/// The operator that an axis of size one is added for.
class SeriesWindow {
public:
    SeriesWindow(GraphRewriter& graph, NodeId squeeze)
        : m_graph(graph)
        , m_squeeze(squeeze)
    {
    }

    void fuse()
    {
        const Node squeeze = m_graph.graph().node(m_squeeze);
        const auto* squeezed = attributeOf<Ints>(squeeze, "squeeze_dims");
        if (squeezed == nullptr || squeezed->size() != 1 || squeeze.inputs.size() != 1) {
            return;
        }
        m_axis = fromStart(squeezed->front());
        const Node* window = windowOf(squeeze);
        if (window == nullptr || m_axis < 1 || m_axis > 2) {
            return;
        }
        const Node node = *window;
        const Node* expand = m_graph.from("ExpandDims", m_graph.input(node, 0));
        if (expand == nullptr || axisOf(*expand) != m_axis || !isSeries(node)) {
            return;
        }
        ValueIds inputs{m_graph.input(*expand, 0)};
        if (isConvolution(node)) {
            const ValueId filter = withoutAxis(m_graph.input(node, 1));
            if (!filter) {
                return;
            }
            inputs.push_back(filter);
        }
        const std::array origins{m_squeeze, m_graph.producer(squeeze.inputs[0]),
                                 m_graph.producer(m_graph.input(node, 0))};
        const ValueId y = m_graph.add(node.op, inputs, attributes(node), 1, node.name).front();
        m_graph.addOrigins(y, origins);
        m_graph.replace(squeeze.outputs[0], y);
    }

private:
    static std::int64_t fromStart(std::int64_t axis) { return axis < 0 ? axis + imageRank : axis; }

    static bool isConvolution(const Node& node) { return node.op == "Conv2D" || node.op == "DepthwiseConv2dNative"; }

    const Node* windowOf(const Node& squeeze) const
    {
        for (const std::string_view op : {"Conv2D", "DepthwiseConv2dNative", "MaxPool", "AvgPool"}) {
            if (const Node* node = m_graph.from(op, squeeze.inputs[0])) {
                return node;
            }
        }
        return nullptr;
    }

    std::optional<std::int64_t> axisOf(const Node& expand) const
    {
        const auto axis = integersOf(m_graph.graph(), m_graph.input(expand, 1));
        return axis && axis->size() == 1 ? std::optional(fromStart(axis->front())) : std::nullopt;
    }

    /// Whether the window has channels last and does not change the axis of size one.
    bool isSeries(const Node& node) const
    {
        const auto* format = attributeOf<std::string>(node, "data_format");
        const auto* strides = attributeOf<Ints>(node, "strides");
        const auto* padding = attributeOf<std::string>(node, "padding");
        const auto* sizes = attributeOf<Ints>(node, "ksize");
        const auto* dilations = attributeOf<Ints>(node, "dilations");
        const auto* pads = attributeOf<Ints>(node, "explicit_paddings");
        const auto hasFour = [](const Ints* list) { return list != nullptr && list->size() == 4; };
        if ((format != nullptr && *format != "NHWC") || !hasFour(strides) || padding == nullptr ||
            (dilations != nullptr && !hasFour(dilations) && !dilations->empty())) {
            return false;
        }
        const auto place = static_cast<std::size_t>(m_axis);
        if (!isConvolution(node) && (!hasFour(sizes) || (*sizes)[place] != 1)) {
            return false;
        }
        return *padding != "EXPLICIT" ||
               (pads != nullptr && pads->size() == 8 && (*pads)[2 * place] == 0 && (*pads)[2 * place + 1] == 0);
    }

    /// A filter without the axis, whose size in it is one; none for others.
    ValueId withoutAxis(ValueId filter)
    {
        const auto axis = m_axis - 1; // filters have no batch
        const Node* expand = m_graph.from("ExpandDims", filter);
        if (expand != nullptr && axisOf(*expand) == axis) {
            return m_graph.input(*expand, 0);
        }
        const Tensor* stored = m_graph.graph().tensorOf(filter);
        const auto& shape = m_graph.graph().value(filter).type.shape;
        const auto place = static_cast<std::size_t>(axis);
        const bool isOne = stored != nullptr ? stored->rank() == imageRank && stored->dims()[place] == 1
                                             : shape && shape->size() == imageRank && (*shape)[place] == Dim(1);
        if (!isOne) {
            return {};
        }
        if (stored == nullptr) {
            return m_graph.add("Squeeze", {filter}, {{"squeeze_dims", Ints{axis}}}).front();
        }
        Ints dims = stored->dims();
        dims.eraseAt(axis);
        const std::string name = m_graph.graph().value(filter).name;
        return m_graph.addWeight(name, stored->reshaped(dims));
    }

    std::vector<Attribute> attributes(const Node& node) const
    {
        std::vector<Attribute> kept;
        for (Attribute attribute : node.attributes) {
            auto* list = std::get_if<Ints>(&attribute.value);
            if (attribute.name == "data_format") {
                continue;
            }
            if (list != nullptr && list->size() == imageRank) {
                list->eraseAt(m_axis);
            } else if (list != nullptr && list->size() == 2 * imageRank) {
                list->erase(list->iteratorAt(2 * m_axis), list->iteratorAt(2 * m_axis + 2));
            }
            kept.push_back(std::move(attribute));
        }
        const bool hasDilations =
            std::any_of(kept.begin(), kept.end(), [](const Attribute& a) { return a.name == "dilations"; });
        if (isConvolution(node) && !hasDilations) {
            kept.push_back({"dilations", Ints{1, 1, 1}});
        }
        kept.push_back({"data_format", std::string("NWC")});
        return kept;
    }

    GraphRewriter& m_graph;
    NodeId m_squeeze;
    std::int64_t m_axis = 0; ///< of the images
};

} // namespace

void fuseSeriesWindows(GraphRewriter& graph)
{
    const auto count = static_cast<std::uint32_t>(graph.graph().nodeCount());
    for (std::uint32_t i = 0; i < count; ++i) {
        if (graph.graph().node(NodeId{i}).op == "Squeeze") {
            SeriesWindow(graph, NodeId{i}).fuse();
        }
    }
}

} // namespace crosswalk::tensorflow
