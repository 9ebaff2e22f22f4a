#pragma once

#include "core/formats/keras/ops/keras_op_table.h"

#include <span>

/// The families of layers and operations, one file each. A new family needs a line here and a line in
/// keras_op_table.cpp.
namespace crosswalk::keras {

std::span<const OpRow> activationLayers();
std::span<const OpRow> arrayOperations();
std::span<const OpRow> attentionLayers();
std::span<const OpRow> convLstmLayers();
std::span<const OpRow> convolutionLayers();
std::span<const OpRow> coreLayers();
std::span<const OpRow> elementwiseOperations();
std::span<const OpRow> getItemOperations();
std::span<const OpRow> imageLayers();
std::span<const OpRow> imageOperations();
std::span<const OpRow> imageTransformOperations();
std::span<const OpRow> locallyConnectedLayers();
std::span<const OpRow> lossOperations();
std::span<const OpRow> maskOperations();
std::span<const OpRow> matrixOperations();
std::span<const OpRow> mergeLayers();
std::span<const OpRow> networkOperations();
std::span<const OpRow> normalizationLayers();
std::span<const OpRow> numberOperations();
std::span<const OpRow> poolingLayers();
std::span<const OpRow> preprocessingLayers();
std::span<const OpRow> recurrentLayers();
std::span<const OpRow> reductionOperations();
std::span<const OpRow> reshapeLayers();
std::span<const OpRow> scatterOperations();
std::span<const OpRow> signalLayers();
std::span<const OpRow> statisticsOperations();
std::span<const OpRow> tensorOperations();
std::span<const OpRow> tensorflowFunctions();
std::span<const OpRow> tensorflowImageFunctions();
std::span<const OpRow> wrapperLayers();

} // namespace crosswalk::keras
