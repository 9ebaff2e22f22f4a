#pragma once

#include "core/base/budget.h"
#include "core/base/source_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

class ZipArchive;

/// A model on disk, whatever it consists of: a file with neighbours (weights, shards, external data), a folder
/// with several files, or an archive (zip). Readers open every part of a model here, by its name relative to root(); a
/// name that leads out of the model's folder is refused here, for all formats.
///
/// What a source opens may outlive it. One source may be used from several threads.
class ModelSource {
public:
    enum class Kind : std::uint8_t { File, Folder, Archive };
    /// Receives the part of the work that is done, from 0 to 1, in the thread that reads.
    using Progress = std::function<void(double)>;

    /// Throws ModelError "unreadable" (absent, no permission, neither file nor folder). A damaged archive is opened:
    /// its main() can be read, list(), contains() and open() throw what is wrong.
    static std::shared_ptr<const ModelSource> at(const std::filesystem::path& path, std::stop_token stop = {},
                                                 Progress progress = {}, bool allowLarge = false);
    /// The same source without stop token and progress: what may be kept once the model has been read.
    std::shared_ptr<const ModelSource> detached() const;

    Kind kind() const;
    const std::filesystem::path& path() const; ///< as the user gave it
    /// What names are relative to: the folder that contains the file, the folder itself, or the archive.
    const std::filesystem::path& root() const;
    /// The file itself (of an archive its bytes as they are); null for a folder.
    const std::shared_ptr<const SourceFile>& main() const;

    /// Whether there is a file of this name; false for a name that leads out of the model's folder.
    bool contains(std::string_view name) const;
    /// Names of the files that begin with `prefix`, sorted: of a folder and an archive all below it, of a file those in
    /// one folder only, because its neighbours are not all the model's. Throws ModelError "unreadable" for a folder
    /// with too many files to be a model.
    std::vector<std::string> list(std::string_view prefix = {}) const;
    /// Throws ModelError "damaged" for a name that leads out of the model's folder (absolute, with "..", through a
    /// link), "unreadable" where there is no such file, and as ZipArchive does.
    std::shared_ptr<const SourceFile> open(std::string_view name) const;

    /// Throws ModelError "cancelled" once the user has stopped the reading. Cheap enough for every node.
    void checkStop() const;
    const std::stop_token& stop() const { return m_stop; }
    /// Of a part with so many bytes that describes the model.
    Budget budget(std::uint64_t bytes) const { return Budget(bytes, m_allowLarge); }
    void progress(double fraction) const;

private:
    struct Content;

    ModelSource(std::shared_ptr<Content> content, std::stop_token stop, Progress progress, bool allowLarge);

    std::shared_ptr<Content> m_content;
    std::stop_token m_stop;
    Progress m_progress;
    bool m_allowLarge;
};

} // namespace crosswalk
