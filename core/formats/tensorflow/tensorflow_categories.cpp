#include "core/formats/tensorflow/tensorflow_categories.h"

#include "core/formats/operator_tables.h"

#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr auto categories = std::to_array<CategoryRow>({
    {OperatorCategory::Recurrent,
     "BlockLSTM BlockLSTMV2 CudnnRNN CudnnRNNCanonicalToParams CudnnRNNCanonicalToParamsV2 "
     "CudnnRNNParamsSize CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2 CudnnRNNV2 CudnnRNNV3 "
     "GRUBlockCell LSTMBlockCell LstmGenericBase LstmLowMem NativeLstm2"},
    {OperatorCategory::Convolution,
     "BatchMatMul BatchMatMulV2 BatchMatMulV3 Conv Conv2D Conv2DBackpropInput Conv2DBackpropInputV2 Conv3D "
     "Conv3DBackpropInput Conv3DBackpropInputV2 DepthwiseConv2dNative Dilation2D FusedPadConv2D "
     "FusedResizeAndPadConv2D MatMul SparseMatMul SparseMatrixMatMul SparseMatrixSparseMatMul "
     "SparseTensorDenseMatMul TridiagonalMatMul UniformQuantizedConvolution "
     "UniformQuantizedConvolutionHybrid UniformQuantizedDot UniformQuantizedDotHybrid"},
    {OperatorCategory::Normalisation,
     "BatchNormWithGlobalNormalization FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 LRN "
     "QuantizedBatchNormWithGlobalNormalization QuantizedInstanceNorm"},
    {OperatorCategory::Activation,
     "ClipByValue Elu LeakyRelu LogSoftmax QuantizedRelu QuantizedRelu6 QuantizedReluX Relu Relu6 Selu "
     "Sigmoid Softmax Softplus Softsign SparseMatrixSoftmax SparseSoftmax Tanh UniformQuantizedClipByValue"},
    {OperatorCategory::Pooling,
     "AvgPool AvgPool3D CropAndResize ExtractGlimpse ExtractGlimpseV2 FractionalAvgPool FractionalMaxPool "
     "ImageProjectiveTransformV2 ImageProjectiveTransformV3 MaxPool MaxPool3D MaxPoolV2 MaxPoolWithArgmax "
     "QuantizedAvgPool QuantizedMaxPool QuantizedResizeBilinear ResizeArea ResizeBicubic ResizeBilinear "
     "ResizeNearestNeighbor ScaleAndTranslate"},
    {OperatorCategory::Shape,
     "ApproxTopK BatchMatrixBandPart BatchMatrixDiag BatchMatrixDiagPart BatchMatrixSetDiag BatchToSpace "
     "BatchToSpaceND Bitcast BroadcastArgs BroadcastTo Cast Concat ConcatOffset ConcatV2 "
     "ConjugateTranspose DataFormatDimMap DataFormatVecPermute DepthToSpace Diag DiagPart DynamicPartition "
     "DynamicStitch EnsureShape ExpandDims ExtractImagePatches ExtractVolumePatches Gather GatherNd "
     "GatherV2 InplaceUpdate InvertPermutation ListDiff MatrixBandPart MatrixDiag MatrixDiagPart "
     "MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixSetDiag MatrixSetDiagV2 "
     "MatrixSetDiagV3 MirrorPad OneHot Pack Pad PadV2 ParallelConcat ParallelDynamicStitch QuantizedConcat "
     "QuantizedConcatV2 QuantizedReshape Rank Reshape ResourceGather ResourceGatherNd Reverse "
     "ReverseSequence ReverseV2 Roll ScatterNd ScatterNdNonAliasingAdd Select SelectV2 Shape ShapeN Size "
     "Slice SpaceToBatch SpaceToBatchND SpaceToDepth SparseConcat SparseReorder SparseSlice Split SplitV "
     "Squeeze StridedSlice TensorScatterAdd TensorScatterMax TensorScatterMin TensorScatterSub "
     "TensorScatterUpdate TensorStridedSliceUpdate Tile TopK TopKV2 Transpose Unique UniqueV2 "
     "UniqueWithCounts UniqueWithCountsV2 Unpack UnravelIndex VariableShape Where"},
    {OperatorCategory::Arithmetic,
     "Abs AccumulateNV2 Acos Acosh Add AddN AddV2 All Angle Any ApproximateEqual ArgMax ArgMin Asin Asinh "
     "Atan Atan2 Atanh AudioSpectrogram BatchCholesky BatchMatrixDeterminant BatchMatrixInverse "
     "BatchMatrixSolve BatchMatrixTriangularSolve BesselI0 BesselI0e BesselI1 BesselI1e Betainc BiasAdd "
     "BiasAddV1 Bincount BitwiseAnd BitwiseOr BitwiseXor Bucketize Ceil Cholesky Complex ComplexAbs Conj "
     "Cos Cosh Cross Cumprod Cumsum CumulativeLogsumexp Dawsn DenseBincount Dequantize Digamma Div "
     "DivNoNan Einsum Equal Erf Erfc Erfinv EuclideanNorm Exp Expint Expm1 FFT FFT2D FFT3D "
     "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel Floor FloorDiv "
     "FloorMod FresnelCos FresnelSin Greater GreaterEqual IFFT IFFT2D IFFT3D IRFFT IRFFT2D IRFFT3D Igamma "
     "Igammac Imag InplaceAdd InplaceSub Inv Invert IsFinite IsInf IsNan L2Loss LeftShift Less LessEqual "
     "Lgamma Log Log1p LogMatrixDeterminant LogicalAnd LogicalNot LogicalOr MatrixDeterminant "
     "MatrixInverse MatrixSolve MatrixTriangularSolve Max Maximum Mean Mfcc Min Minimum Mod Mul MulNoNan "
     "Ndtri Neg NextAfter NotEqual Polygamma PopulationCount Pow Prod QuantizeAndDequantize "
     "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 QuantizeDownAndShrinkRange "
     "QuantizeV2 QuantizedAdd QuantizedBiasAdd QuantizedMul RFFT RFFT2D RFFT3D Real RealDiv Reciprocal "
     "RequantizationRange Requantize RightShift Rint Round Rsqrt SegmentMax SegmentMaxV2 SegmentMean "
     "SegmentMin SegmentMinV2 SegmentProd SegmentProdV2 SegmentSum SegmentSumV2 Sign Sin Sinh SparseAdd "
     "SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul SparseReduceMax SparseReduceSum "
     "SparseSegmentMean SparseSegmentMeanWithNumSegments SparseSegmentSqrtN "
     "SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumWithNumSegments "
     "SparseTensorDenseAdd Spence Sqrt Square SquaredDifference Sub Sum Tan TruncateDiv TruncateMod "
     "UniformDequantize UniformQuantize UniformQuantizedAdd UniformRequantize UnsortedSegmentMax "
     "UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum Xdivy Xlog1py Xlogy Zeta"},
    {OperatorCategory::ControlFlow,
     "BatchFunction Case ControlTrigger Enter Exit For If LoopCond MapDefun Merge NextIteration NoOp "
     "PartitionedCall RefEnter RefExit RefMerge RefNextIteration RefSwitch RemoteCall "
     "StatefulPartitionedCall StatelessCase StatelessIf StatelessWhile Switch SymbolicGradient While _If "
     "_SwitchN _While"},
    {OperatorCategory::Data,
     "Assign AssignAdd AssignAddVariableOp AssignSub AssignSubVariableOp AssignVariableOp CheckNumerics "
     "CheckNumericsV2 Const Copy CopyHost DebugIdentity DebugIdentityV2 DebugIdentityV3 DeepCopy Empty "
     "EmptyTensorList Fill GuaranteeConst HostConst Identity IdentityN ImmutableConst LinSpace Multinomial "
     "NonDeterministicInts OnesLike ParameterizedTruncatedNormal Placeholder PlaceholderV2 "
     "PlaceholderWithDefault PreventGradient Range ReadVariableOp RefIdentity ResourceStridedSliceAssign "
     "Snapshot StopGradient StridedSliceAssign TemporaryVariable TensorArray TensorArrayV2 TensorArrayV3 "
     "TensorListReserve TruncatedNormal VarHandleOp VarIsInitializedOp Variable VariableV2 ZerosLike _Arg "
     "_DeviceArg _DeviceRetval _EagerConst _HostCast _ReadVariablesOp _Retval _VarHandlesOp"},
});

