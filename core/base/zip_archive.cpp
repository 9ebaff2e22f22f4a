#include "core/base/zip_archive.h"

#include "core/base/byte_reader.h"
#include "core/base/zip_decompressor.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk {
namespace {

constexpr std::uint32_t localMark = 0x04034b50;
constexpr std::uint32_t entryMark = 0x02014b50;
constexpr std::uint32_t endMark = 0x06054b50;
constexpr std::uint32_t end64Mark = 0x06064b50;
constexpr std::uint32_t locator64Mark = 0x07064b50;
constexpr std::size_t localSize = 30;
constexpr std::size_t endSize = 22;
constexpr std::size_t locator64Size = 20;

/// Marks a number that does not fit its 32-bit field and is stored in the entry's extra field instead.
constexpr std::uint32_t inExtraField = 0xFFFFFFFF;

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t entries = 0;
};

[[noreturn]] void failOnDirectory()
{
    throw ModelError("damaged", "is a zip archive with an invalid directory");
}

ByteReader readerAt(std::span<const std::byte> bytes, std::uint64_t offset)
{
    if (offset > bytes.size()) {
        throw ModelError("damaged", fmt::format("is a zip archive with a record at offset {}, past its end", offset));
    }
    return ByteReader(bytes.subspan(static_cast<std::size_t>(offset)));
}

std::uint32_t markAt(std::span<const std::byte> bytes, std::uint64_t offset)
{
    return readerAt(bytes, offset).read<std::uint32_t>("zip record");
}

Directory findDirectory(std::span<const std::byte> bytes)
{
    // The end record is last, followed only by a comment of up to 64 KiB.
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
            failOnDirectory();
        }
        ByteReader large = readerAt(bytes, end64);
        large.take(32, "zip directory");
        directory.entries = large.read<std::uint64_t>("zip directory");
        large.read<std::uint64_t>("zip directory");
        directory.offset = large.read<std::uint64_t>("zip directory");
    }
    return directory;
}

void readExtra(ByteReader extra, ZipMember& member)
{
    constexpr std::uint16_t zip64 = 1;
    while (extra.remaining() >= 4) {
        const auto id = extra.read<std::uint16_t>("zip entry");
        ByteReader field(extra.take(extra.read<std::uint16_t>("zip entry"), "zip entry"));
        if (id != zip64) {
            continue;
        }
        for (std::uint64_t* number : {&member.size, &member.compressedSize, &member.header}) {
            if (*number == inExtraField) {
                *number = field.read<std::uint64_t>("zip entry");
            }
        }
    }
}

ZipMember readEntry(ByteReader& reader)
{
    if (reader.read<std::uint32_t>("zip entry") != entryMark) {
        failOnDirectory();
    }
    reader.take(4, "zip entry");
    const auto flags = reader.read<std::uint16_t>("zip entry");
    const auto method = reader.read<std::uint16_t>("zip entry");
    reader.take(4, "zip entry");
    ZipMember member;
    member.crc = reader.read<std::uint32_t>("zip entry");
    member.compressedSize = reader.read<std::uint32_t>("zip entry");
    member.size = reader.read<std::uint32_t>("zip entry");
    const auto nameSize = reader.read<std::uint16_t>("zip entry");
    const auto extraSize = reader.read<std::uint16_t>("zip entry");
    const auto commentSize = reader.read<std::uint16_t>("zip entry");
    reader.take(8, "zip entry");
    member.header = reader.read<std::uint32_t>("zip entry");
    member.name = reader.text(nameSize, "zip entry");
    readExtra(ByteReader(reader.take(extraSize, "zip entry")), member);
    reader.take(commentSize, "zip entry");
    member.isEncrypted = (flags & 1U) != 0;
    member.isStored = method == 0 && !member.isEncrypted;
    return member;
}

} // namespace

bool ZipArchive::matches(std::span<const std::byte> bytes)
{
    if (bytes.size() < sizeof(std::uint32_t)) {
        return false;
    }
    const std::uint32_t mark = markAt(bytes, 0);
    return mark == localMark || mark == endMark;
}

std::string_view ZipArchive::firstName(std::span<const std::byte> bytes)
{
    if (bytes.size() < localSize || markAt(bytes, 0) != localMark) {
        return {};
    }
    const std::size_t size = readerAt(bytes, 26).read<std::uint16_t>("zip member");
    return size <= bytes.size() - localSize ? readerAt(bytes, localSize).text(size, "zip member") : std::string_view();
}

