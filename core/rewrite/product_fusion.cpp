#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/body_types.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
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

class ProductFusion {
public:
    ProductFusion(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            if (isOperator(m_edit.graph().node(i), "MatMul")) {
                for (const int matrix : std::array{0, 1}) {
                    raiseRank(i, matrix);
                }
            }
        }
        m_edit.finish();
    }

private:
    /// Gives a matrix as many axes as the transposed operand has.
    void raiseRank(int product, int matrix)
    {
        NodeProto& node = *m_edit.graph().mutable_node(product);
        const std::string name = node.input(matrix);
        const Tensor* stored = m_edit.stored(name);
        const TensorType type =
            stored != nullptr ? TensorType{stored->type(), shapeOf(stored->dims())} : m_edit.typeOf(name);
        const std::size_t rank = rankOfCast(node.input(1 - matrix), type.element == ElementType::Float16);
        if (!type.shape || type.shape->size() < 2 || type.shape->size() >= rank) {
            return;
        }
        const std::size_t added = rank - type.shape->size();
        if (stored != nullptr) {
            Ints dims(added, 1);
            dims.insert(dims.end(), stored->dims().begin(), stored->dims().end());
            node.set_input(matrix, m_edit.addWeight(name, stored->reshaped(std::move(dims))));
        } else {
            node.set_input(matrix, unsqueezed(product, name, type, added));
        }
    }

    /// Inserts an Unsqueeze in front of a node.
    std::string unsqueezed(int before, const std::string& matrix, const TensorType& type, std::size_t added)
    {
        Shape shape(added, Dim(1));
        shape.insert(shape.end(), type.shape->begin(), type.shape->end());
        std::string result =
            m_edit.newValue(labelOf(m_edit.graph().node(before)) + "/matrix", {type.element, std::move(shape)});
        NodeProto node;
        node.set_name(result);
        node.set_op_type("Unsqueeze");
        node.add_input(matrix);
        node.add_output(result);
        Ints axes(added);
        std::iota(axes.begin(), axes.end(), 0);
        constexpr int axesAreOperandSince = 13;
        if (m_edit.opset() < axesAreOperandSince) {
            addInts(node, "axes", axes);
        } else {
            node.add_input(m_edit.addWeight(result + "/axes", Tensor::ints(axes)));
        }
        m_edit.insert(before, std::move(node), {before});
        return result;
    }

    /// The rank of an operand that is cast after a Transpose of the batch; 0 for other operands. `isCast`: whether
    /// ONNX Runtime casts the operand itself.
    std::size_t rankOfCast(const std::string& operand, bool isCast) const
    {
        std::optional<int> node = m_edit.producer(operand);
        while (node &&
               (isOperator(m_edit.graph().node(*node), "Identity") || isOperator(m_edit.graph().node(*node), "Cast"))) {
            isCast = isCast || isOperator(m_edit.graph().node(*node), "Cast");
            node = m_edit.producer(m_edit.graph().node(*node).input(0));
        }
        if (!node || !isCast || !isOperator(m_edit.graph().node(*node), "Transpose")) {
            return 0;
        }
        const Permutation order = permutationOf(m_edit, m_edit.graph().node(*node));
        return movesBatch(order) ? order.size() : 0;
    }

    GraphEdit m_edit;
};

void visit(RewrittenModel model, const NodeNames& names, GraphProto& graph)
{
    ProductFusion(model, names).run();
    for (NodeProto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                model.body = attribute.mutable_g();
                const BodyTypes types(model.types, *model.body);
                visit(model, names, *attribute.mutable_g());
            }
        }
    }
}

} // namespace

bool hasBatchTransposes(const GraphProto& graph)
{
    return std::any_of(graph.node().begin(), graph.node().end(), [](const NodeProto& node) {
        const auto* order = isOperator(node, "Transpose") ? findAttribute(node, "perm") : nullptr;
        return (order != nullptr && movesBatch(Permutation(order->ints().begin(), order->ints().end()))) ||
               std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
                   return attribute.has_g() && hasBatchTransposes(attribute.g());
               });
    });
}

void avoidProductFusion(RewrittenModel model, const NodeNames& names)
{
    auto& graph = *model.model.proto->mutable_graph();
    if (hasBatchTransposes(graph)) { // most models need no index of their nodes
        visit(model, names, graph);
    }
}

} // namespace crosswalk
