#include "core/verify/data_sets.h"

#include "core/base/folder_entries.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> foldersNamed(const fs::path& parent, std::string_view prefix)
{
    std::vector<fs::path> folders;
    std::error_code error;
    for (const fs::path& entry : entriesOf(parent)) {
        if (fs::is_directory(entry, error) && entry.filename().string().starts_with(prefix)) {
            folders.push_back(entry);
        }
    }
    std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
        const auto left = a.string();
        const auto right = b.string();
        return std::pair(left.size(), left) < std::pair(right.size(), right); // _10 after _9
    });
    return folders;
}

DataSet readDataSet(const fs::path& folder)
{
    DataSet set{folder, readTensorFiles(folder, "input"), readTensorFiles(folder, "output"), {}};
    if (set.outputs.empty()) {
        throw ModelError("unreadable", fmt::format("{} has no recorded output (output_0.pb)", folder.string()));
    }
    for (const fs::path& other : foldersNamed(folder.parent_path(), "alt_")) {
        set.alternatives.push_back({other.filename().string(), readTensorFiles(other, "output")});
    }
    return set;
}

bool isDataSet(const fs::path& folder)
{
    std::error_code error;
    return fs::exists(folder / "output_0.pb", error);
}

} // namespace

std::optional<fs::path> dataFolderOf(const fs::path& path)
{
    std::error_code error;
    const fs::path absolute = fs::canonical(path, error);
    if (error) {
        return std::nullopt;
    }
    if (fs::is_directory(absolute, error)) {
        const bool hasTensors = isDataSet(absolute) || !foldersNamed(absolute, "test_data_set_").empty();
        return hasTensors ? std::optional(absolute) : std::nullopt;
    }
    const fs::path folder = absolute.parent_path();
    const std::string name = absolute.filename();
    if (absolute.extension() != ".pb") {
        return std::nullopt;
    }
    if (isDataSet(folder) && (name.starts_with("input_") || name.starts_with("output_"))) {
        return folder;
    }
    return folder.filename() == "inner" && isDataSet(folder.parent_path()) ? std::optional(folder.parent_path())
                                                                           : std::nullopt;
}

std::vector<DataSet> readDataSets(const fs::path& data)
{
    std::error_code error;
    const fs::path folder = fs::canonical(data, error);
    if (error || !fs::is_directory(folder, error)) {
        throw ModelError("unreadable", fmt::format("{} is not a folder of recorded tensors", data.string()));
    }
    std::vector<DataSet> sets;
    if (isDataSet(folder)) {
        sets.push_back(readDataSet(folder));
        return sets;
    }
    for (const fs::path& each : foldersNamed(folder, "test_data_set_")) {
        sets.push_back(readDataSet(each));
    }
    if (sets.empty()) {
        throw ModelError(
            "unreadable", fmt::format("{} contains no recorded tensors", data.string()),
            "the folder must contain input_0.pb... and output_0.pb..., or folders test_data_set_0... with them");
    }
    return sets;
}

} // namespace crosswalk
