#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>
#include <cmath>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The number of output channels of a convolution; 0 if it is not known.
std::int64_t channelsOf(const GraphEdit& edit, const NodeProto& conv)
{
    const Tensor* weight = edit.stored(conv.input(1));
    if (weight == nullptr || weight->rank() < 3) {
        return 0;
    }
    return isOperator(conv, "Conv") ? weight->dims()[0] : weight->dims()[1] * intAttribute(conv, "group", 1);
}

/// Whether the tensor has one element per position of this axis of a tensor of this rank.
bool isByAxis(const Tensor& tensor, std::size_t axis, std::int64_t size, std::size_t rank)
{
    if (tensor.rank() > rank || tensor.elements() != size || axis + tensor.rank() < rank) {
        return false;
    }
    return tensor.dims()[axis + tensor.rank() - rank] == size;
}

/// A convolution that computes a value, perhaps transposed.
struct ConvolutionResult {
    int node = 0;
    std::optional<int> transpose;
    std::size_t channelAxis = 1;
};

std::optional<ConvolutionResult> convolutionOf(const GraphEdit& edit, const std::string& value)
{
    ConvolutionResult result;
    auto producer = edit.producer(value);
    if (!producer || edit.reads(value) != 1) {
        return std::nullopt;
    }
    if (const NodeProto& node = edit.graph().node(*producer); isOperator(node, "Transpose")) {
        const auto* perm = findAttribute(node, "perm");
        result.transpose = producer;
        producer = edit.producer(node.input(0));
        if (perm == nullptr || !producer || edit.reads(node.input(0)) != 1) {
            return std::nullopt;
        }
        const auto found = std::find(perm->ints().begin(), perm->ints().end(), 1);
        result.channelAxis = static_cast<std::size_t>(found - perm->ints().begin());
    }
    result.node = *producer;
    const NodeProto& node = edit.graph().node(*producer);
    return isOperator(node, "Conv") || isOperator(node, "ConvTranspose") ? std::optional(result) : std::nullopt;
}

/// Folds an addition of a stored operand into the convolution that computes the other.
void foldIntoConvolution(GraphEdit& edit, int index)
{
    NodeProto& sum = *edit.graph().mutable_node(index);
    for (int term = 0; term < 2; ++term) {
        const auto result = convolutionOf(edit, sum.input(term));
        const Tensor* added = edit.stored(sum.input(1 - term));
        if (!result || added == nullptr) {
            continue;
        }
        NodeProto& conv = *edit.graph().mutable_node(result->node);
        const std::int64_t channels = channelsOf(edit, conv);
        const bool hasBias = !inputOf(conv, 2).empty();
        const Tensor* bias = hasBias ? edit.stored(conv.input(2)) : nullptr;
        if (channels == 0 || (hasBias && bias == nullptr) ||
            !isByAxis(*added, result->channelAxis, channels, edit.stored(conv.input(1))->rank())) {
            continue;
        }
        std::vector<double> values = added->toDoubles();
        if (bias != nullptr) {
            const auto first = bias->toDoubles();
            std::transform(values.begin(), values.end(), first.begin(), values.begin(), std::plus<>());
        }
        const Tensor total = Tensor::of<double>(ElementType::Float64, {channels}, values).converted(added->type());
        const std::string name = edit.addWeight(labelOf(conv) + "/bias", total);
        if (conv.input_size() > 2) {
            conv.set_input(2, name);
        } else {
            conv.add_input(name);
        }
        // The values in between change, so they must not keep their names.
        const std::string made = sum.output(0);
        if (result->transpose) {
            NodeProto& transpose = *edit.graph().mutable_node(*result->transpose);
            const std::string inner = edit.newValue(made + "/transposed", edit.typeOf(conv.output(0)));
            conv.set_output(0, inner);
            transpose.set_input(0, inner);
            transpose.set_output(0, made);
        } else {
            conv.set_output(0, made);
        }
        edit.merge(index, result->node);
        return;
    }
}

/// The factor and the operand of a product with a stored number; 1 and the value itself otherwise.
struct Scaled {
    std::string value;
    float factor = 1;
    std::vector<int> nodes; ///< nodes that a Gemm makes superfluous
};

