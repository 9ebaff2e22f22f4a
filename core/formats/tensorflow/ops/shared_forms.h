#pragma once

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/random/samplers.h"
#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/ops/nn/double_convolution.h"
#include "core/formats/mxnet/ops/nn/spatial.h"
#include "core/formats/mxnet/ops/nn/transposed_convolution.h"
#include "core/formats/tensorflow/forms.h"

/// The emitters that this format shares with others.
namespace crosswalk::tensorflow {

using mxnet::doubleConvolution;
using mxnet::onnxPads;
using mxnet::padSpatial;
using mxnet::toChannelsFirst;
using mxnet::toChannelsLast;
using mxnet::Window;
using mxnet::windowSlices;

} // namespace crosswalk::tensorflow
