#include "core/formats/keras/layer_weights.h"

#include "core/formats/keras/dtype_policy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace crosswalk::keras {
namespace {

using Specs = std::vector<WeightSpec>;

bool isSet(const ConfigValue& config, std::string_view key, bool otherwise)
{
    const ConfigValue* value = config.find(key);
    const bool* truth = value != nullptr ? std::get_if<bool>(value) : nullptr;
    return truth != nullptr ? *truth : otherwise;
}

bool isGiven(const ConfigValue& config, std::string_view key)
{
    const ConfigValue* value = config.find(key);
    return value != nullptr && !value->isNull();
}

Specs named(std::initializer_list<const char*> names)
{
    Specs specs;
    for (const char* name : names) {
        specs.push_back({{}, name});
    }
    return specs;
}

Specs withBias(Specs specs, const ConfigValue& config)
{
    if (isSet(config, "use_bias", true)) {
        specs.push_back({{}, "bias"});
    }
    return specs;
}

Specs under(const std::string& owner, Specs specs)
{
    for (WeightSpec& spec : specs) {
        spec.owner = spec.owner.empty() ? owner : owner + "/" + spec.owner;
    }
    return specs;
}

void append(Specs& specs, Specs more)
{
    specs.insert(specs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Specs scaleAndCenter(const ConfigValue& config)
{
    Specs specs;
    if (isSet(config, "scale", true) || isSet(config, "rms_scaling", false)) {
        specs.push_back({{}, "gamma"});
    }
    if (isSet(config, "center", true) && !isSet(config, "rms_scaling", false)) {
        specs.push_back({{}, "beta"});
    }
    return specs;
}

Specs batchNormalization(const ConfigValue& config)
{
    Specs specs = scaleAndCenter(config);
    specs.push_back({{}, "moving_mean", false});
    specs.push_back({{}, "moving_variance", false});
    if (isSet(config, "renorm", false)) {
        specs.push_back({{}, "moving_stddev", false});
        specs.push_back({{}, "renorm_mean", false});
        specs.push_back({{}, "renorm_stddev", false});
    }
    return specs;
}

Specs recurrent(const ConfigValue& config)
{
    return withBias(named({"kernel", "recurrent_kernel"}), config);
}

/// Keras 1 has the gates apart, unless its setting asks for the form of GPUs.
Specs recurrentOfKeras1(const std::string& className, const ConfigValue& config)
{
    const std::string gates = config.text("consume_less") == "gpu" ? ""
                              : className == "LSTM"                ? "icfo"
                              : className == "GRU"                 ? "zrh"
                                                                   : "";
    if (gates.empty()) {
        return named({"kernel", "recurrent_kernel", "bias"});
    }
    Specs specs;
    for (const char gate : gates) {
        for (const char* part : {"kernel_", "recurrent_kernel_", "bias_"}) {
            specs.push_back({{}, std::string(part) + gate});
        }
    }
    return specs;
}

/// The weights of a kernel that is quantized, in the order of files; nothing for a mode that is not supported.
std::optional<Specs> quantizedKernel(const DtypePolicy& policy, bool hasBias)
{
    if (policy.mode == "gptq" || policy.mode == "awq") {
        Specs calibrated = hasBias ? named({"bias"}) : Specs();
        for (const char* name : {"kernel", "kernel_scale", "kernel_zero"}) {
            calibrated.push_back({{}, name, false});
        }
        if (policy.mode == "awq") {
            calibrated.push_back({{}, "awq_scales", false});
        }
        calibrated.push_back({{}, "g_idx", false});
        return calibrated;
    }
    const bool isFloat8 = policy.mode == "float8";
    Specs specs{{{}, "kernel", isFloat8}};
    if (hasBias) {
        specs.push_back({{}, "bias"});
    }
    if (isFloat8) {
        for (const char* name : {"inputs_scale", "inputs_amax_history", "kernel_scale", "kernel_amax_history",
                                 "outputs_grad_scale", "outputs_grad_amax_history"}) {
            specs.push_back({{}, name});
        }
        return specs;
    }
    if (policy.mode != "int8" && policy.mode != "int4") {
        return std::nullopt;
    }
    specs.push_back({{}, "kernel_scale", false});
    if (policy.mode == "int4" && policy.block > 0) {
        specs.push_back({{}, "kernel_zero", false});
        specs.push_back({{}, "g_idx", false});
    }
    return specs;
}

/// The weights of tables that are quantized, in the order of files.
Specs quantizedTables(const std::string& className, const DtypePolicy& policy, const ConfigValue& config)
{
    const bool hasGroups = policy.mode == "int4" && policy.block > 0;
    Specs specs{{{}, "embeddings", false}, {{}, "embeddings_scale", false}};
    if (hasGroups) {
        specs.push_back({{}, "embeddings_zero", false});
        specs.push_back({{}, "g_idx", false});
    }
    if (className == "ReversibleEmbedding" && !isSet(config, "tie_weights", true)) {
        specs.push_back({{}, "reverse_embeddings", false});
        specs.push_back({{}, "reverse_embeddings_scale", false});
        if (hasGroups) {
            specs.push_back({{}, "reverse_embeddings_zero", false});
        }
    }
    return specs;
}

std::optional<Specs> quantized(const std::string& className, const DtypePolicy& policy, const ConfigValue& config)
{
    if (className == "Dense" || className == "EinsumDense") {
        return quantizedKernel(policy,
                               className == "Dense" ? isSet(config, "use_bias", true) : isGiven(config, "bias_axes"));
    }
    const bool hasMode = policy.mode == "int8" || policy.mode == "int4";
    if ((className == "Embedding" || className == "ReversibleEmbedding") && hasMode) {
        return quantizedTables(className, policy, config);
    }
    return std::nullopt;
}

std::optional<Specs> attentionHeads(const ConfigValue& config)
{
    Specs specs;
    const auto add = [&](const std::string& owner) {
        const DtypePolicy policy = dtypePolicy(partPolicy(config, owner));
        const bool hasBias = isSet(config, "use_bias", true);
        auto own = policy.mode.empty() ? withBias(named({"kernel"}), config) : quantizedKernel(policy, hasBias);
        if (own) {
            append(specs, under(owner, std::move(*own)));
        }
        return own.has_value();
    };
    for (const char* dense : {"query_dense", "key_dense", "value_dense", "output_dense"}) {
        if (!add(dense)) {
            return std::nullopt;
        }
    }
    if (isSet(config, "use_gate", false) && !add("gate_dense")) {
        return std::nullopt;
    }
    return specs;
}

Specs attention(const std::string& className, const ConfigValue& config)
{
    Specs specs;
    if (isSet(config, "use_scale", className == "AdditiveAttention")) {
        specs.push_back({{}, "scale"});
    }
    if (config.text("score_mode") == "concat") {
        specs.push_back({{}, "concat_score_weight"});
    }
    return specs;
}

/// The weights of a layer that is a setting of another.
std::optional<Specs> nested(const ConfigValue* wrapped, const std::string& owner, const Dialect& dialect)
{
    const ConfigValue* config = wrapped != nullptr ? wrapped->find("config") : nullptr;
    if (config == nullptr) {
        return std::nullopt;
    }
    auto specs = weightSpecs(wrapped->text("class_name"), *config, dialect);
    if (specs) {
        specs = under(owner, std::move(*specs));
        if (!isSet(*config, "trainable", true)) {
            std::ranges::for_each(*specs, [](WeightSpec& spec) { spec.isTrainable = false; });
        }
    }
    return specs;
}

std::optional<Specs> cells(const ConfigValue& config, const Dialect& dialect)
{
    const ConfigValue* list = config.find("cells");
    if (list == nullptr || list->list() == nullptr) {
        return std::nullopt;
    }
    Specs specs;
    std::map<std::string, int> seen;
    for (const ConfigValue& cell : *list->list()) {
        const std::string id = snakeCase(cell.text("class_name"));
        const int count = seen[id]++;
        auto own = nested(&cell, "cells/" + (count == 0 ? id : id + "_" + std::to_string(count)), dialect);
        if (!own) {
            return std::nullopt;
        }
        append(specs, std::move(*own));
    }
    return specs;
}

std::optional<Specs> bidirectional(const ConfigValue& config, const Dialect& dialect)
{
    const ConfigValue* forward = config.find("layer");
    const ConfigValue* backward = config.find("backward_layer");
    auto specs = nested(forward, "forward_layer", dialect);
    auto others =
        nested(backward != nullptr && backward->object() != nullptr ? backward : forward, "backward_layer", dialect);
    if (specs && others) {
        append(*specs, std::move(*others));
        return specs;
    }
    return std::nullopt;
}

std::optional<Specs> wrapper(const std::string& className, const ConfigValue& config, const Dialect& dialect)
{
    if (className == "Bidirectional") {
        return bidirectional(config, dialect);
    }
    if (className == "RNN") {
        return nested(config.find("cell"), "cell", dialect);
    }
    if (className == "StackedRNNCells") {
        return cells(config, dialect);
    }
    auto specs = nested(config.find("layer"), "layer", dialect);
    if (specs && className == "SpectralNormalization") {
        specs->push_back({{}, "vector_u", false, 1}); // behind the kernel of the layer
    }
    return specs;
}

/// Classes whose weights are always these and a bias where `use_bias` says so.
const std::map<std::string_view, Specs>& kernelClasses()
{
    static const auto table = [] {
        std::map<std::string_view, Specs> classes;
        for (const char* name : {"Dense", "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose",
                                 "Conv3DTranspose", "LocallyConnected1D", "LocallyConnected2D"}) {
            classes[name] = named({"kernel"});
        }
        for (const char* name : {"DepthwiseConv1D", "DepthwiseConv2D"}) {
            classes[name] = named({"depthwise_kernel"});
        }
        for (const char* name : {"SeparableConv1D", "SeparableConv2D"}) {
            classes[name] = named({"depthwise_kernel", "pointwise_kernel"});
        }
        for (const char* name : {"SimpleRNNCell", "LSTMCell", "GRUCell"}) {
            classes[name] = named({"kernel", "recurrent_kernel"});
        }
        return classes;
    }();
    return table;
}

const std::map<std::string_view, Specs>& fixedClasses()
{
    static const std::map<std::string_view, Specs> table{
        {"Embedding", named({"embeddings"})},
        {"PReLU", named({"alpha"})},
        {"SReLU", named({"t_left", "a_left", "t_right", "a_right"})},
        {"ParametricSoftplus", named({"alpha", "beta"})},
        {"RMSNormalization", named({"scale"})},
        {"LayerScale", named({"gamma"})},
        {"CuDNNLSTM", named({"kernel", "recurrent_kernel", "bias"})},
        {"CuDNNGRU", named({"kernel", "recurrent_kernel", "bias"})},
        {"MaxoutDense", named({"kernel", "bias"})},
        {"Highway", named({"kernel", "carry_kernel", "bias", "carry_bias"})},
    };
    return table;
}

/// Classes without weights, whose names do not tell it: an operation never has any.
const std::set<std::string_view>& plainClasses()
{
    static const std::set<std::string_view> table{"InputLayer",
                                                  "Activation",
                                                  "Masking",
                                                  "Flatten",
                                                  "Reshape",
                                                  "Permute",
                                                  "RepeatVector",
                                                  "Identity",
                                                  "Dropout",
                                                  "SpatialDropout1D",
                                                  "SpatialDropout2D",
                                                  "SpatialDropout3D",
                                                  "GaussianDropout",
                                                  "GaussianNoise",
                                                  "AlphaDropout",
                                                  "ActivityRegularization",
                                                  "StochasticDepth",
                                                  "LeakyReLU",
                                                  "ELU",
                                                  "ThresholdedReLU",
                                                  "ReLU",
                                                  "Softmax",
                                                  "MaxPooling1D",
                                                  "MaxPooling2D",
                                                  "MaxPooling3D",
                                                  "AveragePooling1D",
                                                  "AveragePooling2D",
                                                  "AveragePooling3D",
                                                  "GlobalMaxPooling1D",
                                                  "GlobalMaxPooling2D",
                                                  "GlobalMaxPooling3D",
                                                  "GlobalAveragePooling1D",
                                                  "GlobalAveragePooling2D",
                                                  "GlobalAveragePooling3D",
                                                  "AdaptiveAveragePooling1D",
                                                  "AdaptiveAveragePooling2D",
                                                  "AdaptiveAveragePooling3D",
                                                  "AdaptiveMaxPooling1D",
                                                  "AdaptiveMaxPooling2D",
                                                  "AdaptiveMaxPooling3D",
                                                  "ZeroPadding1D",
                                                  "ZeroPadding2D",
                                                  "ZeroPadding3D",
                                                  "Cropping1D",
                                                  "Cropping2D",
                                                  "Cropping3D",
                                                  "UpSampling1D",
                                                  "UpSampling2D",
                                                  "UpSampling3D",
                                                  "Add",
                                                  "Subtract",
                                                  "Multiply",
                                                  "Average",
                                                  "Maximum",
                                                  "Minimum",
                                                  "Concatenate",
                                                  "Dot",
                                                  "Merge",
                                                  "UnitNormalization",
                                                  "Rescaling",
                                                  "Resizing",
                                                  "CenterCrop",
                                                  "Discretization",
                                                  "CategoryEncoding",
                                                  "StringLookup",
                                                  "IntegerLookup",
                                                  "AugMix",
                                                  "AutoContrast",
                                                  "CutMix",
                                                  "MelSpectrogram",
                                                  "MixUp",
                                                  "Pipeline",
                                                  "RandAugment",
                                                  "RandomBrightness",
                                                  "RandomColorDegeneration",
                                                  "RandomColorJitter",
                                                  "RandomContrast",
                                                  "RandomCrop",
                                                  "RandomElasticTransform",
                                                  "RandomErasing",
                                                  "RandomFlip",
                                                  "RandomGaussianBlur",
                                                  "RandomGrayscale",
                                                  "RandomHeight",
                                                  "RandomHue",
                                                  "RandomInvert",
                                                  "RandomPerspective",
                                                  "RandomPosterization",
                                                  "RandomRotation",
                                                  "RandomSaturation",
                                                  "RandomSharpness",
                                                  "RandomShear",
                                                  "RandomTranslation",
                                                  "RandomWidth",
                                                  "RandomZoom",
                                                  "Solarization"};
    return table;
}

} // namespace

std::optional<std::vector<WeightSpec>> weightSpecs(const std::string& className, const ConfigValue& config,
                                                   const Dialect& dialect)
{
    const std::string policy = config.text("dtype");
    if (const DtypePolicy parts = dtypePolicy(policy); !parts.mode.empty()) {
        return quantized(className, parts, config);
    }
    if (policy == unknownPolicy) {
        return std::nullopt; // refused at the layer's nodes
    }
    const bool isRecurrent = className == "SimpleRNN" || className == "LSTM" || className == "GRU";
    if (const auto row = kernelClasses().find(className); row != kernelClasses().end()) {
        return withBias(row->second, config);
    }
    if (const auto row = fixedClasses().find(className); row != fixedClasses().end()) {
        return row->second;
    }
    if (className == "Discretization" && !isGiven(config, "bin_boundaries") && dialect.major < 3) {
        return Specs{{{}, "summary", false}}; // of the data that it was adapted to
    }
    if ((className == "StringLookup" || className == "IntegerLookup") && config.text("output_mode") == "tf_idf" &&
        !isGiven(config, "idf_weights")) {
        return Specs{{{}, "idf_weights", false}};
    }
    if (plainClasses().contains(className) || className.starts_with("ops.") || className.starts_with("tf.")) {
        return Specs();
    }
    if (isRecurrent && dialect.major == 1) {
        return recurrentOfKeras1(className, config);
    }
    if (isRecurrent || className.starts_with("ConvLSTM")) {
        return under("cell", recurrent(config));
    }
    if (className == "BatchNormalization" || className == "SyncBatchNormalization") {
        return batchNormalization(config);
    }
    if (className == "LayerNormalization" || className == "GroupNormalization") {
        return scaleAndCenter(config);
    }
    if (className == "ReversibleEmbedding") {
        return isSet(config, "tie_weights", true) ? named({"embeddings"}) : named({"embeddings", "reverse_embeddings"});
    }
    if (className == "STFTSpectrogram") {
        const std::string mode = config.text("mode");
        return mode == "real"   ? named({"real_kernel"})
               : mode == "imag" ? named({"imag_kernel"})
                                : named({"real_kernel", "imag_kernel"});
    }
    if (className == "Normalization") {
        return isGiven(config, "mean") ? Specs()
                                       : Specs{{{}, "mean", false}, {{}, "variance", false}, {{}, "count", false}};
    }
    if (className == "EinsumDense") {
        return isGiven(config, "bias_axes") ? named({"kernel", "bias"}) : named({"kernel"});
    }
    if (className == "MultiHeadAttention" || className == "GroupedQueryAttention" ||
        className == "GroupQueryAttention") {
        return attentionHeads(config);
    }
    if (className == "Attention" || className == "AdditiveAttention") {
        return attention(className, config);
    }
    if (className == "Bidirectional" || className == "TimeDistributed" || className == "SpectralNormalization" ||
        className == "RNN" || className == "StackedRNNCells") {
        return wrapper(className, config, dialect);
    }
    return std::nullopt;
}

std::string snakeCase(std::string_view className)
{
    const auto isUpper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    const auto isLower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    if (const auto package = className.rfind('>'); package != std::string_view::npos) {
        className.remove_prefix(package + 1);
    }
    if (className.starts_with("ops.")) {
        className.remove_prefix(4);
    }
    std::string snake;
    for (std::size_t i = 0; i < className.size(); ++i) {
        const char c = className[i];
        const bool beforeLower = i + 1 < className.size() && isLower(className[i + 1]);
        const bool afterSmall = i > 0 && isLower(className[i - 1]);
        if (i > 0 && isUpper(c) && (beforeLower || afterSmall)) {
            snake += '_';
        }
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return snake;
}

} // namespace crosswalk::keras
