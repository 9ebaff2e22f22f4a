#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk {

/// Where bytes of a tensor come from. Reading must be possible in any order and from several threads.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    /// Fills `out` with the bytes from `offset` on.
    virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
    /// The bytes in place where they lie in memory, else nothing.
    virtual std::span<const std::byte> view(std::uint64_t /*offset*/, std::uint64_t /*size*/) const { return {}; }
    /// The same for the place of the bytes alone: they are not read.
    virtual std::span<const std::byte> address(std::uint64_t offset, std::uint64_t size) const
    {
        return view(offset, size);
    }
    /// These bytes are not needed for now: mapped pages are given back.
    virtual void release(std::uint64_t /*offset*/, std::uint64_t /*size*/) const {}
};

} // namespace crosswalk
