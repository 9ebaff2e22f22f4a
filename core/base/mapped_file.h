#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace crosswalk {

/// A file mapped read-only into memory. Its pages are the file's own: they cost no anonymous memory and the
/// kernel drops them at will.
class MappedFile {
public:
    /// Throws ModelError "unreadable" (absent, a folder, no permission).
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    const std::filesystem::path& path() const { return m_path; }
    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    /// Says that these bytes have been used: their pages leave the process until they are touched again.
    void release(std::size_t offset, std::size_t size) const;

private:
    MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size);

    std::filesystem::path m_path;
    const std::byte* m_data;
    std::size_t m_size;
};

} // namespace crosswalk
