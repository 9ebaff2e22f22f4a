#pragma once

#include <filesystem>

namespace crosswalk {

/// A new folder of this process's own among the system's temporary files, gone with all that is in it when this is.
/// Folders that killed processes left there are removed when a new one is created.
class TemporaryFolder {
public:
    TemporaryFolder(); ///< Throws ModelError "unwritable".
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    int m_lock = -1; ///< marks the folder as in use
};

} // namespace crosswalk
