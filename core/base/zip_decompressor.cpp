#include "core/base/zip_decompressor.h"

#include "core/base/check_stop.h"
#include "core/base/readable.h"
#include "core/base/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <zip.h>

namespace crosswalk {
namespace {

// A member is treated as a zip bomb if it is larger than harmlessSize and expands by more than maxExpansion. Weights,
// even pruned ones, hardly compress; text compresses well but is small.
constexpr std::uint64_t harmlessSize = std::uint64_t{256} << 20U;
constexpr std::uint64_t maxExpansion = 200;

constexpr std::uint64_t chunkSize = std::uint64_t{1} << 20U;

[[noreturn]] void fail(const ZipMember& member, std::string_view why, std::string hint = {})
{
    throw ModelError("damaged", fmt::format("the member '{}' of the archive {}", member.name.substr(0, 80), why),
                     std::move(hint));
}

void checkExpansion(const ZipMember& member)
{
    if (member.size > harmlessSize && member.size / maxExpansion > member.compressedSize) {
        fail(member,
             fmt::format("would decompress from {} to {}, as a zip bomb does", readableBytes(member.compressedSize),
                         readableBytes(member.size)),
             "if you trust the file, unpack it and open the folder");
    }
}

struct Closing {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

} // namespace

ZipDecompressor::ZipDecompressor(std::shared_ptr<const SourceFile> archive)
    : m_archive(std::move(archive))
{
}

ZipDecompressor::~ZipDecompressor()
{
    if (m_zip != nullptr) {
        zip_discard(m_zip);
    }
}

void ZipDecompressor::open()
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(m_archive->bytes().data(), m_archive->size(), 0, &error);
    if (source != nullptr) {
        m_zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    }
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (m_zip == nullptr) {
        zip_source_free(source);
        throw ModelError("damaged", fmt::format("is a zip archive that cannot be read: {}", why));
    }
}

std::vector<std::byte> ZipDecompressor::read(const ZipMember& member, const std::stop_token& stop)
{
    if (member.isEncrypted) {
        fail(member, "is encrypted", "unpack the archive with its password and open the folder");
    }
    checkExpansion(member);
    const std::lock_guard lock(m_mutex);
    if (m_zip == nullptr) {
        open();
    }
    zip_stat_t found;
    if (zip_stat_index(m_zip, member.index, ZIP_FL_ENC_RAW, &found) != 0 || found.name != member.name ||
        found.size != member.size || found.comp_size != member.compressedSize) {
        fail(member, "has two different entries in the archive's directory");
    }
    const std::unique_ptr<zip_file_t, Closing> file(zip_fopen_index(m_zip, member.index, 0));
    if (!file) {
        fail(member, fmt::format("cannot be decompressed: {}", zip_error_strerror(zip_get_error(m_zip))));
    }
    std::vector<std::byte> bytes(member.size);
    std::uint64_t done = 0;
    std::byte behind{};
    while (true) {
        checkStop(stop);
        // Reading one byte past the expected end makes libzip verify the checksum, and detects extra data.
        const bool isFull = done == bytes.size();
        const auto size = isFull ? 1 : std::min(chunkSize, bytes.size() - done);
        const auto count = zip_fread(file.get(), isFull ? &behind : bytes.data() + done, size);
        if (count < 0) {
            fail(member, fmt::format("is damaged: {}", zip_file_strerror(file.get())));
        }
        if (isFull ? count > 0 : count == 0) {
            fail(member,
                 fmt::format("does not decompress to the {} bytes that the archive's directory lists", bytes.size()));
        }
        if (isFull) {
            return bytes;
        }
        done += static_cast<std::uint64_t>(count);
    }
}

} // namespace crosswalk
