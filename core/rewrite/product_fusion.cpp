#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/rewrite/for_each_body.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_set>

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

/// Whether a permutation exchanges the last two axes, and no others.
bool transposesMatrices(Permutation order)
{
    if (order.size() < 2) {
        return false;
    }
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return std::is_sorted(order.begin(), order.end());
}

/// Operators through which ONNX Runtime finds the Transpose of an operand.
bool isSeenThrough(const NodeProto& node)
{
    return isOperator(node, "Identity") || isOperator(node, "Cast") || isOperator(node, "Mul") ||
           isOperator(node, "Div");
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
            if (isOperator(m_edit.graph().node(i), "MatMul") && m_edit.graph().node(i).input_size() == 2) {
                for (const int operand : std::array{0, 1}) {
                    raiseRank(i, operand);
                }
            }
        }
        m_edit.finish();
    }

private:
    /// How an operand of a product was transposed.
    struct Origin {
        Permutation order;
        bool isCast = false; ///< afterwards, by a node or by ONNX Runtime
    };

    /// Gives an operand as many axes as the other one has, where that is transposed and the two would be fused.
    void raiseRank(int product, int operand)
    {
        const std::string name = m_edit.graph().node(product).input(operand);
        const Tensor* stored = m_edit.stored(name);
        const TensorType type =
            stored != nullptr ? TensorType{stored->type(), shapeOf(stored->dims())} : m_edit.typeOf(name);
        const bool isHalf = type.element == ElementType::Float16;
        const auto other = originOf(m_edit.graph().node(product).input(1 - operand), isHalf);
        if (!other || !type.shape || type.shape->empty() || type.shape->size() >= other->order.size()) {
            return;
        }
        const bool isVector = type.shape->size() == 1;
        if (!(other->isCast && movesBatch(other->order)) &&
            !(isVector && operand == 1 && transposesMatrices(other->order))) {
            return;
        }
        const auto rank = static_cast<std::int64_t>(other->order.size());
        Ints axes(static_cast<std::size_t>(rank) - type.shape->size());
        std::iota(axes.begin(), axes.end(), 0);
        if (isVector && operand == 1) { // a column
            axes.back() = rank - 1;
        }
        const std::string raised =
            stored != nullptr ? m_edit.addWeight(name, stored->reshaped(withOnes(stored->dims(), axes, 1)))
                              : unsqueezed(product, name, {type.element, withOnes(*type.shape, axes, Dim(1))}, axes);
        m_edit.graph().mutable_node(product)->set_input(operand, raised);
        if (isVector) {
            squeezeResult(product, operand == 1 ? rank - 1 : rank - 2);
        }
    }

    template <class Sizes, class Size>
    static Sizes withOnes(Sizes sizes, const Ints& axes, const Size& one)
    {
        for (const std::int64_t axis : axes) { // ascending
            sizes.insert(sizes.iteratorAt(axis), one);
        }
        return sizes;
    }

    std::string unsqueezed(int product, const std::string& operand, const TensorType& type, const Ints& axes)
    {
        std::string result = m_edit.newValue(labelOf(m_edit.graph().node(product)) + "/matrix", type);
        m_edit.insert(product, withAxes("Unsqueeze", operand, result, axes), {product});
        return result;
    }

    /// Removes the axis from the result of a product that a vector has got.
    void squeezeResult(int product, std::int64_t axis)
    {
        NodeProto& node = *m_edit.graph().mutable_node(product);
        const std::string result = node.output(0);
        TensorType type = m_edit.typeOf(result);
        if (type.shape) {
            type.shape->insert(type.shape->iteratorAt(axis), Dim(1));
        }
        node.set_output(0, m_edit.newValue(labelOf(node) + "/product", type));
        m_edit.insert(product + 1, withAxes("Squeeze", node.output(0), result, Ints{axis}), {product});
    }

    NodeProto withAxes(const char* op, const std::string& input, const std::string& output, const Ints& axes)
    {
        NodeProto node;
        node.set_name(output);
        node.set_op_type(op);
        node.add_input(input);
        node.add_output(output);
        if (m_edit.opset() < firstAxesInput) {
            addInts(node, "axes", axes);
        } else {
            node.add_input(m_edit.addWeight(output + "/axes", Tensor::ints(axes)));
        }
        return node;
    }

    /// The Transpose that an operand results from; nothing for other operands. `isCast`: whether ONNX Runtime casts
    /// the operand itself.
    std::optional<Origin> originOf(const std::string& operand, bool isCast) const
    {
        std::optional<int> node = m_edit.producer(operand);
        while (node && isSeenThrough(m_edit.graph().node(*node)) && m_edit.graph().node(*node).input_size() > 0) {
            const NodeProto& seen = m_edit.graph().node(*node);
            isCast = isCast || isOperator(seen, "Cast");
            const bool hasStoredFirst = seen.input_size() > 1 && !m_edit.producer(seen.input(0));
            node = m_edit.producer(seen.input(hasStoredFirst ? 1 : 0));
        }
        if (!node || !isOperator(m_edit.graph().node(*node), "Transpose")) {
            return std::nullopt;
        }
        return Origin{permutationOf(m_edit, m_edit.graph().node(*node)), isCast};
    }

    GraphEdit m_edit;
};

} // namespace

bool mayFuseProducts(const GraphProto& graph)
{
    std::unordered_set<std::string_view> transposed; // values that are found to be
    for (const NodeProto& node : graph.node()) {
        if (isOperator(node, "Transpose")) {
            const auto* given = findAttribute(node, "perm");
            const auto order =
                given != nullptr ? Permutation(given->ints().begin(), given->ints().end()) : Permutation();
            if (given == nullptr || movesBatch(order) || transposesMatrices(order)) {
                transposed.insert(node.output(0));
            }
        } else if (isSeenThrough(node) && std::ranges::any_of(node.input(), [&](const std::string& input) {
                       return transposed.contains(input);
                   })) {
            transposed.insert(node.output(0));
        } else if (isOperator(node, "MatMul") && node.input_size() == 2 &&
                   (transposed.contains(node.input(0)) || transposed.contains(node.input(1)))) {
            return true;
        }
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g() && mayFuseProducts(attribute.g())) {
                return true;
            }
        }
    }
    return false;
}

void avoidProductFusion(RewrittenModel model, const NodeNames& names)
{
    if (mayFuseProducts(model.model.proto->graph())) {
        ProductFusion(model, names).run();
        forEachBody(model, [&](const RewrittenModel& body) { ProductFusion(body, names).run(); });
    }
}

} // namespace crosswalk
