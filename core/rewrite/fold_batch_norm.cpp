#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/scaled_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

void rewrite(GraphEdit& edit, NodeProto& conv, const NodeProto& norm, const Tensor& weight, const Tensor* bias,
             const std::array<const Tensor*, 4>& terms)
{
    const double epsilon = floatAttribute(norm, "epsilon", 1e-5F);
    const auto gamma = terms[0]->toDoubles();
    const auto beta = terms[1]->toDoubles();
    const auto mean = terms[2]->toDoubles();
    const auto variance = terms[3]->toDoubles();
    std::vector<double> offset = bias != nullptr ? bias->toDoubles() : std::vector<double>(gamma.size(), 0.0);
    std::vector<double> factors(gamma.size());
    for (std::size_t i = 0; i < gamma.size(); ++i) {
        factors[i] = gamma[i] / std::sqrt(variance[i] + epsilon);
        offset[i] = (offset[i] - mean[i]) * factors[i] + beta[i];
    }
    const auto channels = static_cast<std::int64_t>(offset.size());
    const Tensor newBias = Tensor::of<double>(ElementType::Float64, {channels}, offset).converted(weight.type());
    const Tensor newWeight = scaledRows(weight, std::move(factors));
    const std::string label = labelOf(conv);
    const std::string biasName = edit.addWeight(label + "/bias", newBias);
    conv.set_input(1, edit.addWeight(label + "/weight", newWeight));
    if (conv.input_size() > 2) {
        conv.set_input(2, biasName);
    } else {
        conv.add_input(biasName);
    }
}

/// The Shape nodes that read a value, by value.
using ShapeReaders = std::unordered_map<std::string, std::vector<int>>;

ShapeReaders shapeReaders(const GraphEdit& edit)
{
    ShapeReaders readers;
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        if (isOperator(edit.graph().node(i), "Shape")) {
            readers[edit.graph().node(i).input(0)].push_back(i);
        }
    }
    return readers;
}

/// Folds node `index` into the preceding Conv if it is a suitable BatchNormalization.
void foldBatchNorm(GraphEdit& edit, const ShapeReaders& readers, int index)
{
    const NodeProto& norm = edit.graph().node(index);
    if (norm.op_type() != "BatchNormalization" || !norm.domain().empty() || norm.output_size() != 1 ||
        intAttribute(norm, "training_mode", 0) != 0) {
        return;
    }
    const auto producer = edit.producer(norm.input(0));
    // Others may read the shape, which stays the same.
    const auto found = readers.find(norm.input(0));
    const std::vector<int> shapes = found != readers.end() ? found->second : std::vector<int>();
    if (!producer || edit.reads(norm.input(0)) != 1 + static_cast<int>(shapes.size())) {
        return;
    }
    NodeProto& conv = *edit.graph().mutable_node(*producer);
    const Tensor* weight = conv.op_type() == "Conv" && conv.domain().empty() ? edit.stored(conv.input(1)) : nullptr;
    const Tensor* bias = conv.input_size() > 2 ? edit.stored(conv.input(2)) : nullptr;
    std::array<const Tensor*, 4> terms{};
    for (int k = 0; k < 4; ++k) {
        terms[static_cast<std::size_t>(k)] = edit.stored(norm.input(k + 1));
    }
    if (weight == nullptr || weight->rank() == 0 || weight->elements() == 0) {
        return;
    }
    const Ints channels{weight->dims()[0]};
    const auto isByChannel = [&](const Tensor* t) { return t != nullptr && t->dims() == channels; };
    const bool hasBias = !inputOf(conv, 2).empty();
    if (!std::all_of(terms.begin(), terms.end(), isByChannel) || (hasBias && !isByChannel(bias))) {
        return;
    }
    rewrite(edit, conv, norm, *weight, bias, terms);
    conv.set_output(0, norm.output(0));
    for (const int shape : shapes) {
        edit.graph().mutable_node(shape)->set_input(0, norm.output(0));
    }
    edit.merge(index, *producer);
}

} // namespace

void foldBatchNormalization(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    const ShapeReaders readers = shapeReaders(edit);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        foldBatchNorm(edit, readers, i);
    }
    edit.finish();
}

} // namespace crosswalk
