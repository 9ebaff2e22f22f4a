#pragma once

#include "core/convert/forms/tensor/shape_terms.h"

/// Random numbers. Before opset 22 they come from ONNX's own operators; from opset 22 ONNX Runtime lacks these, so they
/// come from the coin tosses of a Dropout.
namespace crosswalk::forms::random {

/// Uniform in [0, 1), float32.
OnnxValue uniform(const NodeContext& ctx, const ShapeTerms& shape);
/// Standard normal, float32.
OnnxValue normal(const NodeContext& ctx, const ShapeTerms& shape);
/// Exponential with mean 1, float32.
OnnxValue exponential(const NodeContext& ctx, const ShapeTerms& shape);
/// Gamma with scale 1; `alpha` is float32 and broadcasts with the shape.
OnnxValue gamma(const NodeContext& ctx, OnnxValue alpha, const ShapeTerms& shape);
/// Poisson; `mean` likewise.
OnnxValue poisson(const NodeContext& ctx, OnnxValue mean, const ShapeTerms& shape);

} // namespace crosswalk::forms::random
