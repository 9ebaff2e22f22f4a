#pragma once

#include "core/verify/tensors_pb.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk {

/// Recorded inputs and outputs of one run of the source model, in the layout of the ONNX backend tests.
struct DataSet {
    std::filesystem::path folder;
    std::vector<NamedTensor> inputs;
    std::vector<NamedTensor> outputs;
    struct Alternative {
        std::string name; ///< of the folder
        std::vector<NamedTensor> outputs;
    };
    /// Other correct outputs (folders alt_* beside the data set), where the source does not define a value.
    std::vector<Alternative> alternatives;
};

/// Reads the folder itself if it contains output_<i>.pb, otherwise its folders test_data_set_<k>. Throws ModelError
/// "unreadable" if there is neither, "damaged" for a file without a tensor.
std::vector<DataSet> readDataSets(const std::filesystem::path& data);

/// The folder of recorded tensors to which a path refers: the folder itself if it contains some, or the folder of a
/// recorded file (input_0.pb, inner/3.pb). Nothing for other files and folders.
std::optional<std::filesystem::path> dataFolderOf(const std::filesystem::path& path);

} // namespace crosswalk
