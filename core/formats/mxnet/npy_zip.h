#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

struct NpyMember {
    std::string name; ///< without ".npy"
    Tensor tensor;
};

/// Whether this is a zip archive whose first member is a .npy file: how MXNet 2.0 writes weights.
bool looksLikeNpyZip(std::span<const std::byte> bytes);

/// Reads the arrays of such an archive in place. Throws ModelError "truncated" or "damaged", also for a compressed
/// member, which MXNet never writes, and "cancelled".
std::vector<NpyMember> readNpyZip(const std::shared_ptr<const SourceFile>& file, const std::stop_token& stop = {});

} // namespace crosswalk::mxnet
