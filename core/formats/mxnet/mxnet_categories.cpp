#include "core/formats/mxnet/mxnet_categories.h"

#include "core/formats/operator_tables.h"

#include <array>

namespace crosswalk::mxnet {
namespace {

constexpr auto categories = std::to_array<CategoryRow>({
    {OperatorCategory::Recurrent, "RNN _contrib_rnn_cell _rnn_param_concat"},
    {OperatorCategory::Convolution,
     "Convolution Convolution_v1 Correlation Deconvolution DeformableConvolution FullyConnected "
     "ModulatedDeformableConvolution _contrib_DeformableConvolution "
     "_contrib_ModulatedDeformableConvolution _contrib_interleaved_matmul_encdec_qk "
     "_contrib_interleaved_matmul_encdec_valatt _contrib_interleaved_matmul_selfatt_qk "
     "_contrib_interleaved_matmul_selfatt_valatt _linalg_gemm _linalg_gemm2 _npi_matmul _npi_tensordot "
     "_sparse_dot batch_dot dot linalg_gemm linalg_gemm2"},
    {OperatorCategory::Normalisation,
     "BatchNorm BatchNorm_v1 CuDNNBatchNorm GroupNorm InstanceNorm L2Normalization LRN LayerNorm "
     "_contrib_SyncBatchNorm"},
    {OperatorCategory::Activation,
     "Activation LeakyReLU Softmax SoftmaxActivation SoftmaxOutput LinearRegressionOutput "
     "LogisticRegressionOutput MAERegressionOutput Softmax_v1 SVMOutput clip hard_sigmoid log_sigmoid "
     "log_softmax masked_log_softmax masked_softmax mish relu sigmoid softmax softmin softrelu softsign "
     "tanh"},
    {OperatorCategory::Pooling,
     "BilinearResize2D Pooling Pooling_v1 ROIPooling UpSampling _contrib_AdaptiveAvgPooling2D "
     "_contrib_BilinearResize2D _contrib_PSROIPooling _contrib_ROIAlign"},
    {OperatorCategory::Shape,
     "Cast Concat Concat_v1 Crop Flatten Embedding Pad Reshape SequenceLast SequenceMask SequenceReverse "
     "SliceChannel SwapAxis _np_reshape _np_transpose _npx_reshape _split_v2 _slice_assign amp_cast "
     "amp_multicast argsort batch_take broadcast_axes broadcast_axis broadcast_like broadcast_to cast "
     "concat depth_to_space diag expand_dims flatten flip gather_nd one_hot pad pick repeat reshape "
     "reshape_like reverse scatter_nd shape_array size_array slice slice_axis slice_like sort "
     "space_to_depth split split_v2 squeeze stack swapaxes take tile topk transpose where"},
    {OperatorCategory::Arithmetic,
     "ElementWiseSum abs add_n arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin "
     "broadcast_add broadcast_div broadcast_equal broadcast_greater broadcast_greater_equal "
     "broadcast_hypot broadcast_lesser broadcast_lesser_equal broadcast_logical_and broadcast_logical_or "
     "broadcast_logical_xor broadcast_maximum broadcast_minimum broadcast_minus broadcast_mod "
     "broadcast_mul broadcast_not_equal broadcast_plus broadcast_power broadcast_sub cbrt ceil cos cosh "
     "cumsum degrees elemwise_add elemwise_div elemwise_mul elemwise_sub erf erfinv exp expm1 fix floor "
     "gamma gammaln khatri_rao log log10 log1p log2 logical_not max max_axis mean min min_axis moments "
     "nanprod nansum negative norm prod radians rcbrt reciprocal rint round rsqrt sign sin sinh smooth_l1 "
     "sqrt square sum sum_axis tan trunc _Div _Equal _Greater _Hypot _Lesser _Maximum _Minimum _Minus _Mod "
     "_Mul _Not_Equal _Plus _Power _add _div _equal _grad_add _greater _hypot _lesser _maximum _minimum "
     "_minus _mod _mul _not_equal _plus _power _sub _true_divide"},
    {OperatorCategory::ControlFlow, "_cond _foreach _while_loop"},
    {OperatorCategory::Data,
     "BlockGrad Dropout MakeLoss _arange _contrib_arange_like _copy _eye _full "
     "_identity_with_attr_like_rhs _linspace _ones _zeros _zeros_without_dtype arange_like identity "
     "make_loss null ones_like stop_gradient zeros_like"},
});

/// Whole families share the beginning or end of their names: `_plus_scalar`, `_random_uniform`, `_sample_normal`.
OperatorCategory categoryByPattern(std::string_view op)
{
    if (op.ends_with("_scalar")) {
        return OperatorCategory::Arithmetic;
    }
    for (const std::string_view start : {"_random_", "_sample_", "random_", "sample_"}) {
        if (op.starts_with(start)) {
            return OperatorCategory::Data;
        }
    }
    return OperatorCategory::Other;
}

} // namespace

OperatorCategory categoryOf(const Node& node)
{
    static const CategoryTable table(categories);
    const std::string_view op = node.op;
    if (const auto category = table.find(op)) {
        return *category;
    }
    // `_contrib_relu`, `_npx_relu`, `_mul`: the same operators under the prefixes of other versions.
    for (const std::string_view prefix : {"_contrib_", "_npx_", "_npi_", "_np_", "_sparse_", "_"}) {
        const auto category = op.starts_with(prefix) ? table.find(op.substr(prefix.size())) : std::nullopt;
        if (category) {
            return *category;
        }
    }
    return categoryByPattern(op);
}

} // namespace crosswalk::mxnet
