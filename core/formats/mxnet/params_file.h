#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

struct StoredArray {
    std::string name;       ///< without `arg:` or `aux:`; empty in a plain list
    Tensor tensor;          ///< dense; Undefined type if the file contains an array without content
    bool auxiliary = false; ///< had the prefix `aux:`
};

/// Whether bytes begin like a .params file (any generation; a zip of .npy files only by its first member's name).
bool looksLikeParams(std::span<const std::byte> bytes);

/// Reads a .params file of any generation. Dense arrays stay in the file; row_sparse and csr become dense when they are
/// read. Validates everything in the file. Throws ModelError "truncated", "damaged" or "cancelled".
std::vector<StoredArray> readParams(const std::shared_ptr<const SourceFile>& file, const std::stop_token& stop = {});

} // namespace crosswalk::mxnet
