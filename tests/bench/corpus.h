#pragma once

#include <array>
#include <filesystem>
#include <string>

namespace crosswalk::bench {

/// The families of synthetic networks.
inline constexpr std::array<const char*, 5> families{"resnet", "transformer", "nas", "lstm", "unet"};

/// The ONNX file of a family with about this many nodes, created by the shared script on first use. Exits with a
/// message on failure.
std::filesystem::path corpusModel(const std::string& family, unsigned size);

} // namespace crosswalk::bench
