#include "core/formats/onnx/onnx_operator_info.h"

#include "core/formats/onnx/onnx_operator_doc.h"
#include "core/formats/operator_tables.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

constexpr auto categories = std::to_array<CategoryRow>({
    {OperatorCategory::Recurrent, "GRU LSTM RNN"},
    {OperatorCategory::Convolution,
     "Attention Conv ConvInteger ConvTranspose DeformConv Gemm MatMul MatMulInteger MultiHeadAttention "
     "QLinearConv QLinearMatMul"},
    {OperatorCategory::Normalisation,
     "BatchNormalization GroupNormalization InstanceNormalization LRN LayerNormalization LpNormalization "
     "MeanVarianceNormalization RMSNormalization SimplifiedLayerNormalization SkipLayerNormalization"},
    {OperatorCategory::Activation,
     "Celu Clip Elu Gelu HardSigmoid HardSwish Hardmax LeakyRelu LogSoftmax Mish PRelu Relu Selu Shrink "
     "Sigmoid Softmax Softplus Softsign Swish Tanh ThresholdedRelu"},
    {OperatorCategory::Pooling,
     "AveragePool GlobalAveragePool GlobalLpPool GlobalMaxPool LpPool MaxPool MaxRoiPool MaxUnpool Resize "
     "RoiAlign Upsample"},
    {OperatorCategory::Shape,
     "Cast CastLike CenterCropPad Col2Im Compress Concat DepthToSpace Expand Flatten Gather GatherElements "
     "GatherND GridSample OneHot Pad ReverseSequence Reshape ScatterElements ScatterND Shape Size Slice "
     "SpaceToDepth Split Squeeze Tile TopK Transpose Trilu Unique Unsqueeze Where"},
    {OperatorCategory::Arithmetic,
     "Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr "
     "BitwiseXor Ceil Cos Cosh CumSum Det Div Einsum Equal Erf Exp Floor Greater GreaterOrEqual IsInf "
     "IsNaN Less LessOrEqual Log Max Mean Min Mod Mul Neg Not Or Pow Reciprocal ReduceL1 ReduceL2 "
     "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare "
     "Round Sign Sin Sinh Sqrt Sub Sum Tan Xor DequantizeLinear DynamicQuantizeLinear QuantizeLinear"},
    {OperatorCategory::ControlFlow, "If Loop Scan SequenceMap"},
    {OperatorCategory::Data,
     "Constant ConstantOfShape Dropout EyeLike Identity Multinomial RandomNormal RandomNormalLike "
     "RandomUniform RandomUniformLike Range Bernoulli"},
});

constexpr auto defaults = std::to_array<DefaultRow>({
    {"", "auto_pad", "NOTSET"},
    {"", "ceil_mode", "0"},
    {"", "count_include_pad", "0"},
    {"", "dilations", "1*"},
    {"", "group", "1"},
    {"", "output_padding", "0*"},
    {"", "pads", "0*"},
    {"", "storage_order", "0"},
    {"", "strides", "1*"},
    {"BatchNormalization", "epsilon", "1e-05"},
    {"BatchNormalization", "momentum", "0.9"},
    {"BatchNormalization", "spatial", "1"},
    {"BatchNormalization", "training_mode", "0"},
    {"Gather", "axis", "0"},
    {"Gemm", "alpha", "1"},
    {"Gemm", "beta", "1"},
    {"Gemm", "transA", "0"},
    {"Gemm", "transB", "0"},
    {"InstanceNormalization", "epsilon", "1e-05"},
    {"LayerNormalization", "axis", "-1"},
    {"LayerNormalization", "epsilon", "1e-05"},
    {"LRN", "alpha", "0.0001"},
    {"LRN", "beta", "0.75"},
    {"LRN", "bias", "1"},
    {"Flatten", "axis", "1"},
    {"LSTM", "direction", "forward"},
    {"LSTM", "input_forget", "0"},
    {"LSTM", "layout", "0"},
    {"GRU", "direction", "forward"},
    {"GRU", "layout", "0"},
    {"GRU", "linear_before_reset", "0"},
    {"RNN", "direction", "forward"},
    {"RNN", "layout", "0"},
    {"Reshape", "allowzero", "0"},
    {"Resize", "coordinate_transformation_mode", "half_pixel"},
    {"Resize", "cubic_coeff_a", "-0.75"},
    {"Resize", "exclude_outside", "0"},
    {"Resize", "extrapolation_value", "0"},
    {"Resize", "mode", "nearest"},
    {"Resize", "nearest_mode", "round_prefer_floor"},
    {"Softmax", "axis", "-1"},
    {"LogSoftmax", "axis", "-1"},
    {"Pad", "mode", "constant"},
    {"Split", "axis", "0"},
    {"LeakyRelu", "alpha", "0.01"},
    {"Elu", "alpha", "1"},
});

