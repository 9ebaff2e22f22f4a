#include "core/formats/pytorch/strided_tensor.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

/// Elements that are not contiguous in their storage, gathered when they are read.
class StridedSource final : public ByteSource {
public:
    StridedSource(StridedView view, std::size_t width, std::uint64_t bytes, std::shared_ptr<const SourceFile> storage)
        : m_view(std::move(view))
        , m_width(width)
        , m_bytes(bytes)
        , m_storage(std::move(storage))
    {
    }

    std::uint64_t size() const override { return m_bytes; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        for (std::size_t done = 0; done < out.size();) {
            const std::uint64_t at = offset + done;
            const std::size_t skipped = at % m_width;
            const std::size_t length = std::min(m_width - skipped, out.size() - done);
            const std::uint64_t from = positionOf(at / m_width) * m_width + skipped;
            std::memcpy(out.data() + done, m_storage->bytes().data() + from, length);
            done += length;
        }
    }

private:
    std::uint64_t positionOf(std::uint64_t element) const
    {
        auto position = static_cast<std::uint64_t>(m_view.offset);
        for (std::size_t i = m_view.sizes.size(); i-- > 0;) {
            const auto size = static_cast<std::uint64_t>(m_view.sizes[i]);
            position += element % size * static_cast<std::uint64_t>(m_view.strides[i]);
            element /= size;
        }
        return position;
    }

    StridedView m_view;
    std::size_t m_width;
    std::uint64_t m_bytes;
    std::shared_ptr<const SourceFile> m_storage;
};

/// Floating-point numbers, or complex ones, with other signs.
class NegatedSource final : public ByteSource {
public:
    NegatedSource(Tensor stored, NegatedParts parts)
        : m_stored(std::move(stored))
        , m_parts(parts)
    {
    }

    std::uint64_t size() const override { return m_stored.bytes(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        constexpr std::byte sign{0x80};
        m_stored.read(offset, out);
        const bool isComplexType = isComplex(m_stored.type());
        const std::uint64_t width = packedSize(m_stored.type(), 1).value_or(1) / (isComplexType ? 2 : 1);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::uint64_t at = offset + i;
            const bool isImaginary = isComplexType && at / width % 2 == 1;
            if (at % width == width - 1 && (isImaginary ? m_parts.imaginary : m_parts.real)) {
                out[i] ^= sign;
            }
        }
    }

private:
    Tensor m_stored;
    NegatedParts m_parts;
};

bool isContiguous(const StridedView& view)
{
    std::int64_t expected = 1;
    for (std::size_t i = view.sizes.size(); i-- > 0;) {
        if (view.sizes[i] != 1 && view.strides[i] != expected) {
            return false;
        }
        expected *= view.sizes[i];
    }
    return true;
}

/// The product, or the sum, of numbers that are not negative; nothing beyond int64.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// The number of elements of a view and the position behind its last one; nothing if a number is invalid.
struct Extent {
    std::int64_t elements = 1;
    std::int64_t end = 0;
};

std::optional<Extent> extentOf(const StridedView& view)
{
    if (view.sizes.size() != view.strides.size() || view.offset < 0) {
        return std::nullopt;
    }
    Extent extent;
    std::optional<std::int64_t> last = view.offset;
    for (std::size_t i = 0; i < view.sizes.size(); ++i) {
        if (view.sizes[i] < 0 || view.strides[i] < 0) {
            return std::nullopt;
        }
        const auto elements = product(extent.elements, view.sizes[i]);
        const auto span = product(std::max<std::int64_t>(view.sizes[i] - 1, 0), view.strides[i]);
        last = last && span ? sum(*last, *span) : std::nullopt;
        if (!elements || !last) {
            return std::nullopt;
        }
        extent.elements = *elements;
    }
    extent.end = extent.elements == 0 ? 0 : *last;
    const auto end = extent.elements == 0 ? std::optional(extent.end) : sum(extent.end, 1);
    extent.end = end.value_or(0);
    return end ? std::optional(extent) : std::nullopt;
}

} // namespace

bool isRowMajor(const StridedView& view)
{
    std::int64_t expected = 1;
    for (std::size_t i = view.sizes.size(); i-- > 0;) {
        const auto next = product(expected, std::max<std::int64_t>(view.sizes[i], 1));
        if (i >= view.strides.size() || view.strides[i] != expected || !next) {
            return false;
        }
        expected = *next;
    }
    return true;
}

Tensor stridedTensor(const StridedView& view, std::shared_ptr<const SourceFile> storage, std::string_view name)
{
    const auto width = packedSize(view.type, 1);
    if (!width || *width == 0) {
        throw ModelError("not-convertible", fmt::format("tensor {} has an element type that is not supported", name));
    }
    const auto extent = extentOf(view);
    if (!extent) {
        throw ModelError("damaged", fmt::format("tensor {} has invalid sizes or strides", name));
    }
    const auto available = static_cast<std::int64_t>(storage->size() / *width);
    if (extent->end > available) {
        throw ModelError("damaged", fmt::format("tensor {} needs {} elements of its storage {}, which has {}", name,
                                                extent->end, storage->name(), available));
    }
    const auto bytes = packedSize(view.type, static_cast<std::uint64_t>(extent->elements));
    if (!bytes) {
        throw ModelError("damaged", fmt::format("tensor {} has invalid sizes", name));
    }
    if (isContiguous(view) || extent->elements == 0) {
        const std::uint64_t offset = extent->elements == 0 ? 0 : static_cast<std::uint64_t>(view.offset) * *width;
        return Tensor::mapped(view.type, view.sizes, std::move(storage), offset);
    }
    return Tensor::generated(view.type, view.sizes,
                             std::make_shared<StridedSource>(view, *width, *bytes, std::move(storage)));
}

Tensor negated(Tensor stored, NegatedParts parts, std::string_view name)
{
    const ElementType type = stored.type();
    if (!parts.real && !(parts.imaginary && isComplex(type))) {
        return stored;
    }
    if (!isFloating(type) && !isComplex(type)) {
        throw ModelError("not-convertible",
                         fmt::format("tensor {} is stored as the negative of {} numbers, which is not "
                                     "supported",
                                     name, elementTypeName(type)));
    }
    const Ints dims = stored.dims();
    return Tensor::generated(type, dims, std::make_shared<NegatedSource>(std::move(stored), parts));
}

} // namespace crosswalk::pytorch
