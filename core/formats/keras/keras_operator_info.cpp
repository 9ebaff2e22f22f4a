#include "core/formats/keras/keras_operator_info.h"

#include "core/formats/keras/keras_operator_text.h"
#include "core/formats/keras/layer_graph.h"
#include "core/formats/operator_tables.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::keras {
namespace {

constexpr auto categories = std::to_array<CategoryRow>({
    {OperatorCategory::Recurrent,
     "Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D CuDNNGRU CuDNNLSTM GRU LSTM RNN SimpleRNN"},
    {OperatorCategory::Convolution,
     "AdditiveAttention Attention Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose Dense "
     "DepthwiseConv1D DepthwiseConv2D Dot EinsumDense GroupQueryAttention GroupedQueryAttention Highway "
     "LocallyConnected1D LocallyConnected2D MaxoutDense MelSpectrogram MultiHeadAttention STFTSpectrogram "
     "SeparableConv1D SeparableConv2D"},
    {OperatorCategory::Normalisation,
     "BatchNormalization GroupNormalization LayerNormalization LayerScale Normalization RMSNormalization Rescaling "
     "SpectralNormalization SyncBatchNormalization UnitNormalization"},
    {OperatorCategory::Activation,
     "Activation ELU LeakyReLU PReLU ParametricSoftplus ReLU SReLU Softmax ThresholdedReLU"},
    {OperatorCategory::Pooling,
     "AdaptiveAveragePooling1D AdaptiveAveragePooling2D AdaptiveAveragePooling3D AdaptiveMaxPooling1D "
     "AdaptiveMaxPooling2D AdaptiveMaxPooling3D AveragePooling1D AveragePooling2D AveragePooling3D CenterCrop "
     "GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D GlobalMaxPooling1D GlobalMaxPooling2D "
     "GlobalMaxPooling3D MaxPooling1D MaxPooling2D MaxPooling3D Resizing UpSampling1D UpSampling2D UpSampling3D"},
    {OperatorCategory::Shape,
     "Concatenate Cropping1D Cropping2D Cropping3D Embedding Flatten Permute RepeatVector Reshape "
     "ReversibleEmbedding TimeDistributed "
     "TimeDistributed.begin TimeDistributed.end ZeroPadding1D ZeroPadding2D ZeroPadding3D"},
    {OperatorCategory::Arithmetic, "Add Average Masking Maximum Merge Minimum Multiply Subtract"},
    {OperatorCategory::Data, "Identity"},
});

OperatorCategory categoryOf(const Node& node)
{
    static const CategoryTable table(categories);
    return table.find(node.op).value_or(node.op.starts_with("ops.") || node.op.starts_with("tf.")
                                            ? OperatorCategory::Arithmetic
                                            : OperatorCategory::Other);
}

// Keras writes all settings; these are the values that say nothing.
constexpr auto defaults = std::to_array<DefaultRow>({
    {"", "activation", "linear"},
    {"", "data_format", "channels_last"},
    {"", "dilation_rate", "1*"},
    {"", "dilation_rate", "1"},
    {"", "groups", "1"},
    {"", "keepdims", "false"},
    {"", "padding", "valid"},
    {"", "strides", "1*"},
    {"", "use_bias", "true"},
});

bool isOmitted(const Node& /*node*/, const Attribute& attribute, std::string_view text)
{
    constexpr auto irrelevant = std::to_array<std::string_view>(
        {operandsAttribute, "dtype", "momentum", "seed", "dropout", "recurrent_dropout", "implementation", "unroll",
         "stateful", "unit_forget_bias", "rate", "noise_shape", "renorm", "synchronized", "virtual_batch_size"});
    static const DefaultTable table(defaults);
    return std::ranges::find(irrelevant, attribute.name) != irrelevant.end() ||
           std::holds_alternative<std::monostate>(attribute.value) || attribute.name.ends_with("registered_name") ||
           attribute.name.ends_with("module") || attribute.name.ends_with(".dtype") ||
           table.contains({}, attribute.name, text);
}

/// Weights by their names; the arguments by theirs, or none for positions.
std::string_view operandName(const Node& node, std::size_t input)
{
    const auto* operands = attributeOf<std::vector<std::string>>(node, operandsAttribute);
    if (operands == nullptr || input >= operands->size()) {
        return {};
    }
    const std::string_view name = (*operands)[input];
    if (name.starts_with(':')) {
        return name.substr(1);
    }
    return !name.empty() && name.front() >= '0' && name.front() <= '9' ? std::string_view() : name;
}

OperatorDoc operatorDoc(const Graph& /*graph*/, const Node& node)
{
    return {.text = std::string(operatorText(node.op)), .attributes = {}};
}

} // namespace

const OperatorInfo& operatorInfo()
{
    static const OperatorInfo info{
        .category = categoryOf, .doc = operatorDoc, .isOmitted = isOmitted, .operandName = operandName};
    return info;
}

} // namespace crosswalk::keras
