#pragma once

#include "core/base/model_source.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace crosswalk::tensorflow {

/// A checkpoint in a source.
struct FoundCheckpoint {
    std::string prefix;     ///< prefix of the names of its files, relative to the source's root; empty if there is none
    std::size_t others = 0; ///< further checkpoints that would fit
};

/// The checkpoint that a user specifies: its index file, one of its data files, their prefix, or a folder that contains
/// it. Also returns its source. Throws ModelError "unreadable" if there is none.
struct NamedCheckpoint {
    std::shared_ptr<const ModelSource> source;
    std::string prefix;
};
NamedCheckpoint namedCheckpoint(const std::filesystem::path& path, const std::stop_token& stop);

/// The checkpoint next to a graph, by TensorFlow's naming: `model.ckpt-7.index` for `model.ckpt-7.meta`; else the one
/// in the file `checkpoint`; else the one with the highest number.
FoundCheckpoint findCheckpoint(const ModelSource& source, const std::string& graphFile);

} // namespace crosswalk::tensorflow
