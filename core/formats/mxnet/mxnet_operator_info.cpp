#include "core/formats/mxnet/mxnet_operator_info.h"

#include "core/formats/mxnet/aliases.h"
#include "core/formats/mxnet/mxnet_categories.h"
#include "core/formats/mxnet/mxnet_operator_doc.h"
#include "core/formats/mxnet/operand_kinds.h"
#include "core/formats/operator_tables.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

// Exporters write default values explicitly, as text.
constexpr auto defaults = std::to_array<DefaultRow>({
    {"", "adj", "0*"},
    {"", "ctx", ""},
    {"", "ctx", "None"},
    {"", "cudnn_off", "False"},
    {"", "cudnn_off", "0"},
    {"", "cudnn_tune", "*"},
    {"", "dilate", "1*"},
    {"", "dilate", "()"},
    {"", "flatten", "True"},
    {"", "layout", "None"},
    {"", "no_bias", "False"},
    {"", "no_bias", "0"},
    {"", "num_args", "*"},
    {"", "num_group", "1"},
    {"", "pad", "0*"},
    {"", "pad", "()"},
    {"", "stride", "1*"},
    {"", "stride", "()"},
    {"", "workspace", "*"},
    {"BatchNorm", "axis", "1"},
    {"BatchNorm", "eps", "0.001"},
    {"BatchNorm", "fix_gamma", "True"},
    {"BatchNorm", "momentum", "0.9"},
    {"BatchNorm", "output_mean_var", "False"},
    {"BatchNorm", "use_global_stats", "False"},
    {"BatchNorm", "min_calib_range", "None"},
    {"BatchNorm", "max_calib_range", "None"},
    {"Concat", "dim", "1"},
    {"Dropout", "axes", "()"},
    {"Dropout", "mode", "training"},
    {"Dropout", "p", "0.5"},
    {"Embedding", "dtype", "float32"},
    {"Embedding", "sparse_grad", "False"},
    {"LayerNorm", "axis", "-1"},
    {"LayerNorm", "eps", "1e-05"},
    {"LayerNorm", "output_mean_var", "False"},
    {"LeakyReLU", "act_type", "leaky"},
    {"LeakyReLU", "lower_bound", "*"},
    {"LeakyReLU", "slope", "0.25"},
    {"LeakyReLU", "upper_bound", "*"},
    {"Pooling", "count_include_pad", "True"},
    {"Pooling", "count_include_pad", "None"},
    {"Pooling", "global_pool", "False"},
    {"Pooling", "p_value", "*"},
    {"Pooling", "pool_type", "max"},
    {"Pooling", "pooling_convention", "valid"},
    {"RNN", "bidirectional", "False"},
    {"RNN", "lstm_state_clip_max", "None"},
    {"RNN", "lstm_state_clip_min", "None"},
    {"RNN", "lstm_state_clip_nan", "False"},
    {"RNN", "num_layers", "1"},
    {"RNN", "p", "0"},
    {"RNN", "p", "0.0"},
    {"RNN", "projection_size", "None"},
    {"RNN", "state_outputs", "False"},
    {"RNN", "use_sequence_length", "False"},
    {"Reshape", "keep_highest", "False"},
    {"Reshape", "reverse", "False"},
    {"Reshape", "target_shape", "0*"},
    {"SliceChannel", "axis", "1"},
    {"SliceChannel", "squeeze_axis", "False"},
    {"SliceChannel", "squeeze_axis", "0"},
    {"SoftmaxOutput", "grad_scale", "*"},
    {"SoftmaxOutput", "ignore_label", "*"},
    {"SoftmaxOutput", "multi_output", "False"},
    {"SoftmaxOutput", "normalization", "null"},
    {"SoftmaxOutput", "out_grad", "*"},
    {"SoftmaxOutput", "preserve_shape", "False"},
    {"SoftmaxOutput", "smooth_alpha", "*"},
    {"SoftmaxOutput", "use_ignore", "*"},
    {"dot", "transpose_a", "False"},
    {"dot", "transpose_b", "False"},
    {"batch_dot", "transpose_a", "False"},
    {"batch_dot", "transpose_b", "False"},
    {"softmax", "axis", "-1"},
    {"softmax", "dtype", "None"},
    {"softmax", "temperature", "None"},
    {"softmax", "use_length", "False"},
    {"Pad", "mode", "constant"},
    {"LRN", "alpha", "0.0001"},
    {"LRN", "beta", "0.75"},
    {"", "count_include_pad", "0"},
    {"RNN", "lstm_state_clip_nan", "0"},
});

bool isOmitted(const Node& node, const Attribute& attribute, std::string_view text)
{
    static const DefaultTable table(defaults);
    // The attributes include training settings: __lr_mult__, __init__, __shape__.
    return attribute.name.starts_with("__") || table.contains(node.op, attribute.name, text);
}

std::string_view operandName(const Node& node, std::size_t input)
{
    const auto operands = inputOperands(canonicalName(node.op), node.attributes);
    return input < operands.size() ? operands[input].name : std::string_view();
}

bool isRandom(const Node& node)
{
    constexpr auto marks = std::to_array<std::string_view>({"random", "sample", "shuffle", "bernoulli", "multinomial"});
    return std::ranges::any_of(marks, [&](std::string_view mark) { return node.op.find(mark) != std::string::npos; });
}

RecurrentFeature recurrentFeature(std::string_view attribute)
{
    if (attribute == "lstm_state_clip_min" || attribute == "lstm_state_clip_max") {
        return RecurrentFeature::CellClip;
    }
    return attribute == "lstm_state_clip_nan"   ? RecurrentFeature::CellClipOfNan
           : attribute == "projection_size"     ? RecurrentFeature::Projection
           : attribute == "use_sequence_length" ? RecurrentFeature::SequenceLengths
                                                : RecurrentFeature::None;
}

} // namespace

const OperatorInfo& operatorInfo()
{
    static constexpr OperatorInfo info{
        .category = categoryOf,
        .doc = [](const Graph&, const Node& node) { return operatorDoc(node.op); },
        .isOmitted = isOmitted,
        .operandName = operandName,
        .isRandom = isRandom,
        .recurrentFeature = recurrentFeature,
    };
    return info;
}

} // namespace crosswalk::mxnet
