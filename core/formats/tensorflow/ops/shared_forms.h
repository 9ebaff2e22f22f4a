#pragma once

#include "core/formats/mxnet/compute_type.h"
#include "core/formats/mxnet/ops/linalg/linear_systems.h"
#include "core/formats/mxnet/ops/nn/double_convolution.h"
#include "core/formats/mxnet/ops/nn/spatial.h"
#include "core/formats/mxnet/ops/nn/transposed_convolution.h"
#include "core/formats/mxnet/ops/random/samplers.h"
#include "core/formats/mxnet/ops/tensor/arithmetic.h"
#include "core/formats/mxnet/ops/tensor/concat_split.h"
#include "core/formats/mxnet/ops/tensor/elementary.h"
#include "core/formats/mxnet/ops/tensor/integer_arithmetic.h"
#include "core/formats/mxnet/ops/tensor/reduction.h"
#include "core/formats/mxnet/ops/tensor/special_functions.h"
#include "core/formats/mxnet/shape_terms.h"

/// The emitters that this format shares with others.
namespace crosswalk::tensorflow {

namespace arithmetic = mxnet::arithmetic;
namespace elementary = mxnet::elementary;
namespace special = mxnet::special;
using mxnet::computedAs;
using mxnet::doubleConvolution;
using mxnet::isNarrowInteger;
using mxnet::onnxPads;
using mxnet::padSpatial;
using mxnet::splitEvenly;
using mxnet::toChannelsFirst;
using mxnet::toChannelsLast;
using mxnet::widened;
using mxnet::Window;
using mxnet::windowSlices;

} // namespace crosswalk::tensorflow
