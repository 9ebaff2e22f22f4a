#pragma once

#include "core/graph/tensor.h"

#include <filesystem>
#include <set>

namespace crosswalk {

/// Adds the files that elements of the tensor are mapped from; nothing for one that is in memory.
void addFilesOf(const Tensor& tensor, std::set<std::filesystem::path>& files);

} // namespace crosswalk
