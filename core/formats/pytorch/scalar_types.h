#pragma once

#include "crosswalk/shape.h"

#include <cstdint>

namespace crosswalk::pytorch {

/// The element type of a number of c10::ScalarType, as TorchScript writes it; Undefined for types that ONNX does not
/// have.
ElementType fromScalarType(std::int64_t number);
/// The same for the numbers of exported programs (torch/_export/serde/schema.py), which count from another start.
ElementType fromSchemaType(std::int64_t number);

} // namespace crosswalk::pytorch
