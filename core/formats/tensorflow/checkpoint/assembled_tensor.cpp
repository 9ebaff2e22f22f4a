#include "core/formats/tensorflow/checkpoint/assembled_tensor.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

std::int64_t product(const Ints& sizes)
{
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) {
        count *= size;
    }
    return count;
}

/// The index of an element in each dimension.
Ints coordinatesOf(std::int64_t index, const Ints& dims)
{
    Ints at(dims.size());
    for (std::size_t d = dims.size(); d-- > 0;) {
        at[d] = index % dims[d];
        index /= dims[d];
    }
    return at;
}

/// Calls run(index of the first element, elements, offset into `out` in bytes) for runs of elements along the last
/// dimension, until `out` is full. Elements that `out` covers only in part go through a buffer.
template <typename ReadRun>
void readRuns(std::uint64_t offset, std::span<std::byte> out, std::uint64_t width, ReadRun readRun)
{
    std::vector<std::byte> element(width);
    while (!out.empty()) {
        const auto index = static_cast<std::int64_t>(offset / width);
        const std::uint64_t within = offset % width;
        std::size_t done = 0;
        if (within != 0 || out.size() < width) {
            readRun(index, std::span(element));
            done = std::min<std::size_t>(out.size(), width - within);
            std::copy_n(element.begin() + static_cast<std::ptrdiff_t>(within), done, out.begin());
        } else {
            done = readRun(index, out.first(out.size() / width * width));
        }
        offset += done;
        out = out.subspan(done);
    }
}

/// A tensor that is assembled from parts.
class AssembledSource final : public ByteSource {
public:
    AssembledSource(ElementType type, Ints dims, std::vector<TensorPart> parts)
        : m_width(byteSize(type))
        , m_dims(std::move(dims))
        , m_parts(std::move(parts))
    {
    }
    std::uint64_t size() const override { return static_cast<std::uint64_t>(product(m_dims)) * m_width; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        readRuns(offset, out, m_width,
                 [&](std::int64_t index, std::span<std::byte> run) { return readRun(index, run); });
    }

private:
    /// Fills the front of `run`, up to the end of the part's row; returns the number of bytes read.
    std::size_t readRun(std::int64_t index, std::span<std::byte> run) const
    {
        const Ints at = coordinatesOf(index, m_dims);
        for (const TensorPart& part : m_parts) {
            const auto& sizes = part.tensor.dims();
            std::int64_t inPart = 0;
            bool isInside = true;
            for (std::size_t d = 0; d < at.size(); ++d) {
                const std::int64_t inDim = at[d] - part.slice.start[d];
                isInside = isInside && inDim >= 0 && inDim < sizes[d];
                inPart = inPart * sizes[d] + inDim;
            }
            if (isInside) {
                const std::int64_t left = part.slice.start.back() + sizes.back() - at.back();
                const std::size_t take = std::min<std::size_t>(run.size(), static_cast<std::uint64_t>(left) * m_width);
                part.tensor.read(static_cast<std::uint64_t>(inPart) * m_width, run.first(take));
                return take;
            }
        }
        assert(false); // the parts have no gaps
        return run.size();
    }

    std::uint64_t m_width;
    Ints m_dims;
    std::vector<TensorPart> m_parts;
};

/// A part of a tensor.
class PartSource final : public ByteSource {
public:
    PartSource(Tensor whole, Ints start, Ints dims)
        : m_whole(std::move(whole))
        , m_start(std::move(start))
        , m_dims(std::move(dims))
        , m_width(byteSize(m_whole.type()))
    {
    }
    std::uint64_t size() const override { return static_cast<std::uint64_t>(product(m_dims)) * m_width; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        readRuns(offset, out, m_width, [&](std::int64_t index, std::span<std::byte> run) {
            const Ints at = coordinatesOf(index, m_dims);
            std::int64_t inWhole = 0;
            for (std::size_t d = 0; d < at.size(); ++d) {
                inWhole = inWhole * m_whole.dims()[d] + m_start[d] + at[d];
            }
            const auto left = static_cast<std::uint64_t>(m_dims.back() - at.back());
            const std::size_t take = std::min<std::size_t>(run.size(), left * m_width);
            m_whole.read(static_cast<std::uint64_t>(inWhole) * m_width, run.first(take));
            return take;
        });
    }

private:
    Tensor m_whole;
    Ints m_start;
    Ints m_dims;
    std::uint64_t m_width;
};

