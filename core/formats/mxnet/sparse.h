#pragma once

#include "core/graph/tensor.h"

#include <string_view>

namespace crosswalk::mxnet {

/// A row_sparse array as a dense one: `rows` (int64, ascending) are the row indices of `values`, all other rows are
/// zero. Stores only the row numbers in memory. Throws ModelError "damaged" if rows and values do not fit `dims`.
Tensor denseFromRows(Ints dims, const Tensor& values, const Tensor& rows, std::string_view what);

/// A csr array as a dense one: the values of row r are in columns[pointers[r]] to columns[pointers[r + 1]]. Densified
/// when it is read, row by row. Throws ModelError "damaged" as above.
Tensor denseFromCsr(Ints dims, const Tensor& values, const Tensor& pointers, const Tensor& columns,
                    std::string_view what);

} // namespace crosswalk::mxnet
