#pragma once

#include "core/formats/pytorch/ops/pytorch_op_table.h"

#include <span>

namespace crosswalk::pytorch {

// The rows of each family's file.
std::span<const OpRow> activationOps();
std::span<const OpRow> arithmeticOps();
std::span<const OpRow> arrangementOps();
std::span<const OpRow> attentionOps();
std::span<const OpRow> cellOps();
std::span<const OpRow> comparisonOps();
std::span<const OpRow> controlOps();
std::span<const OpRow> convolutionOps();
std::span<const OpRow> covarianceOps();
std::span<const OpRow> creationOps();
std::span<const OpRow> cumulativeOps();
std::span<const OpRow> embeddingBagOps();
std::span<const OpRow> frameSpectrumOps();
std::span<const OpRow> gammaOps();
std::span<const OpRow> groupedProductOps();
std::span<const OpRow> indexingOps();
std::span<const OpRow> linearSystemOps();
std::span<const OpRow> lossOps();
std::span<const OpRow> matrixOps();
std::span<const OpRow> normOps();
std::span<const OpRow> normalizationOps();
std::span<const OpRow> orderOps();
std::span<const OpRow> packedSequenceOps();
std::span<const OpRow> partOps();
std::span<const OpRow> placeOps();
std::span<const OpRow> numberOps();
std::span<const OpRow> poolingOps();
std::span<const OpRow> quantizedOps();
std::span<const OpRow> quantizedRecurrentOps();
std::span<const OpRow> randomOps();
std::span<const OpRow> recurrentOps();
std::span<const OpRow> reductionOps();
std::span<const OpRow> resizingOps();
std::span<const OpRow> scatterOps();
std::span<const OpRow> scriptControlOps();
std::span<const OpRow> shapeOps();
std::span<const OpRow> sizeOps();
std::span<const OpRow> specialOps();
std::span<const OpRow> spectrumOps();
std::span<const OpRow> unaryOps();
std::span<const OpRow> visionOps();

} // namespace crosswalk::pytorch
