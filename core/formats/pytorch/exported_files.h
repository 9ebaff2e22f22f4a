#pragma once

#include "core/base/model_source.h"
#include "core/formats/pytorch/saved_tensors.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::pytorch {

/// The parts of an exported program's archive (`.pt2`): of the archive layout, in a folder of any name, or of the older
/// one without a folder.
struct ExportedFiles {
    std::string program; ///< the JSON file
    std::string folder;  ///< "name/"; empty for the older layout
    std::string model;   ///< "model" of "models/model.json"; empty for the older layout
    bool isOlder = false;
};

/// Nothing if there is no exported program among the members.
std::optional<ExportedFiles> exportedFiles(const std::vector<std::string>& members);

/// Parameters, buffers and constants by their full names. Tensors that cannot be read throw ModelError "damaged".
std::map<std::string, SavedTensor, std::less<>> exportedTensors(const ModelSource& source, const ExportedFiles& files);

} // namespace crosswalk::pytorch
