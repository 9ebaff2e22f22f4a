#include "core/base/is_one_of.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/transposed_products.h"
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

/// Whether ONNX Runtime may move a Transpose behind a node, or remove a node behind it, such as a Slice of everything.
bool letsTransposePass(const NodeProto& node)
{
    return node.domain().empty() &&
           !isOneOf(node.op_type(), {"Attention", "Conv", "ConvTranspose", "Einsum", "Flatten", "GRU", "Gather",
                                     "GatherElements", "GatherND", "Gemm", "LSTM", "MatMul", "RNN", "Shape", "Size"});
}

/// Adds the results of a Transpose, and of nodes that read what is computed from one.
void followTranspose(const NodeProto& node, auto& derived)
{
    if (isOperator(node, "Transpose") ||
        (!derived.empty() &&
         std::ranges::any_of(node.input(), [&](const std::string& input) { return derived.contains(input); }))) {
        derived.insert(node.output().begin(), node.output().end());
        derived.erase("");
    }
}

/// Finds values that cannot be vectors.
class KnownRanks {
public:
    explicit KnownRanks(const GraphProto& graph)
        : m_graph(graph)
    {
    }

    bool mayBeVector(const std::string& name)
    {
        if (m_others.empty()) { // takes time, and most models have no such product
            for (const auto& weight : m_graph.initializer()) {
                add(weight.name(), weight.dims_size());
            }
            for (const auto* values : {&m_graph.input(), &m_graph.value_info()}) {
                for (const auto& value : *values) {
                    if (value.type().tensor_type().has_shape()) {
                        add(value.name(), value.type().tensor_type().shape().dim_size());
                    }
                }
            }
            m_others.insert(std::string_view());
        }
        return !m_others.contains(name);
    }

private:
    void add(std::string_view name, int rank)
    {
        if (rank != 1) {
            m_others.insert(name);
        }
    }

    const GraphProto& m_graph;
    std::unordered_set<std::string_view> m_others; ///< with another rank
};

class ProductFusion {
public:
    ProductFusion(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            const NodeProto& node = m_edit.graph().node(i);
            followTranspose(node, m_derived);
            if (isOperator(node, "Transpose")) {
                m_transposed.add(node.output(0), permutationOf(m_edit, node));
            } else if (letsTransposePass(node)) {
                followTransposed(node);
            } else if (isOperator(node, "MatMul") && node.input_size() == 2) {
                for (const int operand : std::array{0, 1}) {
                    raiseRank(i, operand);
                }
                makeColumn(i);
            }
        }
        m_edit.finish();
    }

private:
    void followTransposed(const NodeProto& node)
    {
        const auto transposed = std::ranges::find_if(
            node.input(), [&](const std::string& input) { return m_transposed.find(input) != nullptr; });
        if (transposed == node.input().end()) {
            return;
        }
        for (const std::string& output : node.output()) {
            const TensorType type = m_edit.typeOf(output);
            if (!output.empty() && type.shape && type.shape->size() == m_transposed.find(*transposed)->order.size()) {
                m_transposed.follow(node.op_type(), *transposed, output);
            }
        }
    }

    /// Gives an operand as many axes as the other one has, if creating a session would crash.
    void raiseRank(int product, int operand)
    {
        const auto* other = m_transposed.find(m_edit.graph().node(product).input(1 - operand));
        if (other == nullptr) {
            return;
        }
        const TensorType type = typeOfOperand(product, operand);
        if (!type.shape || faultOfProduct(*other, type.element == ElementType::Float16, operand, type.shape->size()) !=
                               ProductFault::Crashes) {
            return;
        }
        const bool isVector = type.shape->size() == 1;
        const auto rank = static_cast<std::int64_t>(other->order.size());
        Ints axes(static_cast<std::size_t>(rank) - type.shape->size());
        std::iota(axes.begin(), axes.end(), 0);
        if (isVector && operand == 1) { // a column
            axes.back() = rank - 1;
        }
        addAxes(product, operand, type, axes);
        if (isVector) {
            squeezeResult(product, operand == 1 ? rank - 1 : rank - 2);
        }
    }

    /// Multiplies by a matrix of one column instead of by a vector, if the other operand is computed from a Transpose:
    /// ONNX Runtime moves a Transpose behind other operators before it fuses it.
    void makeColumn(int product)
    {
        const bool isDerived = m_derived.contains(m_edit.graph().node(product).input(0));
        const TensorType type = isDerived ? typeOfOperand(product, 1) : TensorType();
        if (type.shape && type.shape->size() == 1) {
            addAxes(product, 1, type, {1});
            squeezeResult(product, -1);
        }
    }

    TensorType typeOfOperand(int product, int operand) const
    {
        const std::string& name = m_edit.graph().node(product).input(operand);
        const Tensor* stored = m_edit.stored(name);
        return stored != nullptr ? TensorType{stored->type(), shapeOf(stored->dims())} : m_edit.typeOf(name);
    }

    /// Reads an operand with axes of size 1 at these places of the result, ascending.
    void addAxes(int product, int operand, const TensorType& type, const Ints& axes)
    {
        const std::string name = m_edit.graph().node(product).input(operand);
        const Tensor* stored = m_edit.stored(name);
        const std::string raised =
            stored != nullptr ? m_edit.addWeight(name, stored->reshaped(withOnes(stored->dims(), axes, 1)))
                              : unsqueezed(product, name, {type.element, withOnes(*type.shape, axes, Dim(1))}, axes);
        m_edit.graph().mutable_node(product)->set_input(operand, raised);
    }

    template <class Sizes, class Size>
    static Sizes withOnes(Sizes sizes, const Ints& axes, const Size& one)
    {
        for (const std::int64_t axis : axes) {
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
            const auto rank = static_cast<std::int64_t>(type.shape->size());
            type.shape->insert(type.shape->iteratorAt(axis < 0 ? axis + rank + 1 : axis), Dim(1));
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

    GraphEdit m_edit;
    TransposedValues m_transposed;
    std::unordered_set<std::string> m_derived; ///< values that are computed from the result of a Transpose
};

} // namespace

bool mayFuseProducts(const GraphProto& graph)
{
    std::unordered_set<std::string_view> transposed; // values whose batch is
    std::unordered_set<std::string_view> derived;    // values that are computed from the result of a Transpose
    KnownRanks ranks(graph);
    for (const NodeProto& node : graph.node()) {
        followTranspose(node, derived);
        if (isOperator(node, "MatMul") && node.input_size() == 2 && derived.contains(node.input(0)) &&
            ranks.mayBeVector(node.input(1))) {
            return true;
        }
        if (isOperator(node, "Transpose")) {
            const auto* order = findAttribute(node, "perm");
            if (order != nullptr && movesBatch(Permutation(order->ints().begin(), order->ints().end()))) {
                transposed.insert(node.output(0));
            }
        } else if (letsTransposePass(node) && std::ranges::any_of(node.input(), [&](const std::string& input) {
                       return transposed.contains(input);
                   })) {
            transposed.insert(node.output().begin(), node.output().end());
            transposed.erase("");
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
