#include "core/layout/attribute_rows.h"

#include "core/graph/attribute_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk {
namespace {

/// A value that an operator has anyway. An empty operator means any; `1*` and `0*` a list of nothing but ones or
/// noughts.
struct DefaultValue {
    std::string_view op;
    std::string_view attribute;
    std::string_view value;
};

constexpr std::array defaultValues{
    DefaultValue{"", "auto_pad", "NOTSET"},
    DefaultValue{"", "ceil_mode", "0"},
    DefaultValue{"", "count_include_pad", "0"},
    DefaultValue{"", "dilations", "1*"},
    DefaultValue{"", "group", "1"},
    DefaultValue{"", "output_padding", "0*"},
    DefaultValue{"", "pads", "0*"},
    DefaultValue{"", "storage_order", "0"},
    DefaultValue{"", "strides", "1*"},
    DefaultValue{"BatchNormalization", "epsilon", "1e-05"},
    DefaultValue{"BatchNormalization", "momentum", "0.9"},
    DefaultValue{"BatchNormalization", "spatial", "1"},
    DefaultValue{"BatchNormalization", "training_mode", "0"},
    DefaultValue{"Gather", "axis", "0"},
    DefaultValue{"Gemm", "alpha", "1"},
    DefaultValue{"Gemm", "beta", "1"},
    DefaultValue{"Gemm", "transA", "0"},
    DefaultValue{"Gemm", "transB", "0"},
    DefaultValue{"InstanceNormalization", "epsilon", "1e-05"},
    DefaultValue{"LayerNormalization", "axis", "-1"},
    DefaultValue{"LayerNormalization", "epsilon", "1e-05"},
    DefaultValue{"LRN", "alpha", "0.0001"},
    DefaultValue{"LRN", "beta", "0.75"},
    DefaultValue{"LRN", "bias", "1"},
    DefaultValue{"Flatten", "axis", "1"},
    DefaultValue{"LSTM", "direction", "forward"},
    DefaultValue{"LSTM", "input_forget", "0"},
    DefaultValue{"LSTM", "layout", "0"},
    DefaultValue{"GRU", "direction", "forward"},
    DefaultValue{"GRU", "layout", "0"},
    DefaultValue{"GRU", "linear_before_reset", "0"},
    DefaultValue{"RNN", "direction", "forward"},
    DefaultValue{"RNN", "layout", "0"},
    DefaultValue{"Reshape", "allowzero", "0"},
    DefaultValue{"Resize", "coordinate_transformation_mode", "half_pixel"},
    DefaultValue{"Resize", "cubic_coeff_a", "-0.75"},
    DefaultValue{"Resize", "exclude_outside", "0"},
    DefaultValue{"Resize", "extrapolation_value", "0"},
    DefaultValue{"Resize", "mode", "nearest"},
    DefaultValue{"Resize", "nearest_mode", "round_prefer_floor"},
    DefaultValue{"Softmax", "axis", "-1"},
    DefaultValue{"LogSoftmax", "axis", "-1"},
    DefaultValue{"Pad", "mode", "constant"},
    DefaultValue{"Split", "axis", "0"},
    DefaultValue{"LeakyRelu", "alpha", "0.01"},
    DefaultValue{"Elu", "alpha", "1"},
    // MXNet: everything is text, and exporters write the defaults out.
    DefaultValue{"", "adj", "0*"},
    DefaultValue{"", "ctx", ""},
    DefaultValue{"", "ctx", "None"},
    DefaultValue{"", "cudnn_off", "False"},
    DefaultValue{"", "cudnn_off", "0"},
    DefaultValue{"", "cudnn_tune", "*"},
    DefaultValue{"", "dilate", "1*"},
    DefaultValue{"", "dilate", "()"},
    DefaultValue{"", "flatten", "True"},
    DefaultValue{"", "layout", "None"},
    DefaultValue{"", "no_bias", "False"},
    DefaultValue{"", "no_bias", "0"},
    DefaultValue{"", "num_args", "*"},
    DefaultValue{"", "num_group", "1"},
    DefaultValue{"", "pad", "0*"},
    DefaultValue{"", "pad", "()"},
    DefaultValue{"", "stride", "1*"},
    DefaultValue{"", "stride", "()"},
    DefaultValue{"", "workspace", "*"},
    DefaultValue{"BatchNorm", "axis", "1"},
    DefaultValue{"BatchNorm", "eps", "0.001"},
    DefaultValue{"BatchNorm", "fix_gamma", "True"},
    DefaultValue{"BatchNorm", "momentum", "0.9"},
    DefaultValue{"BatchNorm", "output_mean_var", "False"},
    DefaultValue{"BatchNorm", "use_global_stats", "False"},
    DefaultValue{"BatchNorm", "min_calib_range", "None"},
    DefaultValue{"BatchNorm", "max_calib_range", "None"},
    DefaultValue{"Concat", "dim", "1"},
    DefaultValue{"Dropout", "axes", "()"},
    DefaultValue{"Dropout", "mode", "training"},
    DefaultValue{"Dropout", "p", "0.5"},
    DefaultValue{"Embedding", "dtype", "float32"},
    DefaultValue{"Embedding", "sparse_grad", "False"},
    DefaultValue{"LayerNorm", "axis", "-1"},
    DefaultValue{"LayerNorm", "eps", "1e-05"},
    DefaultValue{"LayerNorm", "output_mean_var", "False"},
    DefaultValue{"LeakyReLU", "act_type", "leaky"},
    DefaultValue{"LeakyReLU", "lower_bound", "*"},
    DefaultValue{"LeakyReLU", "slope", "0.25"},
    DefaultValue{"LeakyReLU", "upper_bound", "*"},
    DefaultValue{"Pooling", "count_include_pad", "True"},
    DefaultValue{"Pooling", "count_include_pad", "None"},
    DefaultValue{"Pooling", "global_pool", "False"},
    DefaultValue{"Pooling", "p_value", "*"},
    DefaultValue{"Pooling", "pool_type", "max"},
    DefaultValue{"Pooling", "pooling_convention", "valid"},
    DefaultValue{"RNN", "bidirectional", "False"},
    DefaultValue{"RNN", "lstm_state_clip_max", "None"},
    DefaultValue{"RNN", "lstm_state_clip_min", "None"},
    DefaultValue{"RNN", "lstm_state_clip_nan", "False"},
    DefaultValue{"RNN", "num_layers", "1"},
    DefaultValue{"RNN", "p", "0"},
    DefaultValue{"RNN", "p", "0.0"},
    DefaultValue{"RNN", "projection_size", "None"},
    DefaultValue{"RNN", "state_outputs", "False"},
    DefaultValue{"RNN", "use_sequence_length", "False"},
    DefaultValue{"Reshape", "keep_highest", "False"},
    DefaultValue{"Reshape", "reverse", "False"},
    DefaultValue{"Reshape", "target_shape", "0*"},
    DefaultValue{"SliceChannel", "axis", "1"},
    DefaultValue{"SliceChannel", "squeeze_axis", "False"},
    DefaultValue{"SliceChannel", "squeeze_axis", "0"},
    DefaultValue{"SoftmaxOutput", "grad_scale", "*"},
    DefaultValue{"SoftmaxOutput", "ignore_label", "*"},
    DefaultValue{"SoftmaxOutput", "multi_output", "False"},
    DefaultValue{"SoftmaxOutput", "normalization", "null"},
    DefaultValue{"SoftmaxOutput", "out_grad", "*"},
    DefaultValue{"SoftmaxOutput", "preserve_shape", "False"},
    DefaultValue{"SoftmaxOutput", "smooth_alpha", "*"},
    DefaultValue{"SoftmaxOutput", "use_ignore", "*"},
    DefaultValue{"dot", "transpose_a", "False"},
    DefaultValue{"dot", "transpose_b", "False"},
    DefaultValue{"batch_dot", "transpose_a", "False"},
    DefaultValue{"batch_dot", "transpose_b", "False"},
    DefaultValue{"softmax", "axis", "-1"},
    DefaultValue{"softmax", "dtype", "None"},
    DefaultValue{"softmax", "temperature", "None"},
    DefaultValue{"softmax", "use_length", "False"},
};

/// The parts of "(1L, 1L)", "[1,1]" or "1, 1", each without the L that Python 2 wrote.
std::vector<std::string_view> listParts(std::string_view text)
{
    if (!text.empty() && (text.front() == '(' || text.front() == '[')) {
        text = text.substr(1, text.find_first_of(")]") - 1);
    }
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        std::string_view part = text.substr(at, end - at);
        while (part.starts_with(' ')) {
            part.remove_prefix(1);
        }
        if (part.size() > 1 && part.ends_with('L')) {
            part.remove_suffix(1);
        }
        if (!part.empty()) {
            parts.push_back(part);
        }
        at = end + 1;
    }
    return parts;
}

