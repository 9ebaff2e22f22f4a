#pragma once

#include "core/formats/mxnet/op_table.h"

#include <span>

/// The families of operators, one file each in a folder of ops/. A new family needs a line here and a line in
/// op_table.cpp.
namespace crosswalk::mxnet {

std::span<const OpRow> activationOps();
std::span<const OpRow> arithmeticOps();
std::span<const OpRow> attentionOps();
std::span<const OpRow> batchNormOps();
std::span<const OpRow> boxNmsOps();
std::span<const OpRow> boxOps();
std::span<const OpRow> broadcastingOps();
std::span<const OpRow> allcloseOps();
std::span<const OpRow> controlFlowOps();
std::span<const OpRow> convolutionOps();
std::span<const OpRow> correlationOps();
std::span<const OpRow> creationOps();
std::span<const OpRow> ctcLossOps();
std::span<const OpRow> deformableConvolutionOps();
std::span<const OpRow> deformableRoiPoolingOps();
std::span<const OpRow> randomPdfOps();
std::span<const OpRow> diagonalOps();
std::span<const OpRow> fusedSubgraphOps();
std::span<const OpRow> gridSamplingOps();
std::span<const OpRow> histogramOps();
std::span<const OpRow> imageOps();
std::span<const OpRow> imageSizeOps();
std::span<const OpRow> indexingOps();
std::span<const OpRow> concatSplitOps();
std::span<const OpRow> linalgOps();
std::span<const OpRow> lossOps();
std::span<const OpRow> bipartiteMatchingOps();
std::span<const OpRow> matrixOps();
std::span<const OpRow> multiBoxDetectionOps();
std::span<const OpRow> multiBoxPriorOps();
std::span<const OpRow> multiBoxTargetOps();
std::span<const OpRow> normalizationOps();
std::span<const OpRow> numpyCreationOps();
std::span<const OpRow> numpyDiagonalOps();
std::span<const OpRow> numpyEinsumOps();
std::span<const OpRow> numpyElementwiseOps();
std::span<const OpRow> numpyInsertDeleteOps();
std::span<const OpRow> numpyConcatStackOps();
std::span<const OpRow> numpyLinalgOps();
std::span<const OpRow> numpyMomentOps();
std::span<const OpRow> numpyRemainderAndLogicOps();
std::span<const OpRow> numpyPermuteRollOps();
std::span<const OpRow> numpyPaddingOps();
std::span<const OpRow> numpyPercentileOps();
std::span<const OpRow> numpyProductOps();
std::span<const OpRow> numpyRandomOps();
std::span<const OpRow> numpyReductionOps();
std::span<const OpRow> numpySelectionOps();
std::span<const OpRow> numpyShapeOps();
std::span<const OpRow> numpyUnaryOps();
std::span<const OpRow> orderingOps();
std::span<const OpRow> orthogonalFactorOps();
std::span<const OpRow> poolingOps();
std::span<const OpRow> arangeOps();
std::span<const OpRow> proposalOps();
std::span<const OpRow> quantizationOps();
std::span<const OpRow> quantizedArithmeticOps();
std::span<const OpRow> quantizedLayerOps();
std::span<const OpRow> randomOps();
std::span<const OpRow> spaceToDepthOps();
std::span<const OpRow> recurrentOps();
std::span<const OpRow> reductionOps();
std::span<const OpRow> reshapeOps();
std::span<const OpRow> resizeOps();
std::span<const OpRow> roiAlignOps();
std::span<const OpRow> roiPoolingOps();
std::span<const OpRow> scalarArithmeticOps();
std::span<const OpRow> scatteringOps();
std::span<const OpRow> sequenceOps();
std::span<const OpRow> slicingOps();
std::span<const OpRow> softmaxOps();
std::span<const OpRow> castOps();
std::span<const OpRow> unaryOps();

} // namespace crosswalk::mxnet
