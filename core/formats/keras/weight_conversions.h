#pragma once

#include "core/formats/keras/weight_files.h"

namespace crosswalk::keras {

/// Brings weights that other backends and devices store in their own way into the form of the layer: kernels of Theano,
/// which convolves with the kernel turned around and has it in another order in Keras 1, and packed weights of cuDNN.
void convertWeights(const Dialect& dialect, WeightsByLayer& weights);

} // namespace crosswalk::keras