bool overlap(const TensorPart& a, const TensorPart& b)
{
    for (std::size_t d = 0; d < a.slice.start.size(); ++d) {
        const bool isApart = a.slice.start[d] + a.tensor.dims()[d] <= b.slice.start[d] ||
                             b.slice.start[d] + b.tensor.dims()[d] <= a.slice.start[d];
        if (isApart) {
            return false;
        }
    }
    return true;
}

void checkCover(const Ints& dims, const std::vector<TensorPart>& parts)
{
    assert(parts.size() <= mostParts);
    std::int64_t covered = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        covered += parts[i].tensor.elements();
        for (std::size_t k = 0; k < i; ++k) {
            if (overlap(parts[i], parts[k])) {
                throw ModelError("damaged", fmt::format("the parts {} and {} overlap", toString(parts[k].slice),
                                                        toString(parts[i].slice)));
            }
        }
    }
    if (covered != product(dims)) {
        throw ModelError("damaged",
                         fmt::format("the parts have {} elements, but the whole has {}", covered, product(dims)));
    }
}

bool isWholeBehindFirst(const TensorPart& part, const Ints& dims)
{
    return std::equal(part.tensor.dims().iteratorAt(1), part.tensor.dims().end(), dims.iteratorAt(1), dims.end());
}

} // namespace

Tensor assembled(ElementType type, const Ints& dims, std::vector<TensorPart> parts)
{
    std::erase_if(parts, [](const TensorPart& part) { return part.tensor.elements() == 0; });
    for (const TensorPart& part : parts) {
        if (part.tensor.type() != type || sizesOf(part.slice, dims) != part.tensor.dims()) {
            throw ModelError("damaged", fmt::format("the part {} does not match its slice", toString(part.slice)));
        }
    }
    std::sort(parts.begin(), parts.end(),
              [](const TensorPart& a, const TensorPart& b) { return a.slice.start < b.slice.start; });
    checkCover(dims, parts);
    if (parts.empty() || dims.empty()) {
        return parts.empty() ? Tensor::filled(type, dims, 0) : parts.front().tensor;
    }
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const TensorPart& part) { return isWholeBehindFirst(part, dims); })) {
        std::vector<Tensor> rows;
        std::transform(parts.begin(), parts.end(), std::back_inserter(rows),
                       [](const TensorPart& part) { return part.tensor; });
        return Tensor::joined(rows);
    }
    if (type == ElementType::String) {
        throw ModelError("unsupported-type", "strings are partitioned along a dimension other than the first");
    }
    return Tensor::generated(type, dims, std::make_shared<AssembledSource>(type, dims, std::move(parts)));
}

Tensor partOf(const Tensor& whole, const Slice& slice)
{
    const auto sizes = sizesOf(slice, whole.dims());
    assert(sizes);
    if (*sizes == whole.dims()) {
        return whole;
    }
    const bool isWholeRows = std::equal(sizes->iteratorAt(1), sizes->end(), whole.dims().iteratorAt(1));
    if (isWholeRows) {
        const std::int64_t row = whole.dims()[0] == 0 ? 0 : whole.elements() / whole.dims()[0];
        return whole.range(slice.start[0] * row, *sizes);
    }
    if (whole.type() == ElementType::String) {
        throw ModelError("unsupported-type", "strings are partitioned along a dimension other than the first");
    }
    return Tensor::generated(whole.type(), *sizes, std::make_shared<PartSource>(whole, slice.start, *sizes));
}

} // namespace crosswalk::tensorflow
