#pragma once

#include "core/base/source_file.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

struct zip;

namespace crosswalk {

struct ZipMember;

/// Decompresses members of a zip archive with libzip, which reads the archive's directory a second time: what it finds
/// must agree with the member given.
class ZipDecompressor {
public:
    explicit ZipDecompressor(std::shared_ptr<const SourceFile> archive);
    ZipDecompressor(const ZipDecompressor&) = delete;
    ZipDecompressor& operator=(const ZipDecompressor&) = delete;
    ~ZipDecompressor();

    /// All bytes of the member; their checksum is right. Several threads may call this, one waits for the other. Throws
    /// ModelError "damaged", also for a member that is encrypted or grows out of proportion, and "cancelled".
    std::vector<std::byte> read(const ZipMember& member, const std::stop_token& stop);

private:
    void open();

    std::shared_ptr<const SourceFile> m_archive;
    std::mutex m_mutex;
    zip* m_zip = nullptr; ///< opened with the first member that is read
};

} // namespace crosswalk
