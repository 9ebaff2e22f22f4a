#pragma once

#include "core/onnx/schema.h"

#include <string>

namespace crosswalk {

/// onnx's operator schemas, for all type inference. Each is constructed when it is first asked for.
///
/// Data propagation follows computed shapes through Add, Concat, Gather and other operators. onnx's propagation
/// functions treat every tensor as a shape: they reject an unsqueezed vector combined with a longer one, or a product
/// that overflows, and they create 10^9 dimensions for a vector of 10^9 elements. In this registry they are restricted
/// to integer scalars and vectors of plausible length, and their errors are ignored.
const ::onnx::ISchemaRegistry& schemas();

/// The schema of an operator of the domain ai.onnx at an opset; null if the opset does not have the operator.
const ::onnx::OpSchema* schemaOf(const std::string& op, int opset);

} // namespace crosswalk
