#pragma once

#include "core/formats/read_model.h"

#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The files of a model: itself, its weights, its other files, and those that contain its tensors.
std::vector<std::filesystem::path> filesOf(const LoadedModel& model);
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& model, std::span<const Tensor> tensors);

/// Throws ModelError "usage" if writing `output`, or the weights that an ONNX file has in `<output>.data`, would
/// replace one of `files`, under any name. `hint`: the advice for the user.
void expectNoneOf(const std::vector<std::filesystem::path>& files, const std::filesystem::path& output,
                  const std::string& hint = "choose another name");

} // namespace crosswalk
