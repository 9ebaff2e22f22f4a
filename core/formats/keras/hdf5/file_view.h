#pragma once

#include "core/base/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

/// HDF5 files that are not trusted. Everything here throws ModelError "damaged", "truncated" or "unsupported-file" for
/// what a file says wrong, never reads outside of the file, and ends in time proportional to the file's size.
namespace crosswalk::keras::hdf5 {

using Address = std::uint64_t; ///< from the superblock on
inline constexpr Address undefinedAddress = std::numeric_limits<Address>::max();

[[noreturn]] void damaged(std::string message);
/// For what HDF5 defines, but files of models do not contain.
[[noreturn]] void unsupported(const std::string& what);

/// The bytes of a file with what its superblock says of them.
class FileView {
public:
    /// Whether there is a superblock, at the beginning or behind a user block.
    static bool matches(std::span<const std::byte> bytes);

    explicit FileView(std::span<const std::byte> bytes);

    Address root() const { return m_root; }                               ///< the header of the root group
    std::uint64_t size() const { return m_bytes.size(); }                 ///< without a user block
    std::uint64_t offsetInFile(Address at) const { return m_start + at; } ///< user block included
    unsigned addressSize() const { return m_addressSize; }
    unsigned lengthSize() const { return m_lengthSize; }

    /// A reader that begins at an address and ends with the file. `what` is at that address.
    ByteReader at(Address address, std::string_view what) const;
    /// `size` bytes at an address.
    std::span<const std::byte> bytes(Address address, std::uint64_t size, std::string_view what) const;
    /// A reader of a structure that begins with a signature of four letters, which is skipped.
    ByteReader signedAt(Address address, std::string_view magic, std::string_view what) const;

    Address readAddress(ByteReader& reader) const;
    std::uint64_t readLength(ByteReader& reader) const;

private:
    void readSuperblock();

    std::span<const std::byte> m_bytes;
    std::uint64_t m_start = 0;
    unsigned m_addressSize = 8;
    unsigned m_lengthSize = 8;
    Address m_root = undefinedAddress;
};

/// A number of one to eight bytes.
std::uint64_t readNumber(ByteReader& reader, unsigned size);
/// Bytes that a number up to `most` takes where HDF5 stores it as short as possible.
unsigned bytesFor(std::uint64_t most);

/// HDF5's checksum of its structures: Jenkins' lookup3.
std::uint32_t checksumOf(std::span<const std::byte> bytes);
/// Throws "damaged" unless the last four of `size` bytes at an address are the checksum of those before.
void verifyChecksum(const FileView& file, Address address, std::uint64_t size, std::string_view what);

} // namespace crosswalk::keras::hdf5
