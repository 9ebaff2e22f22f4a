#pragma once

#include "core/base/model_source.h"

#include <filesystem>

namespace crosswalk::tensorflow {

/// A checkpoint in a source.
struct FoundCheckpoint {
    std::string prefix;     ///< of the names of its files, relative to the source's root; empty where there is none
    std::size_t others = 0; ///< checkpoints beside it that would fit as well
};

/// The checkpoint that a user names: its index file, one of its data files, their prefix, or a folder that contains it.
/// Returns the source that has it too. Throws ModelError "unreadable" where there is none.
struct NamedCheckpoint {
    std::shared_ptr<const ModelSource> source;
    std::string prefix;
};
NamedCheckpoint namedCheckpoint(const std::filesystem::path& path, const std::stop_token& stop);

/// The checkpoint beside a graph, as TensorFlow names them: `model.ckpt-7.meta` has `model.ckpt-7.index`; else the one
/// that the file `checkpoint` names; else the last one by its number.
FoundCheckpoint findCheckpoint(const ModelSource& source, const std::string& graphFile);

} // namespace crosswalk::tensorflow
