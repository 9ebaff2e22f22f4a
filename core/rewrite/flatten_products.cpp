#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>
#include <map>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// A product with a stored matrix, the sum with a stored row, and the Reshape of the sum; nothing else reads the first
/// two.
struct Layer {
    int product = 0;
    int sum = 0;
    int reshape = 0;
    std::string bias;
};

class ProductFlattening {
public:
    ProductFlattening(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    bool run()
    {
        bool isChanged = false;
        const std::map<std::string, std::vector<Layer>> layers = layersByOperand();
        for (const auto& [operand, readers] : layers) {
            if (readers.size() > 1) { // a Reshape more, and a node less for each of them
                flatten(operand, readers);
                isChanged = true;
            }
        }
        m_edit.finish();
        return isChanged;
    }

private:
    std::map<std::string, std::vector<Layer>> layersByOperand() const
    {
        std::map<std::string, std::vector<Layer>> found;
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            const NodeProto& node = m_edit.graph().node(i);
            if (const auto layer = isOperator(node, "Reshape") ? layerAt(i) : std::nullopt) {
                found[m_edit.graph().node(layer->product).input(0)].push_back(*layer);
            }
        }
        return found;
    }

    std::optional<Layer> layerAt(int reshape) const
    {
        const NodeProto& last = m_edit.graph().node(reshape);
        const Tensor* target = m_edit.stored(last.input(1));
        const auto sum = m_edit.singleProducer(last.input(0), "Add");
        if (!sum || target == nullptr || std::ranges::count(target->toInts(), 0) > 0) { // 0 copies a dimension
            return std::nullopt;
        }
        for (int term = 0; term < 2; ++term) {
            const std::string& bias = m_edit.graph().node(*sum).input(1 - term);
            const auto product = m_edit.singleProducer(m_edit.graph().node(*sum).input(term), "MatMul");
            if (product && isFlattened(m_edit.graph().node(*product), bias)) {
                return Layer{*product, *sum, reshape, bias};
            }
        }
        return std::nullopt;
    }

    bool isFlattened(const NodeProto& product, const std::string& bias) const
    {
        const TensorType operand = m_edit.typeOf(product.input(0));
        const Tensor* matrix = m_edit.stored(product.input(1));
        const Tensor* row = m_edit.stored(bias);
        return operand.element == ElementType::Float32 && operand.shape && operand.shape->size() > 2 &&
               elementCount(*operand.shape) && operand.shape->back() != Dim(0) && matrix != nullptr &&
               matrix->rank() == 2 && row != nullptr && row->rank() == 1 && row->dims()[0] == matrix->dims()[1];
    }

    void flatten(const std::string& operand, const std::vector<Layer>& layers)
    {
        const Shape shape = m_edit.typeOf(operand).shape.value_or(Shape());
        const Dim& width = shape.back();
        const std::int64_t count = elementCount(shape).value_or(0) / width.size;
        const std::string rows = m_edit.newValue(operand + "/rows", {ElementType::Float32, Shape{Dim(count), width}});
        NodeProto reshape;
        reshape.set_name(rows);
        reshape.set_op_type("Reshape");
        reshape.add_input(operand);
        reshape.add_input(m_edit.addWeight(rows + "/shape", Tensor::ints(Ints{count, width.size})));
        reshape.add_output(rows);
        std::vector<int> products;
        products.reserve(layers.size());
        for (const Layer& layer : layers) {
            products.push_back(layer.product);
        }
        m_edit.insert(std::ranges::min(products), reshape, products);
        for (const Layer& layer : layers) {
            formGemm(layer, rows, count);
        }
    }

    void formGemm(const Layer& layer, const std::string& rows, std::int64_t count)
    {
        const std::string matrix = m_edit.graph().node(layer.product).input(1);
        const std::int64_t width = m_edit.stored(matrix)->dims()[1];
        NodeProto& sum = *m_edit.graph().mutable_node(layer.sum);
        // The value changes its shape, so it must not keep its name.
        const std::string result =
            m_edit.newValue(sum.output(0) + "/rows", {ElementType::Float32, Shape{Dim(count), Dim(width)}});
        sum.set_op_type("Gemm");
        sum.clear_input();
        for (const std::string& input : {rows, matrix, layer.bias}) {
            sum.add_input(input);
        }
        sum.set_output(0, result);
        m_edit.graph().mutable_node(layer.reshape)->set_input(0, result);
        m_edit.merge(layer.product, layer.sum);
    }

    GraphEdit m_edit;
};

} // namespace

bool flattenProducts(RewrittenModel model, const NodeNames& names)
{
    return ProductFlattening(model, names).run();
}

} // namespace crosswalk
