#include "core/formats/tensorflow/lowering/recurrent_layer_node.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {

ValueIds addRecurrentLayer(GraphRewriter& graph, const RecurrentLayerNode& layer, const std::string& name)
{
    const StepWeights& weights = layer.weights;
    const bool isLstm = weights.kind == "lstm";
    ValueIds inputs{layer.sequence, layer.lengths, layer.h.value};
    if (isLstm) {
        inputs.push_back(layer.c.value);
    }
    std::vector<Attribute> attributes{
        {"kind", weights.kind}, {"gate_order", weights.gateOrder}, {"hidden", weights.hidden}};
    if (weights.forgetBias != 0) {
        attributes.push_back({"forget_bias", weights.forgetBias});
    }
    if (weights.resetAfter) {
        attributes.push_back({"reset_after", true});
    }
    if (layer.repeatsLast) {
        attributes.push_back({"repeats_last", true});
    }
    if (layer.h.isZero) {
        attributes.push_back({"zero_h", true});
    }
    if (layer.c.isZero) {
        attributes.push_back({"zero_c", true});
    }
    const auto add = [&](const std::vector<Tensor>& tensors, std::string_view what, const char* count) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            inputs.push_back(graph.addWeight(
                fmt::format("{}/{}{}", name, what, tensors.size() > 1 ? std::to_string(i) : ""), tensors[i]));
        }
        if (!tensors.empty()) {
            attributes.push_back({count, static_cast<std::int64_t>(tensors.size())});
        }
    };
    add(weights.input, "kernel", "input_weights");
    add(weights.recurrent, "recurrent_kernel", "recurrent_weights");
    add(weights.bias, "bias", "biases");
    add(weights.recurrentBias, "recurrent_bias", "recurrent_biases");
    add(weights.peepholes, "peephole", "peepholes");
    add(weights.projection, "projection", "projections");
    if (!weights.projection.empty()) {
        attributes.push_back({"projected_size", weights.projectedSize()});
    }
    const auto addClip = [&](const char* attribute, const std::optional<StepClip>& clip) {
        if (clip) {
            attributes.push_back({attribute, std::vector<double>{clip->low, clip->high}});
        }
    };
    addClip("cell_clip", weights.cellClip);
    addClip("projection_clip", weights.projectionClip);
    std::vector<std::string> activations;
    std::vector<double> alphas;
    std::vector<double> betas;
    for (const StepActivation& each : weights.activations) {
        activations.push_back(each.name);
        alphas.push_back(each.alpha);
        betas.push_back(each.beta);
    }
    attributes.push_back({"activations", std::move(activations)});
    if (std::any_of(alphas.begin(), alphas.end(), [](double alpha) { return alpha != 0; })) {
        attributes.push_back({"alphas", std::move(alphas)});
        attributes.push_back({"betas", std::move(betas)});
    }
    return graph.add("RecurrentLayer", inputs, attributes, isLstm ? 3 : 2, name);
}

} // namespace crosswalk::tensorflow