struct Prefix {
    std::string_view text;
    OperatorCategory category;
};

// Whole families share the beginning of their names; fused runtime variants add a prefix to an operator.
constexpr auto prefixes = std::to_array<Prefix>({
    {"QuantizedConv2D", OperatorCategory::Convolution},
    {"QuantizedDepthwiseConv2D", OperatorCategory::Convolution},
    {"QuantizedMatMul", OperatorCategory::Convolution},
    {"Random", OperatorCategory::Data},
    {"StatefulRandom", OperatorCategory::Data},
    {"StatefulStandardNormal", OperatorCategory::Data},
    {"StatefulTruncatedNormal", OperatorCategory::Data},
    {"StatefulUniform", OperatorCategory::Data},
    {"StatelessMultinomial", OperatorCategory::Data},
    {"StatelessParameterizedTruncatedNormal", OperatorCategory::Data},
    {"StatelessRandom", OperatorCategory::Data},
    {"StatelessTruncatedNormal", OperatorCategory::Data},
    {"TensorArray", OperatorCategory::Shape},
    {"TensorList", OperatorCategory::Shape},
});

/// "_FusedConv2D" and "_MklConv2D" are variants of Conv2D, "_FusedBatchNormEx" and "_MklFusedBatchNormV3" of
/// FusedBatchNorm.
std::optional<OperatorCategory> categoryOfFused(std::string_view op, const CategoryTable& table)
{
    op = op.ends_with("Ex") ? op.substr(0, op.size() - 2) : op;
    for (const std::string_view prefix : {"_MklNativeFused", "_MklNative", "_MklFused", "_Mkl", "_Fused"}) {
        if (op.starts_with(prefix)) {
            const std::string plain(op.substr(prefix.size()));
            const auto category = table.find(plain);
            return category ? category : table.find("Fused" + plain);
        }
    }
    return std::nullopt;
}

} // namespace

OperatorCategory categoryOf(const Node& node)
{
    static const CategoryTable table(categories);
    const std::string_view op = node.op;
    if (const auto category = table.find(op)) {
        return *category;
    }
    if (const auto category = categoryOfFused(op, table)) {
        return *category;
    }
    if (!op.ends_with("Grad")) {
        for (const auto& [text, category] : prefixes) {
            if (op.starts_with(text)) {
                return category;
            }
        }
    }
    return OperatorCategory::Other;
}

} // namespace crosswalk::tensorflow
