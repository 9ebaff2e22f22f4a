#pragma once

#include <array>
#include <filesystem>
#include <string>

namespace crosswalk::bench {

/// What the synthetic networks imitate.
inline constexpr std::array<const char*, 5> families{"resnet", "transformer", "nas", "lstm", "unet"};

/// The ONNX file of a family with about this many nodes, made by the shared script the first time. Ends the program
/// with a message where that cannot be.
std::filesystem::path corpusModel(const std::string& family, unsigned size);

} // namespace crosswalk::bench
