#pragma once

#include "core/verify/tensors_pb.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace crosswalk {

/// Recorded inputs and outputs of one run of the source, as the ONNX backend tests lay them out.
struct DataSet {
    std::filesystem::path folder;
    std::vector<NamedTensor> inputs;
    std::vector<NamedTensor> outputs;
    /// Outputs that are right as well (folders alt_* beside the data set), where the source leaves a value open.
    std::vector<std::vector<NamedTensor>> alternatives;
};

/// The folder itself where it holds output_<i>.pb, else its folders test_data_set_<k>. Throws ModelError "unreadable"
/// where there is neither, "damaged" for a file that holds no tensor.
std::vector<DataSet> readDataSets(const std::filesystem::path& data);

/// The folder of recorded tensors that a path stands for: itself where it holds some, or the one that a recorded file
/// (input_0.pb, inner/3.pb) lies in. Nothing for other files and folders.
std::optional<std::filesystem::path> dataFolderOf(const std::filesystem::path& path);

} // namespace crosswalk
