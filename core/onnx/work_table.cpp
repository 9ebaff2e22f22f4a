#include "core/onnx/work_table.h"

#include <unordered_map>

namespace crosswalk {
namespace {

std::unordered_map<std::string_view, WorkRule> byOperator()
{
    using enum WorkRule;
    static constexpr std::pair<WorkRule, std::string_view> rules[] = {
        {Nothing,
         "Cast CastLike Concat ConcatFromSequence Constant ConstantOfShape DepthToSpace Dropout Expand EyeLike "
         "Flatten Gather GatherElements GatherND Identity NonZero OneHot Optional OptionalGetElement "
         "OptionalHasElement Pad Range Reshape ReverseSequence ScatterElements ScatterND SequenceAt "
         "SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength Shape Size Slice "
         "SpaceToDepth Split SplitToSequence Squeeze Tile Transpose Trilu Unsqueeze"},
        {Outputs,
         "Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization Bernoulli BitShift BitwiseAnd BitwiseNot "
         "BitwiseOr BitwiseXor Ceil Celu Clip Cos Cosh DequantizeLinear Div DynamicQuantizeLinear Elu Equal Erf Exp "
         "Floor "
         "Gelu Greater GreaterOrEqual GroupNormalization HardSigmoid HardSwish Hardmax InstanceNormalization IsInf "
         "IsNaN "
         "LRN LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax LpNormalization Max Mean "
         "MeanVarianceNormalization Min Mish Mod Mul Multinomial Neg Not Or PRelu Pow QuantizeLinear RMSNormalization "
         "RandomNormal RandomNormalLike RandomUniform RandomUniformLike Reciprocal Relu Resize Round Selu Shrink "
         "Sigmoid "
         "Sign Sin Sinh Softmax Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Upsample Where Xor"},
        {Inputs, "ArgMax ArgMin CumSum GlobalAveragePool GlobalLpPool GlobalMaxPool ReduceL1 ReduceL2 ReduceLogSum "
                 "ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare"},
        {Conv, "Conv ConvInteger QLinearConv"},
        {ConvTranspose, "ConvTranspose"},
        {Gemm, "Gemm"},
        {MatMul, "MatMul MatMulInteger QLinearMatMul"},
        {Einsum, "Einsum"},
        {Recurrent, "GRU LSTM RNN"},
        {Pool, "AveragePool LpPool MaxPool"},
        {Scan, "Scan"},
        {Loop, "Loop"},
        {If, "If"},
    };
    std::unordered_map<std::string_view, WorkRule> table;
    for (const auto& [rule, names] : rules) {
        for (std::string_view rest = names; !rest.empty();) {
            const auto end = std::min(rest.find(' '), rest.size());
            table.emplace(rest.substr(0, end), rule);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return table;
}

} // namespace

WorkRule workRule(std::string_view op)
{
    static const auto table = byOperator();
    const auto found = table.find(op);
    return found != table.end() ? found->second : WorkRule::Unknown;
}

} // namespace crosswalk
