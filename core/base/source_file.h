#pragma once

#include "core/base/byte_source.h"
#include "core/base/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// One file of a model: a file of its own, or a part of one (a member of an archive). Its bytes are mapped where they
/// lie in the file as they are, and in memory where they had to be decompressed. Bytes with a checksum are checked as
/// a whole when the first of them is read: read(), view() and bytes() throw ModelError "damaged" where it differs.
class SourceFile final : public ByteSource {
public:
    /// A whole file, mapped. `name` defaults to the file's name. Throws ModelError "unreadable".
    static std::shared_ptr<const SourceFile> open(const std::filesystem::path& path, std::string name = {});
    /// Bytes that were decompressed out of the file `path`.
    static std::shared_ptr<const SourceFile> decompressed(std::string name, std::filesystem::path path,
                                                          std::vector<std::byte> bytes);
    /// `size` bytes of this file from `offset` on, which must lie inside it, in place. `crc` is their CRC-32.
    std::shared_ptr<const SourceFile> part(std::string name, std::uint64_t offset, std::uint64_t size,
                                           std::optional<std::uint32_t> crc = {}) const;

    const std::string& name() const { return m_name; }           ///< relative to the model's root
    const std::filesystem::path& path() const { return m_path; } ///< the file on disk that contains these bytes
    std::span<const std::byte> bytes() const { return view(0, size()); }
    /// The mapping that contains the bytes, null where they were decompressed, and their offset in it.
    const std::shared_ptr<const MappedFile>& file() const { return m_file; }
    std::uint64_t offset() const { return m_offset; }

    std::uint64_t size() const override { return m_bytes.size(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override;
    std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size) const override;
    std::span<const std::byte> address(std::uint64_t offset, std::uint64_t size) const override;
    void release(std::uint64_t offset, std::uint64_t size) const override;

private:
    class Checksum;

    SourceFile() = default;

    std::string m_name;
    std::filesystem::path m_path;
    std::shared_ptr<const MappedFile> m_file;
    std::uint64_t m_offset = 0;
    std::shared_ptr<const std::vector<std::byte>> m_memory; ///< where the bytes were decompressed
    std::span<const std::byte> m_bytes;
    std::shared_ptr<Checksum> m_checksum; ///< of these bytes, or of a part that contains them; may be null
};

} // namespace crosswalk
