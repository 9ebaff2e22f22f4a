#include "core/formats/pytorch/pytorch_operator_info.h"

#include "core/formats/operator_tables.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"
#include "core/graph/source_location.h"

#include <algorithm>
#include <array>

namespace crosswalk::pytorch {
namespace {

constexpr auto categories = std::to_array<CategoryRow>({
    {OperatorCategory::Recurrent, "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"},
    {OperatorCategory::Convolution,
     "conv1d conv2d conv3d convolution _convolution conv_transpose1d conv_transpose2d conv_transpose3d linear matmul "
     "mm bmm "
     "mv dot addmm baddbmm addmv einsum scaled_dot_product_attention _scaled_dot_product_flash_attention_for_cpu"},
    {OperatorCategory::Normalisation, "batch_norm _native_batch_norm_legit_no_training native_batch_norm instance_norm "
                                      "layer_norm native_layer_norm rms_norm "
                                      "group_norm native_group_norm"},
    {OperatorCategory::Activation, "relu relu_ relu6 leaky_relu leaky_relu_ prelu elu celu selu gelu silu silu_ "
                                   "hardsigmoid hardswish hardswish_ hardtanh "
                                   "hardtanh_ softplus mish log_sigmoid threshold hardshrink softshrink tanhshrink glu "
                                   "clamp clamp_min clamp_max softmax "
                                   "_softmax log_softmax _log_softmax sigmoid tanh"},
    {OperatorCategory::Pooling,
     "max_pool1d max_pool2d max_pool3d max_pool2d_with_indices avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d "
     "adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d "
     "upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d "
     "upsample_trilinear3d "
     "upsample_bicubic2d _upsample_bilinear2d_aa _upsample_bicubic2d_aa grid_sampler"},
    {OperatorCategory::Shape,
     "view reshape _unsafe_view flatten unflatten ravel unsqueeze squeeze permute transpose t mT numpy_T movedim "
     "expand "
     "expand_as broadcast_to broadcast_tensors repeat tile slice narrow select cat concat stack split split_with_sizes "
     "chunk "
     "unbind flip roll unfold pad constant_pad_nd index index_select gather embedding pixel_shuffle sym_size clone "
     "contiguous to _to_copy copy_ copy"},
    {OperatorCategory::Data, "zeros ones full arange eye scalar_tensor lift_fresh_copy"},
});

std::string_view nameOf(const Node& node)
{
    constexpr std::string_view space = "aten::";
    const std::string_view op = node.op;
    return op.starts_with(space) ? op.substr(space.size()) : op;
}

OperatorCategory categoryOf(const Node& node)
{
    static const CategoryTable table(categories);
    if (node.op.starts_with("higher_order::")) {
        return OperatorCategory::ControlFlow;
    }
    return table.find(nameOf(node)).value_or(OperatorCategory::Arithmetic);
}

bool isOmitted(const Node& /*node*/, const Attribute& attribute, std::string_view /*text*/)
{
    static constexpr std::array hidden{argumentNames, computedNumbers,         overloadName, stackTrace,
                                       modulePath,    sourceLocationAttribute, deviceName};
    return std::find(hidden.begin(), hidden.end(), attribute.name) != hidden.end();
}

std::string_view operandName(const Node& node, std::size_t input)
{
    const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
    return names != nullptr && input < names->size() ? std::string_view((*names)[input]) : std::string_view();
}

bool isRandom(const Node& node)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"rand", "randn", "randint", "rand_like", "randn_like", "bernoulli", "multinomial"});
    return std::find(names.begin(), names.end(), nameOf(node)) != names.end();
}

} // namespace

const OperatorInfo& operatorInfo()
{
    static constexpr OperatorInfo info{
        .category = categoryOf,
        .isOmitted = isOmitted,
        .operandName = operandName,
        .isRandom = isRandom,
    };
    return info;
}

} // namespace crosswalk::pytorch
