#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/onnx/tensor_record.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>
#include <array>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

bool broadcastsBoth(const NodeProto& node)
{
    constexpr std::array ops = {"Add", "Sub", "Mul", "Div", "Pow"};
    return node.domain().empty() && node.input_size() == 2 &&
           std::find(ops.begin(), ops.end(), node.op_type()) != ops.end();
}

/// The fill value of a ConstantOfShape, by default a float32 0.
Tensor numberOf(const NodeProto& node)
{
    const auto* value = findAttribute(node, "value");
    return value == nullptr ? Tensor::scalar(ElementType::Float32, 0) : tensorOf(nullptr, value->t()).reshaped({});
}

class ConstantScalarizer {
public:
    explicit ConstantScalarizer(GraphEdit& edit)
        : m_edit(edit)
        , m_graph(edit.graph())
    {
        for (int i = 0; i < m_graph.node_size(); ++i) {
            for (const auto& input : m_graph.node(i).input()) {
                m_readers[input].push_back(i);
            }
        }
    }

    void run()
    {
        for (int i = 0; i < m_graph.node_size(); ++i) {
            const NodeProto& node = m_graph.node(i);
            if (node.op_type() == "ConstantOfShape" && node.domain().empty() && isReplaceable(node.output(0))) {
                scalarize(i);
            }
        }
    }

private:
    /// Whether all consumers can broadcast a scalar to the shape of their other operand.
    bool isReplaceable(const std::string& filled)
    {
        const auto& readers = m_readers[filled];
        if (readers.empty() || m_edit.reads(filled) != static_cast<int>(readers.size())) {
            return false;
        }
        return std::all_of(readers.begin(), readers.end(), [&](int reader) {
            const NodeProto& node = m_graph.node(reader);
            if (!broadcastsBoth(node) || node.input(0) == node.input(1)) {
                return false;
            }
            // A file may declare one name for sizes that differ. The types of the edit are inferred from the inputs.
            const auto other = m_edit.typeOf(node.input(node.input(0) == filled ? 1 : 0)).shape;
            return other && isDetermined(*other) && other == m_edit.typeOf(node.output(0)).shape;
        });
    }

    static bool isDetermined(const Shape& shape)
    {
        return std::all_of(shape.begin(), shape.end(),
                           [](const Dim& dim) { return dim.isFixed() || !dim.symbol().empty(); });
    }

    void scalarize(int filler)
    {
        const std::string filled = m_graph.node(filler).output(0);
        const std::string number =
            m_edit.addWeight(m_graph.node(filler).name() + "/number", numberOf(m_graph.node(filler)));
        for (const int reader : m_readers[filled]) {
            auto& inputs = *m_graph.mutable_node(reader)->mutable_input();
            std::replace(inputs.begin(), inputs.end(), filled, number);
            drop(filler, reader);
        }
    }

    /// Removes a node together with the nodes that only compute its inputs.
    void drop(int gone, int kept)
    {
        m_edit.merge(gone, kept);
        for (const auto& input : m_graph.node(gone).input()) {
            const auto maker = m_edit.producer(input);
            if (maker && m_edit.reads(input) == 1 && m_graph.node(*maker).output_size() == 1) {
                drop(*maker, kept);
            }
        }
    }

    GraphEdit& m_edit;
    ::onnx::GraphProto& m_graph;
    std::unordered_map<std::string, std::vector<int>> m_readers;
};

} // namespace

void scalarizeConstants(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    ConstantScalarizer(edit).run();
    edit.finish();
}

} // namespace crosswalk
