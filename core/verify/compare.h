#pragma once

#include "core/verify/verify.h"

#include <string>

namespace crosswalk {

/// Compares what a model gave with what was recorded. Floating elements are equal where
/// |got - wanted| <= absolute + relative * |wanted| in the arithmetic of their own type, NaN equals NaN, and an
/// infinity itself (numpy.isclose with equal_nan). Types, shapes, integers, booleans and strings must be equal.
Comparison compare(std::string name, const Tensor& got, const Tensor& wanted, const Tolerance& tolerance);

} // namespace crosswalk
