#include "core/formats/tensorflow/checkpoint/string_table.h"

#include "core/base/byte_reader.h"
#include "core/formats/tensorflow/checkpoint/crc32c.h"

#include <fmt/format.h>
#include <snappy.h>

namespace crosswalk::tensorflow {
namespace {

constexpr std::uint64_t magic = 0xdb4775248b80fb57;
constexpr std::size_t footerSize = 48;
constexpr std::size_t trailerSize = 5; ///< of a block: its compression and its CRC

/// The position of a block in the file.
struct BlockHandle {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// Numbers of a block or of the footer. Positions in messages are those of the block in the file.
class Cursor {
public:
    Cursor(std::string_view bytes, std::uint64_t offset)
        : m_bytes(bytes)
        , m_offset(offset)
    {
    }

    bool atEnd() const { return m_bytes.empty(); }
    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 70; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1).front());
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        fail();
    }
    std::string_view take(std::uint64_t size)
    {
        if (size > m_bytes.size()) {
            fail();
        }
        const std::string_view taken = m_bytes.substr(0, static_cast<std::size_t>(size));
        m_bytes.remove_prefix(taken.size());
        return taken;
    }
    [[noreturn]] void fail() const
    {
        throw ModelError("damaged", fmt::format("the block at byte {} has a broken entry", m_offset));
    }

private:
    std::string_view m_bytes;
    std::uint64_t m_offset;
};

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

BlockHandle handleOf(Cursor& cursor)
{
    BlockHandle handle;
    handle.offset = cursor.varint();
    handle.size = cursor.varint();
    return handle;
}

/// The content of a block, unpacked into `buffer` if it is compressed.
std::string_view readBlock(std::span<const std::byte> file, const BlockHandle& handle, std::string& buffer)
{
    if (file.size() < trailerSize || handle.offset > file.size() - trailerSize ||
        handle.size > file.size() - trailerSize - handle.offset) {
        throw ModelError("damaged", fmt::format("the block of {} bytes at byte {} extends beyond the file", handle.size,
                                                handle.offset));
    }
    ByteReader reader(file.subspan(static_cast<std::size_t>(handle.offset)));
    const auto checked = reader.take(handle.size + 1, "a block");
    if (maskedCrc(crc32c(checked)) != reader.read<std::uint32_t>("a block's CRC")) {
        throw ModelError("damaged", fmt::format("the block at byte {} has a wrong CRC", handle.offset));
    }
    const std::string_view content = asText(checked.first(checked.size() - 1));
    const auto compression = static_cast<unsigned>(checked.back());
    if (compression == 0) {
        return content;
    }
    if (compression != 1) {
        throw ModelError("damaged", fmt::format("the block at byte {} has an unknown compression", handle.offset));
    }
    // Checked before, so that only what snappy can expand to is allocated, not what the block claims.
    if (!snappy::IsValidCompressedBuffer(content.data(), content.size()) ||
        !snappy::Uncompress(content.data(), content.size(), &buffer)) {
        throw ModelError("damaged", fmt::format("the compressed block at byte {} is broken", handle.offset));
    }
    return buffer;
}

/// Calls `entry` for each entry of a block.
template <typename Entry>
void readEntries(std::string_view block, std::uint64_t offset, Entry entry)
{
    // The end of a block lists the positions of full keys, for searching. Sequential reading does not need them.
    if (block.size() < sizeof(std::uint32_t)) {
        Cursor({}, offset).fail();
    }
    std::uint32_t restarts = 0;
    std::memcpy(&restarts, block.data() + block.size() - sizeof(restarts), sizeof(restarts));
    if (restarts > block.size() / sizeof(restarts) - 1) {
        Cursor({}, offset).fail();
    }
    Cursor cursor(block.substr(0, block.size() - (std::size_t{restarts} + 1) * sizeof(restarts)), offset);
    std::string key;
    while (!cursor.atEnd()) {
        const std::uint64_t shared = cursor.varint();
        const std::uint64_t added = cursor.varint();
        const std::uint64_t size = cursor.varint();
        if (shared > key.size()) {
            cursor.fail();
        }
        key.resize(static_cast<std::size_t>(shared));
        key += cursor.take(added);
        entry(std::string_view(key), cursor.take(size));
    }
}

} // namespace

bool endsAsTable(std::span<const std::byte> bytes)
{
    if (bytes.size() < footerSize) {
        return false;
    }
    std::uint64_t last = 0;
    std::memcpy(&last, bytes.data() + bytes.size() - sizeof(last), sizeof(last));
    return last == magic;
}

void readTable(const SourceFile& file, const std::function<void(std::string_view, std::string_view)>& entry)
{
    const auto bytes = file.bytes();
    if (!endsAsTable(bytes)) {
        throw ModelError("truncated", "the file does not end like the index of a checkpoint",
                         "it is truncated, or not a TensorFlow checkpoint");
    }
    const std::size_t footerBegin = bytes.size() - footerSize;
    Cursor footer(asText(bytes.subspan(footerBegin)), footerBegin);
    handleOf(footer); // of the metadata block, which TensorFlow leaves empty
    const BlockHandle index = handleOf(footer);
    std::string indexBuffer;
    std::string buffer;
    std::string last;
    bool isFirst = true;
    std::uint64_t end = 0; // of the block before
    readEntries(readBlock(bytes, index, indexBuffer), index.offset, [&](std::string_view, std::string_view value) {
        Cursor cursor(value, index.offset);
        const BlockHandle block = handleOf(cursor);
        if (block.offset < end) { // else a small file could have a block read any number of times
            throw ModelError(
                "damaged",
                fmt::format("the block at byte {} overlaps the one before, which ends at byte {}", block.offset, end));
        }
        const std::string_view entries = readBlock(bytes, block, buffer);
        end = block.offset + block.size + trailerSize;
        readEntries(entries, block.offset, [&](std::string_view key, std::string_view content) {
            if (!isFirst && key <= last) {
                throw ModelError("damaged",
                                 fmt::format("the keys of the block at byte {} are not sorted", block.offset));
            }
            isFirst = false;
            last = key;
            entry(key, content);
        });
    });
}

} // namespace crosswalk::tensorflow
