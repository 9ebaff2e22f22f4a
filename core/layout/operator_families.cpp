#include "core/layout/scene.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace crosswalk {
namespace {

struct FamilyRow {
    OperatorFamily family;
    std::string_view operators; ///< ONNX's and MXNet's names, parted by spaces
};

constexpr std::array familyRows{
    FamilyRow{OperatorFamily::Recurrent, "GRU LSTM RNN _contrib_rnn_cell _rnn_param_concat"},
    FamilyRow{
        OperatorFamily::Convolution,
        "Attention Conv ConvInteger ConvTranspose Convolution Convolution_v1 Correlation Deconvolution DeformConv "
        "DeformableConvolution FullyConnected Gemm MatMul MatMulInteger ModulatedDeformableConvolution "
        "MultiHeadAttention QLinearConv QLinearMatMul _contrib_DeformableConvolution "
        "_contrib_ModulatedDeformableConvolution _contrib_interleaved_matmul_encdec_qk "
        "_contrib_interleaved_matmul_encdec_valatt _contrib_interleaved_matmul_selfatt_qk "
        "_contrib_interleaved_matmul_selfatt_valatt _linalg_gemm _linalg_gemm2 _npi_matmul _npi_tensordot "
        "_sparse_dot batch_dot dot linalg_gemm linalg_gemm2"},
    FamilyRow{OperatorFamily::Normalisation,
              "BatchNorm BatchNorm_v1 BatchNormalization CuDNNBatchNorm GroupNorm GroupNormalization InstanceNorm "
              "InstanceNormalization L2Normalization LRN LayerNorm LayerNormalization LpNormalization "
              "MeanVarianceNormalization RMSNormalization SimplifiedLayerNormalization "
              "SkipLayerNormalization _contrib_SyncBatchNorm"},
    FamilyRow{
        OperatorFamily::Activation,
        "Activation Celu Clip Elu Gelu HardSigmoid HardSwish Hardmax LeakyRelu LeakyReLU LogSoftmax Mish PRelu Relu "
        "Selu Shrink Sigmoid Softmax SoftmaxActivation SoftmaxOutput Softplus Softsign Swish Tanh "
        "ThresholdedRelu LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput Softmax_v1 SVMOutput "
        "clip hard_sigmoid log_sigmoid log_softmax masked_log_softmax masked_softmax mish relu sigmoid softmax "
        "softmin softrelu softsign tanh"},
    FamilyRow{OperatorFamily::Pooling,
              "AveragePool BilinearResize2D GlobalAveragePool GlobalLpPool GlobalMaxPool LpPool MaxPool MaxRoiPool "
              "MaxUnpool Pooling Pooling_v1 ROIPooling Resize RoiAlign UpSampling Upsample "
              "_contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D _contrib_PSROIPooling _contrib_ROIAlign"},
    FamilyRow{
        OperatorFamily::Shape,
        "Cast CastLike CenterCropPad Col2Im Compress Concat Concat_v1 Crop DepthToSpace Expand Flatten Gather "
        "GatherElements GatherND GridSample Embedding OneHot Pad ReverseSequence Reshape ScatterElements ScatterND "
        "SequenceLast SequenceMask SequenceReverse Shape Size Slice SliceChannel SpaceToDepth Split Squeeze "
        "SwapAxis Tile TopK Transpose Trilu Unique Unsqueeze _np_reshape _np_transpose _npx_reshape _split_v2 "
        "_slice_assign amp_cast amp_multicast argsort batch_take broadcast_axes broadcast_axis broadcast_like "
        "broadcast_to cast concat depth_to_space diag expand_dims flatten flip gather_nd one_hot pad pick repeat "
        "reshape reshape_like reverse scatter_nd shape_array size_array slice slice_axis slice_like sort "
        "space_to_depth split split_v2 squeeze stack swapaxes take tile topk transpose where Where"},
    FamilyRow{
        OperatorFamily::Arithmetic,
        "Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr "
        "BitwiseXor Ceil Cos Cosh CumSum Det Div Einsum Equal Erf Exp Floor Greater GreaterOrEqual IsInf IsNaN "
        "Less LessOrEqual Log Max Mean Min Mod Mul Neg Not Or Pow Reciprocal ReduceL1 ReduceL2 ReduceLogSum "
        "ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Round Sign Sin Sinh "
        "Sqrt Sub Sum Tan Xor DequantizeLinear DynamicQuantizeLinear QuantizeLinear ElementWiseSum abs add_n "
        "arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin broadcast_add broadcast_div "
        "broadcast_equal broadcast_greater broadcast_greater_equal broadcast_hypot broadcast_lesser "
        "broadcast_lesser_equal broadcast_logical_and broadcast_logical_or broadcast_logical_xor broadcast_maximum "
        "broadcast_minimum broadcast_minus broadcast_mod broadcast_mul broadcast_not_equal broadcast_plus "
        "broadcast_power broadcast_sub cbrt ceil cos cosh cumsum degrees elemwise_add elemwise_div elemwise_mul "
        "elemwise_sub erf erfinv exp expm1 fix floor gamma gammaln khatri_rao log log10 log1p log2 logical_not "
        "max max_axis mean min min_axis moments nanprod nansum negative norm prod radians rcbrt reciprocal rint "
        "round rsqrt sign sin sinh smooth_l1 sqrt square sum sum_axis tan trunc _Div _Equal _Greater _Hypot _Lesser "
        "_Maximum _Minimum _Minus _Mod _Mul _Not_Equal _Plus _Power _add _div _equal _grad_add _greater _hypot "
        "_lesser _maximum _minimum _minus _mod _mul _not_equal _plus _power _sub _true_divide"},
    FamilyRow{OperatorFamily::ControlFlow, "If Loop Scan SequenceMap _cond _foreach _while_loop"},
    FamilyRow{
        OperatorFamily::Data,
        "BlockGrad Constant ConstantOfShape Dropout EyeLike Identity MakeLoss Multinomial RandomNormal "
        "RandomNormalLike RandomUniform RandomUniformLike Range Bernoulli _arange _contrib_arange_like _copy _eye "
        "_full _identity_with_attr_like_rhs _linspace _ones _zeros _zeros_without_dtype arange_like identity "
        "make_loss null ones_like stop_gradient zeros_like"},
};

using FamilyMap = std::unordered_map<std::string_view, OperatorFamily>;

FamilyMap readFamilies()
{
    FamilyMap families;
    for (const FamilyRow& row : familyRows) {
        for (std::size_t at = 0; at < row.operators.size();) {
            const auto end = std::min(row.operators.find(' ', at), row.operators.size());
            families.emplace(row.operators.substr(at, end - at), row.family);
            at = end + 1;
        }
    }
    return families;
}

/// MXNet names whole families by their start or end: `_plus_scalar`, `_random_uniform`, `_np_sum`, `_sample_normal`.
OperatorFamily familyByPattern(std::string_view op)
{
    if (op.ends_with("_scalar")) {
        return OperatorFamily::Arithmetic;
    }
    for (const std::string_view start : {"_random_", "_sample_", "random_", "sample_"}) {
        if (op.starts_with(start)) {
            return OperatorFamily::Data;
        }
    }
    return OperatorFamily::Other;
}

} // namespace

OperatorFamily familyOf(std::string_view op)
{
    static const FamilyMap families = readFamilies();
    if (const auto found = families.find(op); found != families.end()) {
        return found->second;
    }
    // `_contrib_relu`, `_npx_relu`, `_mul`: the same operators under the prefixes of their time.
    for (const std::string_view prefix : {"_contrib_", "_npx_", "_npi_", "_np_", "_sparse_", "_"}) {
        if (op.starts_with(prefix)) {
            if (const auto found = families.find(op.substr(prefix.size())); found != families.end()) {
                return found->second;
            }
        }
    }
    return familyByPattern(op);
}

std::string_view familyName(OperatorFamily family)
{
    constexpr std::array<std::string_view, 10> names{"recurrent", "convolution", "normalisation", "activation",
                                                     "pooling",   "shape",       "arithmetic",    "control flow",
                                                     "data",      "other"};
    return names[static_cast<std::size_t>(family)];
}

} // namespace crosswalk