struct OperandNames {
    std::string_view op;
    std::array<std::string_view, 8> names; ///< of the inputs; empty where the name of the value describes it better
};

// Sorted by operator.
constexpr auto operands = std::to_array<OperandNames>({
    {"Add", {"constant", "constant"}},
    {"BatchNormalization", {"", "scale", "bias", "mean", "var"}},
    {"Clip", {"", "min", "max"}},
    {"Conv", {"", "weight", "bias"}},
    {"ConvTranspose", {"", "weight", "bias"}},
    {"Div", {"constant", "constant"}},
    {"Expand", {"", "shape"}},
    {"GRU", {"", "weight", "recurrence", "bias", "lengths", "initial h"}},
    {"Gather", {"table", "indices"}},
    {"Gemm", {"weight", "weight", "bias"}},
    {"InstanceNormalization", {"", "scale", "bias"}},
    {"LSTM", {"", "weight", "recurrence", "bias", "lengths", "initial h", "initial c", "peepholes"}},
    {"LayerNormalization", {"", "scale", "bias"}},
    {"MatMul", {"weight", "weight"}},
    {"Mul", {"constant", "constant"}},
    {"PRelu", {"", "slope"}},
    {"Pad", {"", "pads", "value", "axes"}},
    {"Pow", {"base", "exponent"}},
    {"RNN", {"", "weight", "recurrence", "bias", "lengths", "initial h"}},
    {"ReduceMax", {"", "axes"}},
    {"ReduceMean", {"", "axes"}},
    {"ReduceSum", {"", "axes"}},
    {"Reshape", {"", "shape"}},
    {"Resize", {"", "roi", "scales", "sizes"}},
    {"Slice", {"", "starts", "ends", "axes", "steps"}},
    {"Split", {"", "sizes"}},
    {"Squeeze", {"", "axes"}},
    {"Sub", {"constant", "constant"}},
    {"Tile", {"", "repeats"}},
    {"TopK", {"", "k"}},
    {"Unsqueeze", {"", "axes"}},
    {"Where", {"condition", "constant", "constant"}},
});
static_assert(std::ranges::is_sorted(operands, {}, &OperandNames::op));

OperatorCategory categoryOf(const Node& node)
{
    static const CategoryTable table(categories);
    return table.find(node.op).value_or(OperatorCategory::Other);
}

bool isOmitted(const Node& node, const Attribute& attribute, std::string_view text)
{
    static const DefaultTable table(defaults);
    return table.contains(node.op, attribute.name, text);
}

std::string_view operandName(const Node& node, std::size_t input)
{
    const auto row = std::ranges::lower_bound(operands, node.op, {}, &OperandNames::op);
    return row != operands.end() && row->op == node.op && input < row->names.size() ? row->names[input]
                                                                                    : std::string_view();
}

bool isRandom(const Node& node)
{
    return node.op.starts_with("Random") || node.op == "Bernoulli" || node.op == "Multinomial";
}

} // namespace

const OperatorInfo& onnxOperatorInfo()
{
    static constexpr OperatorInfo info{
        .category = categoryOf,
        .doc = onnxOperatorDoc,
        .isOmitted = isOmitted,
        .operandName = operandName,
        .prefersOperandNames = true,
        .isRandom = isRandom,
        .constantAttribute = [](const Node& node) -> std::string_view { return node.op == "Constant" ? "value" : ""; },
    };
    return info;
}

} // namespace crosswalk
