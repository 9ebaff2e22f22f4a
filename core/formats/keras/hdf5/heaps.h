#pragma once

#include "core/formats/keras/hdf5/file_view.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string_view>

namespace crosswalk::keras::hdf5 {

/// Names of the links of a group in the oldest form.
class LocalHeap {
public:
    LocalHeap(const FileView& file, Address address);
    std::string_view text(std::uint64_t offset) const; ///< up to its NUL

private:
    std::span<const std::byte> m_data;
};

/// Collections of values of variable length, such as texts, that lie anywhere in the file.
class GlobalHeap {
public:
    explicit GlobalHeap(const FileView& file)
        : m_file(file)
    {
    }
    std::span<const std::byte> object(Address collection, std::uint32_t index);

private:
    const FileView& m_file;
    std::map<Address, std::map<std::uint32_t, std::span<const std::byte>>> m_collections;
};

/// Objects of a group with many links or of an object with many attributes, in the newer form.
class FractalHeap {
public:
    FractalHeap(const FileView& file, Address address);
    /// The object with this identifier, which is as long as the index of the heap stores it.
    std::span<const std::byte> object(std::span<const std::byte> id) const;
    std::size_t idSize() const { return m_idSize; }

private:
    std::span<const std::byte> managed(std::uint64_t offset, std::uint64_t size) const;
    std::span<const std::byte> huge(ByteReader id) const;
    std::uint64_t rowSize(unsigned row) const;

    const FileView& m_file;
    std::size_t m_idSize = 0;
    bool m_hasChecksums = false;
    std::uint32_t m_largestManaged = 0;
    Address m_hugeIndex = undefinedAddress;
    unsigned m_width = 0;
    std::uint64_t m_firstSize = 0;
    std::uint64_t m_largestDirect = 0;
    unsigned m_offsetSize = 0;
    unsigned m_lengthSize = 0;
    Address m_root = undefinedAddress;
    unsigned m_rows = 0; ///< of the root block; 0 if it is a direct block
};

/// Calls `visit` for every record of a B-tree of version 2, in the order of its nodes.
void visitRecords(const FileView& file, Address tree, unsigned type,
                  const std::function<void(std::span<const std::byte>)>& visit);

} // namespace crosswalk::keras::hdf5
