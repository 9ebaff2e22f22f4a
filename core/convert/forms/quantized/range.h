#pragma once

#include "core/convert/emit.h"

#include <optional>

/// Numbers of 8 or 32 bits with the range (low, high) of the values that they represent: the larger magnitude of the
/// two is the largest number of the type, and 0 is 0.
namespace crosswalk::forms::quantized {

/// Scales and bounds are float32 of rank 0, computed in single precision: at conversion if they are stored. The number
/// if x is stored.
std::optional<float> storedFloat(const NodeContext& ctx, OnnxValue x);
OnnxValue number(const NodeContext& ctx, float value);
OnnxValue magnitude(const NodeContext& ctx, OnnxValue x);
OnnxValue larger(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue smaller(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue sum(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue quotient(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue negative(const NodeContext& ctx, OnnxValue x);

struct Range {
    OnnxValue low;
    OnnxValue high;

    /// From -reach to reach.
    static Range around(const NodeContext& ctx, OnnxValue reach);

    OnnxValue reach(const NodeContext& ctx) const;
    /// The results of a node: the numbers and their range.
    OnnxValues with(const NodeContext& ctx, OnnxValue numbers) const;
};

/// The number of levels of the type on one side of 0.
float levels(ElementType type);
/// The number of levels in a scale that extends half a level further; the same as the levels for 32 bits.
float span(ElementType type);
/// The number of levels per unit, of that span.
OnnxValue scaleOf(const NodeContext& ctx, ElementType type, const Range& range);
/// Every x times `scale` at the nearest level, halves at the even one, within the type. Not QuantizeLinear's own scale,
/// because dividing by it produces different halves.
OnnxValue quantize(const NodeContext& ctx, OnnxValue x, OnnxValue scale, ElementType type);
/// The largest magnitude in a tensor of floats.
OnnxValue largestMagnitude(const NodeContext& ctx, OnnxValue x);
/// Error where the numbers are neither int8 nor uint8.
void expectBytes(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::forms::quantized
