#pragma once

#include "core/base/source_file.h"
#include "core/graph/tensor.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace crosswalk::pytorch {

/// A view of a storage: the element at an index has the position offset + sum of index[i] * strides[i]. All in
/// elements.
struct StridedView {
    ElementType type = ElementType::Undefined;
    Ints sizes;
    Ints strides;
    std::int64_t offset = 0;
};

/// Whether the strides are those of a new tensor.
bool isRowMajor(const StridedView& view);

/// The tensor of a view, in place if its elements are contiguous. Throws ModelError "damaged" if a number is negative
/// or the view leaves the storage, "not-convertible" for a type that is not supported; `name` is the tensor's for the
/// message.
Tensor stridedTensor(const StridedView& view, std::shared_ptr<const SourceFile> storage, std::string_view name);

/// Of which parts of the elements a tensor stores the negative numbers. Those of real elements are real.
struct NegatedParts {
    bool real = false;
    bool imaginary = false;
};

/// The tensor with these parts negated, when they are read. Throws ModelError "not-convertible" for integers; `name` is
/// the tensor's for the message.
Tensor negated(Tensor stored, NegatedParts parts, std::string_view name);

} // namespace crosswalk::pytorch
