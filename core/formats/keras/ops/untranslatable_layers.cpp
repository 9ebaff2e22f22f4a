#include "core/formats/keras/ops/untranslatable_layers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

struct Reason {
    std::string_view op;
    std::string_view reason;
    std::string_view hint;
};

constexpr auto reasons = std::to_array<Reason>({
    {"Lambda", "is a Lambda: its Python code is not in a form that can be read",
     "replace it by layers or functions of keras.ops"},
    {"Hashing", "hashes its input (FarmHash), which ONNX cannot", "hash outside of the model"},
    {"HashedCrossing", "hashes its inputs (FarmHash), which ONNX cannot", "hash outside of the model"},
    {"TextVectorization", "standardizes and splits text, which ONNX cannot", "split the text outside of the model"},
    {"FeatureSpace", "is Python code around other layers", "save the layers as a functional model"},
});

} // namespace

Untranslatable whyUntranslatable(const Layer& layer)
{
    const std::string options =
        fmt::format("--partial keeps it as a gap, --custom-op {}=DOMAIN:NAME maps it to your own operator", layer.op());
    const auto* found = std::ranges::find(reasons, layer.op(), &Reason::op);
    if (found != reasons.end()) {
        return {fmt::format("the layer {}", found->reason), fmt::format("{}; {}", found->hint, options)};
    }
    if (layer.op().find('>') != std::string::npos) {
        return {fmt::format("class \"{}\" is not a class of Keras: its Python code is not in the file", layer.op()),
                options};
    }
    if (layer.op() == "TensorFlowOpLayer") {
        return {fmt::format("the layer is operator {} of TensorFlow, which has no translation here",
                            layer.settings.text("node_def.op")),
                fmt::format("save the model as a SavedModel and convert that; {}", options)};
    }
    if (layer.op().starts_with("ops.") || layer.op().starts_with("tf.")) {
        return {fmt::format("operation {} has no translation", layer.op()), options};
    }
    return {fmt::format("layer class {} has no translation", layer.op()), options};
}

} // namespace crosswalk::keras
