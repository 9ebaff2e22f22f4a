#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// A model of a collection.
struct CollectionModel {
    std::filesystem::path path;
    std::filesystem::path name;            ///< relative to the collection's folder; unique in the collection
    std::vector<std::string> options = {}; ///< of its conversion, as on the command line
};

/// The models of a folder and its subfolders, in the order of their names: those that their content identifies
/// (modelsIn), and files that only their names do (hasModelName), except recorded tensors and hidden files. A folder
/// that is a model, or cannot be read, counts as one. Links to folders, hidden folders and `output` are not followed.
/// ONNX files that an earlier run wrote to `output` are left out, also if `output` is the folder itself. Throws
/// ModelError "unreadable" for the folder itself, and "cancelled".
std::vector<CollectionModel> findModels(const std::filesystem::path& folder, const std::stop_token& stop,
                                        const std::filesystem::path& output = {});

/// The models that a text file lists, one path on each line; lines that are empty or begin with # are skipped. Relative
/// paths start at the folder of the list. Throws ModelError "unreadable", "usage" for a model, and "damaged" for a file
/// that is not text, and for a list without any path or with one twice.
std::vector<CollectionModel> listedModels(const std::filesystem::path& list);

} // namespace crosswalk
