#include "core/formats/keras/hdf5/file_view.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::keras::hdf5 {
namespace {

constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
constexpr std::size_t firstUserBlock = 512;

std::optional<std::size_t> superblockOf(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(signature)) {
        return 0;
    }
    for (std::size_t at = firstUserBlock; at < text.size(); at *= 2) {
        if (text.substr(at).starts_with(signature)) {
            return at;
        }
    }
    return std::nullopt;
}

/// The three numbers that lookup3 mixes.
struct Mixed {
    std::uint32_t a, b, c;

    void mix()
    {
        const auto step = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int bits) {
            x = (x - y) ^ std::rotl(y, bits);
            y += z;
        };
        step(a, c, b, 4);
        step(b, a, c, 6);
        step(c, b, a, 8);
        step(a, c, b, 16);
        step(b, a, c, 19);
        step(c, b, a, 4);
    }

    void finish()
    {
        const auto step = [](std::uint32_t& x, std::uint32_t y, int bits) { x = (x ^ y) - std::rotl(y, bits); };
        step(c, b, 14);
        step(a, c, 11);
        step(b, a, 25);
        step(c, b, 16);
        step(a, c, 4);
        step(b, a, 14);
        step(c, b, 24);
    }
};

} // namespace

void damaged(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

void unsupported(const std::string& what)
{
    throw ModelError("unsupported-file", fmt::format("the HDF5 file has {}, which cannot be read", what),
                     "rewrite the file with h5repack, or save it without libver=\"latest\"");
}

bool FileView::matches(std::span<const std::byte> bytes)
{
    return superblockOf(bytes).has_value();
}

FileView::FileView(std::span<const std::byte> bytes)
{
    const auto start = superblockOf(bytes);
    if (!start) {
        damaged("is not an HDF5 file");
    }
    m_start = *start;
    m_bytes = bytes.subspan(*start);
    readSuperblock();
}

void FileView::readSuperblock()
{
    ByteReader reader(m_bytes);
    reader.take(signature.size(), "the signature");
    const auto version = reader.read<std::uint8_t>("the superblock");
    if (version > 3) {
        unsupported(fmt::format("a superblock of version {}", version));
    }
    const bool isClassic = version < 2;
    if (isClassic) {
        reader.take(4, "the superblock"); // versions of other parts
    }
    m_addressSize = reader.read<std::uint8_t>("the superblock");
    m_lengthSize = reader.read<std::uint8_t>("the superblock");
    for (const unsigned size : {m_addressSize, m_lengthSize}) {
        if (size != 2 && size != 4 && size != 8) {
            damaged(fmt::format("has addresses or lengths of {} bytes", size));
        }
    }
    if (isClassic) {
        reader.take(version == 0 ? 9 : 13, "the superblock"); // sizes of nodes, flags
    } else {
        reader.take(1, "the superblock"); // flags
    }
    readAddress(reader); // of the superblock: where it was found counts
    readAddress(reader);
    const Address end = readAddress(reader);
    const std::uint64_t whole = m_start + m_bytes.size(); // the end is counted from the beginning of the file
    if (end != undefinedAddress && end > whole) {
        throw ModelError("truncated", fmt::format("has {} bytes, but its header declares {}", whole, end),
                         "it is incomplete: download or save it again");
    }
    if (isClassic) {
        readAddress(reader); // of a driver
        readLength(reader);  // name of the root group
    }
    m_root = readAddress(reader);
    if (!isClassic) {
        verifyChecksum(*this, 0, reader.position() + 4, "the superblock");
    }
}

ByteReader FileView::at(Address address, std::string_view what) const
{
    if (address > m_bytes.size()) {
        damaged(fmt::format("has {} beyond the end of the file, at {}", what, address));
    }
    ByteReader reader(m_bytes);
    reader.take(address, what);
    return reader;
}

std::span<const std::byte> FileView::bytes(Address address, std::uint64_t size, std::string_view what) const
{
    return at(address, what).take(size, what);
}

ByteReader FileView::signedAt(Address address, std::string_view magic, std::string_view what) const
{
    ByteReader reader = at(address, what);
    if (reader.text(magic.size(), what) != magic) {
        damaged(fmt::format("is an HDF5 file with damaged structure: there is no {} at {}", what, address));
    }
    return reader;
}

Address FileView::readAddress(ByteReader& reader) const
{
    const Address address = readNumber(reader, m_addressSize);
    const bool isUndefined = address == undefinedAddress >> (64 - 8 * m_addressSize);
    return isUndefined ? undefinedAddress : address;
}

std::uint64_t FileView::readLength(ByteReader& reader) const
{
    return readNumber(reader, m_lengthSize);
}

std::uint64_t readNumber(ByteReader& reader, unsigned size)
{
    std::uint64_t value = 0;
    const auto bytes = reader.take(size, "a number");
    std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof value));
    return value;
}

unsigned bytesFor(std::uint64_t most)
{
    return most == 0 ? 1 : (static_cast<unsigned>(std::bit_width(most)) - 1) / 8 + 1;
}

std::uint32_t checksumOf(std::span<const std::byte> bytes)
{
    constexpr std::size_t block = 12;
    const std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(bytes.size());
    Mixed state{start, start, start};
    const auto add = [&](std::span<const std::byte> some) {
        std::array<std::uint32_t, 3> words{};
        std::memcpy(words.data(), some.data(), some.size());
        state.a += words[0];
        state.b += words[1];
        state.c += words[2];
    };
    for (; bytes.size() > block; bytes = bytes.subspan(block)) {
        add(bytes.first(block));
        state.mix();
    }
    if (!bytes.empty()) {
        add(bytes);
        state.finish();
    }
    return state.c;
}

void verifyChecksum(const FileView& file, Address address, std::uint64_t size, std::string_view what)
{
    constexpr std::size_t stored = sizeof(std::uint32_t);
    const auto bytes = file.bytes(address, std::max<std::uint64_t>(size, stored), what);
    ByteReader reader(bytes.last(stored));
    if (reader.read<std::uint32_t>(what) != checksumOf(bytes.first(bytes.size() - stored))) {
        damaged(
            fmt::format("is an HDF5 file with damaged structure: the checksum of {} at {} is wrong", what, address));
    }
}

} // namespace crosswalk::keras::hdf5
