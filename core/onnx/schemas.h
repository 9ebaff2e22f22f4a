#pragma once

#include "core/onnx/schema.h"

namespace crosswalk {

/// onnx's operator schemas, for whatever infers types.
///
/// Inference also follows the numbers that shapes are made of through Add, Concat, Gather and the like. onnx's own
/// functions for that take every tensor for such numbers: an unsqueezed vector that meets a longer one, or a product
/// that wraps around, is a mistake to them, and a vector of 10^9 elements gets as many dimensions. Here they look at
/// vectors and scalars of integers only, no longer than any shape, and where they give up nothing is known.
const ::onnx::ISchemaRegistry& schemas();

} // namespace crosswalk
