// LZF is a sequence of literal runs and back references. A control byte below 32 is followed by so many literal bytes
// plus one. Any other has the length of a reference less two in its upper three bits (7: one more byte is added to it)
// and the upper five bits of its distance less one, whose lower bits are the next byte.

#include "core/formats/keras/lzf_filter.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace crosswalk::keras {
namespace {

constexpr std::size_t firstReference = 32;
constexpr std::size_t longReference = 7;

/// Whether the input fits the output exactly or ends before it; the number of bytes, 0 for damaged input.
std::size_t decompressed(std::span<const std::uint8_t> in, std::span<std::uint8_t> out)
{
    std::size_t from = 0;
    std::size_t to = 0;
    while (from < in.size()) {
        const std::size_t control = in[from++];
        if (control < firstReference) {
            const std::size_t length = control + 1;
            if (length > in.size() - from || length > out.size() - to) {
                return 0;
            }
            std::memcpy(out.data() + to, in.data() + from, length);
            from += length;
            to += length;
            continue;
        }
        std::size_t length = control >> 5U;
        if (length == longReference) {
            if (from == in.size()) {
                return 0;
            }
            length += in[from++];
        }
        length += 2;
        if (from == in.size()) {
            return 0;
        }
        const std::size_t distance = ((control & 31U) << 8U) + in[from++] + 1;
        if (distance > to || length > out.size() - to) {
            return 0;
        }
        for (std::size_t i = 0; i < length; ++i, ++to) { // a reference may overlap what it writes
            out[to] = out[to - distance];
        }
    }
    return to;
}

/// Of the filter's parameters, the third is the size of a chunk.
std::size_t filter(unsigned flags, std::size_t count, const unsigned* parameters, std::size_t size,
                   std::size_t* capacity, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0 || count < 3) {
        return 0; // files are only read
    }
    const std::size_t room = parameters[2];
    void* out = room > 0 ? std::malloc(room) : nullptr; // the library frees it
    if (out == nullptr) {
        return 0;
    }
    const std::size_t made =
        decompressed({static_cast<const std::uint8_t*>(*buffer), size}, {static_cast<std::uint8_t*>(out), room});
    if (made == 0) {
        std::free(out);
        return 0;
    }
    std::free(*buffer);
    *buffer = out;
    *capacity = room;
    return made;
}

} // namespace

void registerLzf()
{
    static const H5Z_class2_t lzf{H5Z_CLASS_T_VERS, lzfFilter, 0, 1, "lzf", nullptr, nullptr, filter};
    if (H5Zfilter_avail(lzfFilter) <= 0) {
        H5Zregister(&lzf);
    }
}

} // namespace crosswalk::keras
