#pragma once

#include "core/base/model_source.h"
#include "core/formats/keras/hdf5_file.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::keras {

/// The weights of a model: one HDF5 file, or several shards with an index, which Keras 3 writes with max_shard_size. Of
/// an object that several shards have, the first counts, but the members of a group are those of all of them.
/// Throws as Hdf5File does.
class WeightFile {
public:
    explicit WeightFile(std::shared_ptr<const SourceFile> file);
    /// The shards of an index, a JSON whose weight_map has the names of files next to it, or in its archive.
    WeightFile(const SourceFile& index, const ModelSource& source);

    bool contains(const std::string& path) const; ///< a group or a dataset
    bool isDataset(const std::string& path) const;
    std::vector<std::string> members(const std::string& group) const;
    std::optional<std::string> text(const std::string& object, const std::string& attribute) const;
    std::optional<std::vector<std::string>> texts(const std::string& object, const std::string& attribute) const;
    Tensor tensor(const std::string& path) const;

private:
    std::deque<Hdf5File> m_shards;
};

/// Whether a file is the index of shards, by its name.
bool isShardIndex(std::string_view name);

} // namespace crosswalk::keras
