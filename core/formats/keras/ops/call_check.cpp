#include "core/formats/keras/ops/call_check.h"

#include "core/base/is_one_of.h"
#include "core/formats/keras/layer_call.h"
#include "core/formats/keras/layer_graph.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// Arguments of layers besides their positional ones.
constexpr auto settingsOfCalls =
    std::to_array<std::string_view>({"return_attention_scores", "reverse", "training", "use_causal_mask"});
constexpr auto tensorsOfCalls =
    std::to_array<std::string_view>({"attention_mask", "constants", "count_weights", "initial_state", "key", "key_mask",
                                     "mask", "query", "query_mask", "value", "value_mask"});

bool isNullValue(const AttributeValue& value)
{
    const auto* list = std::get_if<AttributeList>(&value);
    return std::holds_alternative<std::monostate>(value) ||
           (list != nullptr && std::ranges::all_of(*list, isNullValue));
}

[[noreturn]] void refuseArgument(const Layer& layer, std::string_view argument)
{
    layer.refuse(fmt::format("its call has the argument {}, which is not supported for {}", argument, layer.op()),
                 fmt::format("{}{}", callPrefix, argument));
}

void checkArguments(const Layer& layer)
{
    for (const Attribute& attribute : layer.ctx.node.attributes) {
        if (attribute.name.starts_with(callPrefix)) {
            const std::string_view argument = std::string_view(attribute.name).substr(callPrefix.size());
            if (!isOneOf(argument, settingsOfCalls) && !isNullValue(attribute.value)) {
                refuseArgument(layer, argument);
            }
        }
    }
    const auto* operands = attributeOf<std::vector<std::string>>(layer.ctx.node, operandsAttribute);
    for (std::size_t i = 0; operands != nullptr && i < operands->size(); ++i) {
        const std::string_view path = (*operands)[i];
        const bool isNamed = !path.starts_with(':') && (path.empty() || path.front() < '0' || path.front() > '9');
        if (isNamed && !isOneOf(path.substr(0, path.find('.')), tensorsOfCalls)) {
            refuseArgument(layer, path);
        }
    }
}

// Training.

bool isCalledForTraining(const Layer& layer)
{
    const auto* training = attributeOf<bool>(layer.ctx.node, trainingAttribute);
    return training != nullptr && *training;
}

/// Rates of dropout in a layer, its cells and the layers that it wraps: the first one that drops something.
std::optional<std::string> settingOfDropout(const Layer& layer)
{
    const std::string prefix = layer.settings.nameOf("");
    for (const Attribute& attribute : layer.ctx.node.attributes) {
        const std::string_view name = attribute.name;
        const bool isRate = name.starts_with(prefix) && (name.ends_with("dropout") || name.ends_with("dropout_rate"));
        const auto* rate = std::get_if<double>(&attribute.value);
        const auto* whole = std::get_if<std::int64_t>(&attribute.value);
        if (isRate && ((rate != nullptr && *rate != 0) || (whole != nullptr && *whole != 0))) {
            return attribute.name;
        }
    }
    return std::nullopt;
}

/// The setting that makes a layer random in training; empty if it is so in any case.
std::optional<std::string> randomSetting(const Layer& layer)
{
    const std::string& op = layer.op();
    const auto unlessZero = [&](const char* setting) {
        return layer.settings.number(setting, 1) != 0 ? std::optional(layer.settings.nameOf(setting)) : std::nullopt;
    };
    if (op.ends_with("Dropout") || op.starts_with("SpatialDropout")) {
        return unlessZero("rate");
    }
    if (op == "GaussianNoise") {
        return unlessZero("stddev");
    }
    if (op == "StochasticDepth" || (op.starts_with("Random") && layer.major() < 3)) {
        return std::string();
    }
    if (op == "SpectralNormalization" && layer.major() < 3) { // each call changes the kernel
        return std::string();
    }
    return settingOfDropout(layer);
}

void checkTraining(const Layer& layer)
{
    if (!isCalledForTraining(layer)) {
        return;
    }
    const auto setting = randomSetting(layer);
    if (setting && isTraining(layer)) {
        layer.refuse("a call with training=True, after which each run has other results",
                     setting->empty() ? std::string(trainingAttribute) : *setting,
                     "call the layer without training=True before the model is saved");
    }
    const bool differs = setting || layer.op() == "BatchNormalization" || layer.op() == "SpectralNormalization";
    if (differs && !isTraining(layer)) {
        layer.ctx.note("training-call", "it is called with training=True, which Keras 3 heeds only outside of "
                                        "predict(); exported as at inference");
    }
}

} // namespace

bool isTraining(const Layer& layer)
{
    return layer.major() < 3 && isCalledForTraining(layer);
}

void checkCall(const Layer& layer)
{
    const bool isOfLowering =
        layer.op().starts_with("mask.") || layer.op() == stepsAsSamples || layer.op() == samplesAsSteps;
    if (!isFunction(layer.op()) && !isOfLowering) {
        checkArguments(layer);
        checkTraining(layer);
    }
}

} // namespace crosswalk::keras
