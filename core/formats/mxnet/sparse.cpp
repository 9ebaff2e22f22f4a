#include "core/formats/mxnet/sparse.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

[[noreturn]] void damagedSparse(std::string_view what, std::string_view why)
{
    throw ModelError("damaged", fmt::format("{} is sparse, but {}", what, why));
}

Ints numbers(const Tensor& tensor, std::string_view what)
{
    if (tensor.rank() != 1 || !isInteger(tensor.type())) {
        damagedSparse(what, "its indices are not a list of integers");
    }
    return tensor.toInts();
}

/// A tensor whose rows (along axis 0) come from another tensor or are zero.
class RowSource : public ByteSource {
public:
    RowSource(std::uint64_t rows, std::uint64_t rowBytes)
        : m_rows(rows)
        , m_rowBytes(rowBytes)
    {
    }
    std::uint64_t size() const override { return m_rows * m_rowBytes; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        while (!out.empty()) {
            const std::uint64_t within = offset % m_rowBytes;
            const auto take = std::min<std::uint64_t>(m_rowBytes - within, out.size());
            const auto part = out.first(take);
            std::fill(part.begin(), part.end(), std::byte{0});
            readRow(offset / m_rowBytes, within, part);
            out = out.subspan(take);
            offset += take;
        }
    }

protected:
    /// Writes the nonzero elements to `out`, the bytes of a row from `within` on.
    virtual void readRow(std::uint64_t row, std::uint64_t within, std::span<std::byte> out) const = 0;

private:
    std::uint64_t m_rows;
    std::uint64_t m_rowBytes;
};

class ListedRows final : public RowSource {
public:
    ListedRows(std::uint64_t rows, std::uint64_t rowBytes, Tensor values, Ints listed)
        : RowSource(rows, rowBytes)
        , m_rowBytes(rowBytes)
        , m_values(std::move(values))
        , m_listed(std::move(listed))
    {
    }

protected:
    void readRow(std::uint64_t row, std::uint64_t within, std::span<std::byte> out) const override
    {
        const auto place = std::lower_bound(m_listed.begin(), m_listed.end(), static_cast<std::int64_t>(row));
        if (place != m_listed.end() && *place == static_cast<std::int64_t>(row)) {
            m_values.read(static_cast<std::uint64_t>(place - m_listed.begin()) * m_rowBytes + within, out);
        }
    }

private:
    std::uint64_t m_rowBytes;
    Tensor m_values;
    Ints m_listed;
};

class CsrRows final : public RowSource {
public:
    CsrRows(std::uint64_t rows, std::uint64_t rowBytes, Tensor values, Ints pointers, Ints columns)
        : RowSource(rows, rowBytes)
        , m_values(std::move(values))
        , m_pointers(std::move(pointers))
        , m_columns(std::move(columns))
    {
    }

protected:
    void readRow(std::uint64_t row, std::uint64_t within, std::span<std::byte> out) const override
    {
        const std::uint64_t width = byteSize(m_values.type());
        std::vector<std::byte> element(width);
        for (auto i = m_pointers[row]; i < m_pointers[row + 1]; ++i) {
            const std::uint64_t start = static_cast<std::uint64_t>(m_columns[static_cast<std::size_t>(i)]) * width;
            // The window may start or end within an element.
            const std::uint64_t first = std::max(start, within);
            const std::uint64_t last = std::min<std::uint64_t>(start + width, within + out.size());
            if (first < last) {
                m_values.read(static_cast<std::uint64_t>(i) * width, element);
                std::copy_n(element.begin() + static_cast<std::ptrdiff_t>(first - start), last - first,
                            out.begin() + static_cast<std::ptrdiff_t>(first - within));
            }
        }
    }

private:
    Tensor m_values;
    Ints m_pointers;
    Ints m_columns;
};

std::uint64_t rowBytes(const Ints& dims, ElementType type)
{
    std::uint64_t bytes = byteSize(type);
    for (std::size_t i = 1; i < dims.size(); ++i) {
        bytes *= static_cast<std::uint64_t>(dims[i]);
    }
    return bytes;
}

} // namespace

Tensor denseFromRows(Ints dims, const Tensor& values, const Tensor& rows, std::string_view what)
{
    auto listed = numbers(rows, what);
    auto expected = dims;
    expected[0] = static_cast<std::int64_t>(listed.size());
    // A file with nothing stored may leave the rank of the values open.
    if (values.dims() != expected && !(listed.empty() && values.elements() == 0)) {
        damagedSparse(what, "its values do not fit its row numbers");
    }
    for (std::size_t i = 0; i < listed.size(); ++i) {
        if (listed[i] < 0 || listed[i] >= dims[0] || (i > 0 && listed[i] <= listed[i - 1])) {
            damagedSparse(what, fmt::format("its row number {} is wrong", listed[i]));
        }
    }
    const auto rowCount = static_cast<std::uint64_t>(dims[0]);
    const std::uint64_t bytes = rowBytes(dims, values.type());
    return Tensor::generated(values.type(), std::move(dims),
                             std::make_shared<ListedRows>(rowCount, bytes, values, std::move(listed)));
}

Tensor denseFromCsr(Ints dims, const Tensor& values, const Tensor& pointers, const Tensor& columns,
                    std::string_view what)
{
    auto starts = numbers(pointers, what);
    auto places = numbers(columns, what);
    if (dims.size() != 2 || values.rank() != 1) {
        damagedSparse(what, "it is not a matrix");
    }
    // An array that was never filled has no row pointers.
    if (starts.empty() && places.empty()) {
        return Tensor::filled(values.type(), std::move(dims), 0);
    }
    if (starts.size() != static_cast<std::uint64_t>(dims[0]) + 1 || starts.front() != 0 ||
        starts.back() != static_cast<std::int64_t>(places.size()) || !std::is_sorted(starts.begin(), starts.end())) {
        damagedSparse(what, "its row pointers are wrong");
    }
    for (const std::int64_t place : places) {
        if (place < 0 || place >= dims[1]) {
            damagedSparse(what, fmt::format("its column number {} is wrong", place));
        }
    }
    const auto rowCount = static_cast<std::uint64_t>(dims[0]);
    const std::uint64_t bytes = rowBytes(dims, values.type());
    return Tensor::generated(values.type(), std::move(dims),
                             std::make_shared<CsrRows>(rowCount, bytes, values, std::move(starts), std::move(places)));
}

} // namespace crosswalk::mxnet