Scaled scaledOf(const GraphEdit& edit, const std::string& name)
{
    const auto producer = edit.producer(name);
    if (!producer || edit.reads(name) != 1 || !isOperator(edit.graph().node(*producer), "Mul")) {
        return {name, 1, {}};
    }
    const NodeProto& product = edit.graph().node(*producer);
    for (int i = 0; i < 2; ++i) {
        const Tensor* factor = edit.stored(product.input(i));
        const auto shape = edit.typeOf(product.input(1 - i)).shape;
        if (factor != nullptr && factor->type() == ElementType::Float32 && factor->elements() == 1 && shape &&
            factor->rank() <= shape->size() && edit.stored(product.input(1 - i)) == nullptr &&
            std::isfinite(factor->toDoubles().front())) { // infinity times a sum is not a sum of products with infinity
            return {product.input(1 - i), static_cast<float>(factor->toDoubles().front()), {*producer}};
        }
    }
    return {name, 1, {}};
}

bool isMatrix(const GraphEdit& edit, const std::string& name)
{
    const Tensor* stored = edit.stored(name);
    const auto shape = edit.typeOf(name).shape;
    return stored != nullptr ? stored->rank() == 2 : shape && shape->size() == 2;
}

/// Whether an operand can be broadcast to a matrix without changing the matrix's shape.
bool isBroadcastTo(const GraphEdit& edit, const std::string& name, const Shape& matrix)
{
    const Tensor* stored = edit.stored(name);
    const auto shape = stored != nullptr ? std::optional(shapeOf(stored->dims())) : edit.typeOf(name).shape;
    if (!shape || shape->size() > matrix.size()) {
        return false;
    }
    return std::equal(shape->rbegin(), shape->rend(), matrix.rbegin(), [](const Dim& dim, const Dim& wanted) {
        return dim == Dim(1) || (wanted.isFixed() && dim == wanted);
    });
}

/// Turns the sum of a product of matrices and an operand that is broadcast to it into a Gemm.
void formGemm(GraphEdit& edit, int index)
{
    NodeProto& sum = *edit.graph().mutable_node(index);
    for (int term = 0; term < 2; ++term) {
        const Scaled left = scaledOf(edit, sum.input(term));
        const auto producer = edit.producer(left.value);
        if (!producer || edit.reads(left.value) != 1 || !isOperator(edit.graph().node(*producer), "MatMul")) {
            continue;
        }
        const NodeProto& product = edit.graph().node(*producer);
        const TensorType type = edit.typeOf(product.output(0));
        const bool isSupported = type.element == ElementType::Float32 && type.shape && type.shape->size() == 2 &&
                                 isMatrix(edit, product.input(0)) && isMatrix(edit, product.input(1));
        if (!isSupported) {
            continue;
        }
        const Scaled right = scaledOf(edit, sum.input(1 - term));
        if (!isBroadcastTo(edit, right.value, type.shape.value_or(Shape()))) {
            continue;
        }
        const std::string a = product.input(0);
        const std::string b = product.input(1);
        sum.set_op_type("Gemm");
        sum.clear_input();
        for (const std::string& input : {a, b, right.value}) {
            sum.add_input(input);
        }
        const auto setFactor = [&](const char* name, float factor) {
            if (factor != 1) {
                auto* attribute = sum.add_attribute();
                attribute->set_name(name);
                attribute->set_type(::onnx::AttributeProto::FLOAT);
                attribute->set_f(factor);
            }
        };
        setFactor("alpha", left.factor);
        setFactor("beta", right.factor);
        std::vector<int> gone = left.nodes;
        gone.insert(gone.end(), right.nodes.begin(), right.nodes.end());
        gone.push_back(*producer);
        for (const int node : gone) {
            edit.merge(node, index);
        }
        return;
    }
}

} // namespace

void foldBiases(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        const NodeProto& node = edit.graph().node(i);
        if (isOperator(node, "Add") && node.input_size() == 2) {
            foldIntoConvolution(edit, i);
        }
    }
    edit.finish();
    GraphEdit products(model, names);
    for (int i = 0; i < products.graph().node_size(); ++i) {
        if (isOperator(products.graph().node(i), "Add")) {
            formGemm(products, i);
        }
    }
    products.finish();
}

} // namespace crosswalk
