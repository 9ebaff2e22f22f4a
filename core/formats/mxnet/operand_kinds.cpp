#include "core/formats/mxnet/operand_kinds.h"

#include <algorithm>
#include <array>

namespace crosswalk::mxnet {
namespace {

constexpr auto data = OperandKind::Data;
constexpr auto parameter = OperandKind::Parameter;
constexpr auto auxiliary = OperandKind::Auxiliary;
constexpr auto label = OperandKind::Label;

using Slots = std::vector<Operand>;

Slots withBias(Slots slots, AttributeSpan attributes, bool noBiasByDefault = false)
{
    if (!flag(attributes, "no_bias", noBiasByDefault)) {
        slots.push_back({"bias", parameter});
    }
    return slots;
}

Slots dense(AttributeSpan attributes)
{
    return withBias({{"data", data}, {"weight", parameter}}, attributes);
}

Slots deconvolution(AttributeSpan attributes)
{
    return withBias({{"data", data}, {"weight", parameter}}, attributes, true);
}

Slots deformable(AttributeSpan attributes)
{
    return withBias({{"data", data}, {"offset", data}, {"weight", parameter}}, attributes);
}

Slots modulatedDeformable(AttributeSpan attributes)
{
    return withBias({{"data", data}, {"offset", data}, {"mask", data}, {"weight", parameter}}, attributes);
}

Slots batchNorm(AttributeSpan)
{
    return {{"data", data},
            {"gamma", parameter},
            {"beta", parameter},
            {"moving_mean", auxiliary},
            {"moving_var", auxiliary}};
}

Slots affineNorm(AttributeSpan)
{
    return {{"data", data}, {"gamma", parameter}, {"beta", parameter}};
}

Slots embedding(AttributeSpan)
{
    return {{"data", data}, {"weight", parameter}};
}

Slots recurrentOperands(AttributeSpan attributes)
{
    Slots slots = {{"data", data}, {"parameters", parameter}, {"state", data}};
    if (findAttribute(attributes, "mode") == "lstm") {
        slots.push_back({"state_cell", data});
    }
    if (flag(attributes, "use_sequence_length", false)) {
        slots.push_back({"sequence_length", data});
    }
    return slots;
}

Slots leakyReluOperands(AttributeSpan attributes)
{
    return findAttribute(attributes, "act_type") == "prelu" ? Slots{{"data", data}, {"gamma", parameter}}
                                                            : Slots{{"data", data}};
}

Slots upSampling(AttributeSpan attributes)
{
    return findAttribute(attributes, "sample_type") == "bilinear" ? Slots{{"data", data}, {"weight", parameter}}
                                                                  : Slots{};
}

Slots lossHead(AttributeSpan)
{
    return {{"data", data}, {"label", label}};
}

Slots sequence(AttributeSpan attributes)
{
    return flag(attributes, "use_sequence_length", false) ? Slots{{"data", data}, {"sequence_length", data}}
                                                          : Slots{{"data", data}};
}

Slots softmax(AttributeSpan attributes)
{
    return flag(attributes, "use_length", false) ? Slots{{"data", data}, {"length", data}} : Slots{{"data", data}};
}

Slots sparseRegularizer(AttributeSpan)
{
    return {{"data", data}, {"moving_avg", auxiliary}};
}

Slots quantizedDense(AttributeSpan attributes)
{
    Slots slots = dense(attributes);
    const bool biased = slots.size() == 3;
    slots.insert(slots.end(),
                 {{"min_data", data}, {"max_data", data}, {"min_weight", parameter}, {"max_weight", parameter}});
    if (biased) {
        slots.insert(slots.end(), {{"min_bias", parameter}, {"max_bias", parameter}});
    }
    return slots;
}

Slots quantizedBatchNorm(AttributeSpan attributes)
{
    Slots slots = batchNorm(attributes);
    slots.insert(slots.end(), {{"min_data", data}, {"max_data", data}});
    return slots;
}

struct OperandRow {
    std::string_view op;
    Slots (*slots)(AttributeSpan attributes);
};

constexpr auto operandRows = std::to_array<OperandRow>({
    {"BatchNorm", batchNorm},
    {"BatchNorm_v1", batchNorm},
    {"Convolution", dense},
    {"Convolution_v1", dense},
    {"Deconvolution", deconvolution},
    {"Embedding", embedding},
    {"FullyConnected", dense},
    {"GroupNorm", affineNorm},
    {"IdentityAttachKLSparseReg", sparseRegularizer},
    {"InstanceNorm", affineNorm},
    {"LayerNorm", affineNorm},
    {"LeakyReLU", leakyReluOperands},
    {"LinearRegressionOutput", lossHead},
    {"LogisticRegressionOutput", lossHead},
    {"MAERegressionOutput", lossHead},
    {"RNN", recurrentOperands},
    {"SVMOutput", lossHead},
    {"SequenceLast", sequence},
    {"SequenceMask", sequence},
    {"SequenceReverse", sequence},
    {"SoftmaxOutput", lossHead},
    {"UpSampling", upSampling},
    {"WarpCTC", lossHead},
    {"_contrib_BatchNormWithReLU", batchNorm},
    {"_contrib_DeformableConvolution", deformable},
    {"_contrib_ModulatedDeformableConvolution", modulatedDeformable},
    {"_contrib_SparseEmbedding", embedding},
    {"_contrib_SyncBatchNorm", batchNorm},
    {"_contrib_quantized_batch_norm", quantizedBatchNorm},
    {"_contrib_quantized_conv", quantizedDense},
    {"_contrib_quantized_fully_connected", quantizedDense},
    {"_npx_deformable_convolution", deformable},
    {"_npx_modulated_deformable_convolution", modulatedDeformable},
    {"softmax", softmax},
});
static_assert(std::is_sorted(operandRows.begin(), operandRows.end(),
                             [](const OperandRow& a, const OperandRow& b) { return a.op < b.op; }));

constexpr auto movers = std::to_array<std::string_view>({
    "BlockGrad",
    "Cast",
    "Concat",
    "Flatten",
    "Reshape",
    "SwapAxis",
    "_copy",
    "_np_copy",
    "_np_reshape",
    "_np_squeeze",
    "_np_transpose",
    "_npi_concatenate",
    "_npi_expand_dims",
    "_npx_reshape",
    "_rnn_param_concat",
    "amp_cast",
    "amp_multicast",
    "cast_storage",
    "expand_dims",
    "slice",
    "slice_axis",
    "squeeze",
    "stack",
    "transpose",
});

} // namespace

std::vector<Operand> inputOperands(std::string_view op, AttributeSpan attributes)
{
    const auto row = std::lower_bound(operandRows.begin(), operandRows.end(), op,
                                      [](const OperandRow& r, std::string_view name) { return r.op < name; });
    return row != operandRows.end() && row->op == op ? row->slots(attributes) : Slots{};
}

bool passesWeightsOn(std::string_view op)
{
    return std::find(movers.begin(), movers.end(), op) != movers.end();
}

} // namespace crosswalk::mxnet
