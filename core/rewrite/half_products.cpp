#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Whether a permutation moves the first axis behind the other batch axes of a matrix, or behind all axes, which
/// ONNX Runtime takes for a transposition of the batch. Not one that is unknown.
bool movesBatch(const Permutation& order)
{
    const auto first = std::find(order.begin(), order.end(), 0);
    if (order.size() <= 2 || order.end() - first > 2 || first == order.end()) {
        return false;
    }
    Permutation others = order;
    others.erase(others.iteratorAt(first - order.begin()));
    return std::is_sorted(others.begin(), others.end());
}

class HalfProducts {
public:
    HalfProducts(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (NodeProto& node : *m_edit.graph().mutable_node()) {
            if (isOperator(node, "MatMul")) {
                for (const int matrix : std::array{0, 1}) {
                    raiseRank(node, matrix);
                }
            }
        }
        m_edit.finish();
    }

private:
    /// Gives a stored matrix as many axes as the transposed operand has.
    void raiseRank(NodeProto& product, int matrix)
    {
        const Tensor* stored = m_edit.stored(product.input(matrix));
        if (stored == nullptr || stored->type() != ElementType::Float16 || stored->rank() != 2) {
            return;
        }
        const std::size_t rank = transposedRank(product.input(1 - matrix));
        if (rank == 0) {
            return;
        }
        Ints dims(rank - 2, 1);
        dims.insert(dims.end(), stored->dims().begin(), stored->dims().end());
        product.set_input(matrix, m_edit.addWeight(product.input(matrix), stored->reshaped(std::move(dims))));
    }

    /// The rank of the result of a Transpose that moves the batch; 0 for other values.
    std::size_t transposedRank(const std::string& value) const
    {
        std::optional<int> node = m_edit.producer(value);
        while (node && isOperator(m_edit.graph().node(*node), "Identity")) {
            node = m_edit.producer(m_edit.graph().node(*node).input(0));
        }
        if (!node || !isOperator(m_edit.graph().node(*node), "Transpose")) {
            return 0;
        }
        const Permutation order = permutationOf(m_edit, m_edit.graph().node(*node));
        return movesBatch(order) ? order.size() : 0;
    }

    GraphEdit m_edit;
};

bool hasHalves(const ::onnx::GraphProto& graph)
{
    return std::any_of(graph.initializer().begin(), graph.initializer().end(),
                       [](const auto& tensor) { return tensor.data_type() == ::onnx::TensorProto::FLOAT16; });
}

void visit(RewrittenModel model, const NodeNames& names, ::onnx::GraphProto& graph)
{
    HalfProducts(model, names).run();
    for (NodeProto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                model.body = attribute.mutable_g();
                visit(model, names, *attribute.mutable_g());
            }
        }
    }
}

} // namespace

void avoidHalfProductFusion(RewrittenModel model, const NodeNames& names)
{
    if (hasHalves(model.model.proto->graph())) {
        visit(model, names, *model.model.proto->mutable_graph());
    }
}

} // namespace crosswalk
