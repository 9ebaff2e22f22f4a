#pragma once

#include "core/verify/verify.h"

#include <string>

namespace crosswalk {

/// Compares a model's output with a recorded tensor. Floating-point elements are equal if
/// |got - wanted| <= absolute + relative * |wanted| in the arithmetic of their own type; NaN equals NaN, and an
/// infinity equals itself (numpy.isclose with equal_nan). Types, shapes, integers, booleans and strings must be
/// identical.
Comparison compare(std::string name, const Tensor& got, const Tensor& wanted, const Tolerance& tolerance);

} // namespace crosswalk
