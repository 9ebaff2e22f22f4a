#include "core/formats/mxnet/npy_zip.h"

#include "core/base/byte_reader.h"
#include "core/formats/mxnet/npy.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::uint32_t localMark = 0x04034b50;
constexpr std::uint32_t entryMark = 0x02014b50;
constexpr std::uint32_t endMark = 0x06054b50;
constexpr std::uint32_t end64Mark = 0x06064b50;
constexpr std::uint32_t locator64Mark = 0x07064b50;
constexpr std::size_t localSize = 30;
constexpr std::size_t endSize = 22;
constexpr std::size_t locator64Size = 20;
constexpr std::string_view suffix = ".npy";

/// A number that did not fit its field stands in the extra field of the entry, in this order.
constexpr std::uint32_t elsewhere = 0xFFFFFFFF;

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t entries = 0;
};

struct Entry {
    std::string_view name;
    std::uint64_t size = 0;
    std::uint64_t header = 0; ///< where its local header stands
};

ByteReader readerAt(std::span<const std::byte> bytes, std::uint64_t offset)
{
    if (offset > bytes.size()) {
        throw ModelError("damaged", fmt::format("is a zip archive with a part at {}, beyond its end", offset));
    }
    return ByteReader(bytes.subspan(static_cast<std::size_t>(offset)));
}

std::uint32_t markAt(std::span<const std::byte> bytes, std::uint64_t offset)
{
    return readerAt(bytes, offset).read<std::uint32_t>("zip record");
}

Directory findDirectory(std::span<const std::byte> bytes)
{
    // The end record stands last, before a comment of up to 64 KiB.
    const std::size_t longest = std::min<std::size_t>(bytes.size(), endSize + 0xFFFF);
    std::size_t back = endSize;
    while (back <= longest && markAt(bytes, bytes.size() - back) != endMark) {
        ++back;
    }
    if (back > longest) {
        throw ModelError("truncated", "is a zip archive without its directory: the file ends too early");
    }
    const std::uint64_t end = bytes.size() - back;
    ByteReader reader = readerAt(bytes, end + 10);
    Directory directory;
    directory.entries = reader.read<std::uint16_t>("zip directory");
    reader.read<std::uint32_t>("zip directory");
    directory.offset = reader.read<std::uint32_t>("zip directory");
    if (end >= locator64Size && markAt(bytes, end - locator64Size) == locator64Mark) {
        const auto end64 = readerAt(bytes, end - locator64Size + 8).read<std::uint64_t>("zip directory");
        if (markAt(bytes, end64) != end64Mark) {
            throw ModelError("damaged", "is a zip archive with a wrong directory");
        }
        ByteReader large = readerAt(bytes, end64);
        large.take(32, "zip directory");
        directory.entries = large.read<std::uint64_t>("zip directory");
        large.read<std::uint64_t>("zip directory");
        directory.offset = large.read<std::uint64_t>("zip directory");
    }
    return directory;
}

void readExtra(ByteReader extra, Entry& entry)
{
    while (extra.remaining() >= 4) {
        const auto id = extra.read<std::uint16_t>("zip entry");
        ByteReader field(extra.take(extra.read<std::uint16_t>("zip entry"), "zip entry"));
        if (id != 1) {
            continue;
        }
        if (entry.size == elsewhere) {
            entry.size = field.read<std::uint64_t>("zip entry");
            field.read<std::uint64_t>("zip entry"); // The stored size, which is the same.
        }
        if (entry.header == elsewhere) {
            entry.header = field.read<std::uint64_t>("zip entry");
        }
    }
}

Entry readEntry(ByteReader& reader)
{
    if (reader.read<std::uint32_t>("zip entry") != entryMark) {
        throw ModelError("damaged", "is a zip archive with a wrong directory");
    }
    reader.take(4, "zip entry");
    const auto flags = reader.read<std::uint16_t>("zip entry");
    const auto method = reader.read<std::uint16_t>("zip entry");
    reader.take(12, "zip entry");
    Entry entry;
    entry.size = reader.read<std::uint32_t>("zip entry");
    const auto nameSize = reader.read<std::uint16_t>("zip entry");
    const auto extraSize = reader.read<std::uint16_t>("zip entry");
    const auto commentSize = reader.read<std::uint16_t>("zip entry");
    reader.take(8, "zip entry");
    entry.header = reader.read<std::uint32_t>("zip entry");
    entry.name = reader.text(nameSize, "zip entry");
    readExtra(ByteReader(reader.take(extraSize, "zip entry")), entry);
    reader.take(commentSize, "zip entry");
    if (method != 0 || (flags & 1U) != 0) {
        throw ModelError("damaged", fmt::format("is a zip archive whose member '{}' is compressed or encrypted",
                                                entry.name.substr(0, 80)));
    }
    return entry;
}

std::uint64_t contentOf(std::span<const std::byte> bytes, const Entry& entry)
{
    ByteReader reader = readerAt(bytes, entry.header);
    if (reader.read<std::uint32_t>("zip member") != localMark) {
        throw ModelError("damaged", "is a zip archive with a wrong directory");
    }
    reader.take(22, "zip member");
    const std::uint64_t nameSize = reader.read<std::uint16_t>("zip member");
    const std::uint64_t extraSize = reader.read<std::uint16_t>("zip member");
    return entry.header + localSize + nameSize + extraSize;
}

} // namespace

bool looksLikeNpyZip(std::span<const std::byte> bytes)
{
    if (bytes.size() < localSize || markAt(bytes, 0) != localMark) {
        return false;
    }
    const std::size_t nameSize = readerAt(bytes, 26).read<std::uint16_t>("zip member");
    return nameSize <= bytes.size() - localSize &&
           readerAt(bytes, localSize).text(nameSize, "zip member").ends_with(suffix);
}

std::vector<NpyMember> readNpyZip(const std::shared_ptr<const MappedFile>& file)
{
    const auto bytes = file->bytes();
    const Directory directory = findDirectory(bytes);
    ByteReader reader = readerAt(bytes, directory.offset);
    std::vector<NpyMember> members;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        const Entry entry = readEntry(reader);
        if (!entry.name.ends_with(suffix)) {
            continue;
        }
        const std::uint64_t content = contentOf(bytes, entry);
        members.push_back({std::string(entry.name.substr(0, entry.name.size() - suffix.size())),
                           readNpy(file, content, entry.size, entry.name)});
    }
    return members;
}

} // namespace crosswalk::mxnet
