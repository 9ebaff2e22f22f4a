#pragma once

#include "core/base/source_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

struct ZipMember {
    std::string name;
    std::uint64_t size = 0;           ///< decompressed
    std::uint64_t compressedSize = 0; ///< in the archive
    std::uint32_t crc = 0;            ///< CRC-32 of the content
    std::uint64_t header = 0;         ///< offset of its local header
    bool isStored = false;            ///< neither compressed nor encrypted: its bytes lie in the archive as they are
    bool isEncrypted = false;
    std::uint64_t index = 0; ///< in the archive's directory
};

class ZipDecompressor;

/// A zip archive whose stored members are read in place. libzip reports no member's offset, so the directory is read
/// here, and libzip only decompresses. Format: APPNOTE.TXT of PKWARE, with zip64.
class ZipArchive {
public:
    /// Whether bytes begin as an archive does: with a member, or without any with the end of the directory.
    static bool matches(std::span<const std::byte> bytes);
    /// Name of the member that an archive begins with, empty where it begins with none. Looks at the first bytes only.
    static std::string_view firstName(std::span<const std::byte> bytes);
    /// Throws ModelError "truncated" or "damaged".
    explicit ZipArchive(std::shared_ptr<const SourceFile> file);
    ZipArchive(const ZipArchive&) = delete;
    ZipArchive& operator=(const ZipArchive&) = delete;
    ~ZipArchive();

    const std::vector<ZipMember>& members() const { return m_members; } ///< files only, in the directory's order
    /// Null without such a member. Of several of one name the last counts, as in Python.
    const ZipMember* find(std::string_view name) const;
    std::vector<std::string> names() const; ///< sorted, each once
    /// A stored member in place, which is checked when it is read, any other decompressed into memory. Several threads
    /// may call this. Throws ModelError "truncated", "damaged", and "cancelled" when stopped.
    std::shared_ptr<const SourceFile> open(const ZipMember& member, const std::stop_token& stop = {}) const;

private:
    std::uint64_t contentOffset(const ZipMember& member) const;
    void checkSizes() const;
    void checkOverlaps() const;

    std::shared_ptr<const SourceFile> m_file;
    std::vector<ZipMember> m_members;
    std::vector<std::size_t> m_byName; ///< indexes of members, sorted by name
    std::unique_ptr<ZipDecompressor> m_decompressor;
};

} // namespace crosswalk
