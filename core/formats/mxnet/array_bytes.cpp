#include "core/formats/mxnet/array_bytes.h"

namespace crosswalk::mxnet {

std::optional<std::uint64_t> arrayBytes(ElementType type, const Ints& dims)
{
    auto bytes = static_cast<std::int64_t>(byteSize(type));
    bool isEmpty = false;
    for (const std::int64_t dim : dims) {
        isEmpty = isEmpty || dim == 0;
        if (dim < 0 || __builtin_mul_overflow(bytes, dim == 0 ? 1 : dim, &bytes)) {
            return std::nullopt;
        }
    }
    return isEmpty ? 0 : static_cast<std::uint64_t>(bytes);
}

} // namespace crosswalk::mxnet
