#pragma once

#include "core/formats/tensorflow/ops/tensorflow_op_table.h"

#include <span>

/// The families of operators, one file each in a folder of ops/. A new family needs a line here and a line in
/// tensorflow_op_table.cpp.
namespace crosswalk::tensorflow {

std::span<const OpRow> activationOps();
std::span<const OpRow> audioOps();
std::span<const OpRow> bitcastOps();
std::span<const OpRow> countingOps();
std::span<const OpRow> backpropConvolutionOps();
std::span<const OpRow> batchNormOps();
std::span<const OpRow> binaryOps();
std::span<const OpRow> colorOps();
std::span<const OpRow> comparisonOps();
std::span<const OpRow> concatSplitOps();
std::span<const OpRow> convolutionOps();
std::span<const OpRow> creationOps();
std::span<const OpRow> ctcOps();
std::span<const OpRow> cudnnRnnOps();
std::span<const OpRow> cumulativeOps();
std::span<const OpRow> fusedLayerOps();
std::span<const OpRow> gatherOps();
std::span<const OpRow> identityOps();
std::span<const OpRow> imageResizeOps();
std::span<const OpRow> linalgOps();
std::span<const OpRow> lookupOps();
std::span<const OpRow> lossOps();
std::span<const OpRow> matmulOps();
std::span<const OpRow> matrixDiagonalOps();
std::span<const OpRow> nativeLstmOps();
std::span<const OpRow> nonMaxSuppressionOps();
std::span<const OpRow> paddingOps();
std::span<const OpRow> partitionOps();
std::span<const OpRow> patchOps();
std::span<const OpRow> poolingOps();
std::span<const OpRow> projectiveTransformOps();
std::span<const OpRow> quantizationOps();
std::span<const OpRow> raggedOps();
std::span<const OpRow> randomOps();
std::span<const OpRow> rankingOps();
std::span<const OpRow> reductionOps();
std::span<const OpRow> reverseOps();
std::span<const OpRow> scatterOps();
std::span<const OpRow> segmentOps();
std::span<const OpRow> selectionOps();
std::span<const OpRow> setOps();
std::span<const OpRow> shapeOps();
std::span<const OpRow> shiftOps();
std::span<const OpRow> sliceOps();
std::span<const OpRow> sortingOps();
std::span<const OpRow> sparseArithmeticOps();
std::span<const OpRow> sparseOps();
std::span<const OpRow> specialOps();
std::span<const OpRow> spectrumOps();
std::span<const OpRow> stridedSliceOps();
std::span<const OpRow> stringOps();
std::span<const OpRow> stringSplittingOps();
std::span<const OpRow> unaryOps();
std::span<const OpRow> weightedResizeOps();

std::span<const OpRow> recurrentLayerOps();

std::span<const OpRow> blockLstmOps();
std::span<const OpRow> blockRearrangementOps();

std::span<const OpRow> loopOps();

} // namespace crosswalk::tensorflow