ZipArchive::ZipArchive(std::shared_ptr<const SourceFile> file)
    : m_file(std::move(file))
    , m_decompressor(std::make_unique<ZipDecompressor>(m_file))
{
    const Directory directory = findDirectory(m_file->bytes());
    ByteReader reader = readerAt(m_file->bytes(), directory.offset);
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        ZipMember member = readEntry(reader);
        member.index = i;
        if (!member.name.ends_with('/')) { // not a folder
            m_members.push_back(std::move(member));
        }
    }
    checkSizes();
    checkOverlaps();
    m_byName.resize(m_members.size());
    std::iota(m_byName.begin(), m_byName.end(), std::size_t{0});
    std::stable_sort(m_byName.begin(), m_byName.end(),
                     [this](std::size_t a, std::size_t b) { return m_members[a].name < m_members[b].name; });
}

ZipArchive::~ZipArchive() = default;

/// Members that share their bytes could make a small archive decompress to an unbounded size.
void ZipArchive::checkSizes() const
{
    std::uint64_t left = m_file->size();
    for (const ZipMember& member : m_members) {
        if (member.compressedSize > left) {
            throw ModelError("damaged", "is a zip archive whose members are larger than the archive");
        }
        left -= member.compressedSize;
        if (member.isStored && member.size != member.compressedSize) {
            throw ModelError("damaged", fmt::format("is a zip archive with two sizes for the member '{}': {} and {}",
                                                    member.name.substr(0, 80), member.size, member.compressedSize));
        }
    }
}

/// Throws ModelError "damaged" if two members overlap: programs disagree on the content of such members.
void ZipArchive::checkOverlaps() const
{
    std::vector<const ZipMember*> inOrder;
    inOrder.reserve(m_members.size());
    for (const ZipMember& member : m_members) {
        inOrder.push_back(&member);
    }
    std::ranges::sort(inOrder, {}, &ZipMember::header);
    for (std::size_t i = 1; i < inOrder.size(); ++i) {
        const ZipMember& before = *inOrder[i - 1];
        // Cannot overflow: checkSizes() has bounded the sizes, and the headers ascend.
        const std::uint64_t least = localSize + before.name.size() + before.compressedSize;
        if (inOrder[i]->header - before.header < least) {
            throw ModelError("damaged", fmt::format("is a zip archive whose members '{}' and '{}' overlap",
                                                    before.name.substr(0, 80), inOrder[i]->name.substr(0, 80)));
        }
    }
}

const ZipMember* ZipArchive::find(std::string_view name) const
{
    const auto behind =
        std::upper_bound(m_byName.begin(), m_byName.end(), name,
                         [this](std::string_view wanted, std::size_t i) { return wanted < m_members[i].name; });
    return behind != m_byName.begin() && m_members[behind[-1]].name == name ? &m_members[behind[-1]] : nullptr;
}

std::vector<std::string> ZipArchive::names() const
{
    std::vector<std::string> names;
    for (const std::size_t i : m_byName) {
        if (names.empty() || names.back() != m_members[i].name) {
            names.push_back(m_members[i].name);
        }
    }
    return names;
}

std::uint64_t ZipArchive::contentOffset(const ZipMember& member) const
{
    ByteReader reader = readerAt(m_file->bytes(), member.header);
    if (reader.read<std::uint32_t>("zip member") != localMark) {
        failOnDirectory();
    }
    reader.take(22, "zip member");
    const std::uint64_t nameSize = reader.read<std::uint16_t>("zip member");
    const std::uint64_t extraSize = reader.read<std::uint16_t>("zip member");
    if (reader.text(static_cast<std::size_t>(nameSize), "zip member") != member.name) {
        throw ModelError("damaged",
                         fmt::format("is a zip archive with two names for the member '{}'", member.name.substr(0, 80)));
    }
    const std::uint64_t offset = member.header + localSize + nameSize + extraSize;
    if (offset > m_file->size() || member.compressedSize > m_file->size() - offset) {
        throw ModelError("truncated",
                         fmt::format("the member '{}' extends past the end of the archive", member.name.substr(0, 80)));
    }
    return offset;
}

std::shared_ptr<const SourceFile> ZipArchive::open(const ZipMember& member, const std::stop_token& stop) const
{
    if (member.isStored) {
        return m_file->part(member.name, contentOffset(member), member.size, member.crc);
    }
    return SourceFile::decompressed(member.name, m_file->path(), m_decompressor->read(member, stop));
}

} // namespace crosswalk