bool matches(std::string_view value, std::string_view wanted)
{
    if (wanted == "*") {
        return true;
    }
    if (wanted == "1*" || wanted == "0*") {
        const auto parts = listParts(value);
        return !parts.empty() && std::ranges::all_of(parts, [&](auto part) { return part == wanted.substr(0, 1); });
    }
    return value == wanted;
}

bool isDefault(std::string_view op, std::string_view attribute, std::string_view value)
{
    using Rows = std::unordered_map<std::string_view, std::vector<DefaultValue>>;
    static const Rows rowsOfAttribute = [] {
        Rows rows;
        for (const DefaultValue& row : defaultValues) {
            rows[row.attribute].push_back(row);
        }
        return rows;
    }();
    const auto rows = rowsOfAttribute.find(attribute);
    return rows != rowsOfAttribute.end() && std::ranges::any_of(rows->second, [&](const DefaultValue& row) {
               return (row.op.empty() || row.op == op) && matches(value, row.value);
           });
}

} // namespace

std::vector<std::string> attributeRows(const Node& node, const Graph& graph)
{
    std::vector<std::string> rows;
    for (const Attribute& attribute : node.attributes) {
        // MXNet keeps training's settings among the attributes: __lr_mult__, __init__, __shape__.
        if (attribute.name.starts_with("__")) {
            continue;
        }
        const std::string value = attributeText(attribute, graph);
        if (!isDefault(node.op, attribute.name, value)) {
            rows.push_back(attribute.name + " " + value);
        }
    }
    return rows;
}

} // namespace crosswalk
