#include "core/graph/tensor.h"

#include "core/base/budget.h"
#include "core/base/saturating_product.h"
#include "core/graph/tensor_files.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <set>
#include <stdexcept>

namespace crosswalk {
namespace {

constexpr std::uint64_t chunkSize = 1U << 20U;

class MappedSource final : public ByteSource {
public:
    MappedSource(std::shared_ptr<const MappedFile> file, std::uint64_t offset, std::uint64_t size)
        : m_file(std::move(file))
        , m_offset(offset)
        , m_size(size)
    {
        assert(offset <= m_file->bytes().size() && size <= m_file->bytes().size() - offset);
    }
    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        const auto bytes = view(offset, out.size());
        std::copy(bytes.begin(), bytes.end(), out.begin());
    }
    std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size) const override
    {
        assert(offset + size <= m_size);
        return m_file->bytes().subspan(m_offset + offset, size);
    }
    void release(std::uint64_t offset, std::uint64_t size) const override { m_file->release(m_offset + offset, size); }
    const std::filesystem::path& path() const { return m_file->path(); }

private:
    std::shared_ptr<const MappedFile> m_file;
    std::uint64_t m_offset;
    std::uint64_t m_size;
};

class OwnedSource final : public ByteSource {
public:
    explicit OwnedSource(std::vector<std::byte> bytes)
        : m_bytes(std::move(bytes))
    {
    }
    std::uint64_t size() const override { return m_bytes.size(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        const auto bytes = view(offset, out.size());
        std::copy(bytes.begin(), bytes.end(), out.begin());
    }
    std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size) const override
    {
        assert(offset + size <= m_bytes.size());
        return std::span(m_bytes).subspan(offset, size);
    }

private:
    std::vector<std::byte> m_bytes;
};

/// Repeats one element.
class FilledSource final : public ByteSource {
public:
    FilledSource(std::vector<std::byte> element, std::uint64_t size)
        : m_element(std::move(element))
        , m_size(size)
    {
    }
    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = m_element[(offset + i) % m_element.size()];
        }
    }

private:
    std::vector<std::byte> m_element;
    std::uint64_t m_size;
};

/// Elements of another tensor, converted to another type.
class ConvertedSource final : public ByteSource {
public:
    ConvertedSource(Tensor from, ElementType to)
        : m_from(std::move(from))
        , m_to(to)
    {
    }
    std::uint64_t size() const override { return static_cast<std::uint64_t>(m_from.elements()) * byteSize(m_to); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (out.empty()) {
            return;
        }
        const std::uint64_t width = byteSize(m_to);
        const std::uint64_t fromWidth = byteSize(m_from.type());
        const std::uint64_t first = offset / width;
        const std::uint64_t count = (offset + out.size() + width - 1) / width - first;
        std::vector<std::byte> before(count * fromWidth);
        std::vector<std::byte> after(count * width);
        m_from.read(first * fromWidth, before);
        convertElements(m_from.type(), before.data(), m_to, after.data(), count);
        std::copy_n(after.begin() + static_cast<std::ptrdiff_t>(offset - first * width), out.size(), out.begin());
    }

private:
    Tensor m_from;
    ElementType m_to;
};

/// Maps an index into a permuted tensor (C order) to the index of that element before the permutation.
class PermutedIndex {
public:
    PermutedIndex(const Ints& dims, std::span<const std::int64_t> permutation)
    {
        std::vector<std::uint64_t> strides(dims.size(), 1);
        for (std::size_t i = dims.size(); i-- > 1;) {
            strides[i - 1] = strides[i] * static_cast<std::uint64_t>(dims[i]);
        }
        for (const auto axis : permutation) {
            m_dims.push_back(static_cast<std::uint64_t>(dims[static_cast<std::size_t>(axis)]));
            m_strides.push_back(strides[static_cast<std::size_t>(axis)]);
        }
    }
    std::uint64_t operator()(std::uint64_t index) const
    {
        std::uint64_t from = 0;
        for (std::size_t axis = m_dims.size(); axis-- > 0;) {
            from += index % m_dims[axis] * m_strides[axis];
            index /= m_dims[axis];
        }
        return from;
    }

private:
    std::vector<std::uint64_t> m_dims;
    std::vector<std::uint64_t> m_strides;
};

std::vector<std::string> transposedStrings(const std::vector<std::string>& values, const Ints& dims,
                                           std::span<const std::int64_t> permutation)
{
    const PermutedIndex sourceIndex(dims, permutation);
    std::vector<std::string> result;
    result.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        result.push_back(values[static_cast<std::size_t>(sourceIndex(i))]);
    }
    return result;
}

/// Elements of another tensor with permuted axes. Iterates over the output in order and gathers single elements of the
/// input. An input in several pieces is copied first, because gathering from a rope would be even slower.
class TransposedSource final : public ByteSource {
public:
    TransposedSource(Tensor from, std::span<const std::int64_t> permutation)
        : m_from(std::move(from))
        , m_sourceIndex(m_from.dims(), permutation)
    {
    }
    std::uint64_t size() const override { return m_from.bytes(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        const std::uint64_t width = byteSize(m_from.type());
        const auto& pieces = m_from.pieces();
        const bool inPlace = pieces.size() == 1 && !pieces[0].source->view(pieces[0].offset, pieces[0].size).empty();
        const auto whole =
            inPlace ? pieces[0].source->view(pieces[0].offset, pieces[0].size) : std::span<const std::byte>();
        std::vector<std::byte> element(width);
        std::size_t done = 0;
        while (done < out.size()) {
            const std::uint64_t index = (offset + done) / width;
            const std::uint64_t within = (offset + done) % width;
            const std::uint64_t take = std::min<std::uint64_t>(width - within, out.size() - done);
            const std::uint64_t from = m_sourceIndex(index) * width;
            if (inPlace) {
                std::memcpy(out.data() + done, whole.data() + from + within, take);
            } else {
                m_from.read(from, element);
                std::memcpy(out.data() + done, element.data() + within, take);
            }
            done += take;
        }
    }

private:
    Tensor m_from;
    PermutedIndex m_sourceIndex;
};

/// Not an assert: the arguments follow from the operands of a node, and so from a file.
void require(bool isPossible, const char* message)
{
    if (!isPossible) {
        throw std::length_error(message);
    }
}

std::int64_t product(std::span<const std::int64_t> dims)
{
    std::int64_t count = 1;
    for (const auto dim : dims) {
        require(dim >= 0, "a dimension is negative");
        count = saturatingProduct(count, dim);
    }
    return count;
}

/// Drops empty pieces and merges adjacent ones.
void coalesce(std::vector<Tensor::Piece>& pieces)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].size == 0) {
            continue;
        }
        if (kept > 0 && pieces[kept - 1].source == pieces[i].source &&
            pieces[kept - 1].offset + pieces[kept - 1].size == pieces[i].offset) {
            pieces[kept - 1].size += pieces[i].size;
        } else if (kept++ != i) {
            pieces[kept - 1] = std::move(pieces[i]);
        }
    }
    pieces.resize(kept);
}

Tensor::Piece whole(std::shared_ptr<const ByteSource> source)
{
    const std::uint64_t size = source->size();
    return {std::move(source), 0, size};
}

} // namespace

Tensor::Tensor(ElementType type, Ints dims, std::vector<Piece> pieces)
    : m_type(type)
    , m_dims(std::move(dims))
    , m_pieces(std::move(pieces))
{
    coalesce(m_pieces);
    std::uint64_t size = 0;
    for (const Piece& piece : m_pieces) {
        size += piece.size;
    }
    require(size == bytes(), "the bytes do not fit the dimensions");
}

Tensor Tensor::mapped(ElementType type, Ints dims, std::shared_ptr<const MappedFile> file, std::uint64_t offset)
{
    const auto size = packedSize(type, static_cast<std::uint64_t>(product(dims))).value_or(0);
    return {type, std::move(dims), {whole(std::make_shared<MappedSource>(std::move(file), offset, size))}};
}

Tensor Tensor::mapped(ElementType type, Ints dims, std::shared_ptr<const SourceFile> file, std::uint64_t offset)
{
    const auto size = packedSize(type, static_cast<std::uint64_t>(product(dims))).value_or(0);
    assert(offset <= file->size() && size <= file->size() - offset);
    return {type, std::move(dims), {{std::move(file), offset, size}}};
}

Tensor Tensor::owned(ElementType type, Ints dims, std::vector<std::byte> bytes)
{
    return {type, std::move(dims), {whole(std::make_shared<OwnedSource>(std::move(bytes)))}};
}

Tensor Tensor::generated(ElementType type, Ints dims, std::shared_ptr<const ByteSource> source)
{
    return {type, std::move(dims), {whole(std::move(source))}};
}

Tensor Tensor::filled(ElementType type, Ints dims, double value)
{
    std::vector<std::byte> element(byteSize(type));
    convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(&value), type, element.data(), 1);
    const auto size = static_cast<std::uint64_t>(product(dims)) * element.size();
    return generated(type, std::move(dims), std::make_shared<FilledSource>(std::move(element), size));
}

Tensor Tensor::ints(std::span<const std::int64_t> values)
{
    return of<std::int64_t>(ElementType::Int64, {static_cast<std::int64_t>(values.size())}, values);
}

Tensor Tensor::scalar(ElementType type, double value)
{
    std::vector<std::byte> element(byteSize(type));
    convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(&value), type, element.data(), 1);
    return owned(type, {}, std::move(element));
}

Tensor Tensor::strings(Ints dims, std::vector<std::string> values)
{
    require(static_cast<std::size_t>(product(dims)) == values.size(), "the elements do not fit the dimensions");
    Tensor tensor(ElementType::String, std::move(dims), {});
    tensor.m_strings = std::make_shared<const std::vector<std::string>>(std::move(values));
    return tensor;
}

std::int64_t Tensor::elements() const
{
    return product(m_dims);
}

void Tensor::stream(const std::function<bool(std::span<const std::byte>)>& sink) const
{
    std::vector<std::byte> buffer;
    for (const Piece& piece : m_pieces) {
        for (std::uint64_t done = 0; done < piece.size;) {
            const std::uint64_t size = std::min(chunkSize, piece.size - done);
            auto bytes = piece.source->view(piece.offset + done, size);
            if (bytes.empty()) {
                buffer.resize(size);
                piece.source->read(piece.offset + done, buffer);
                bytes = buffer;
            }
            if (!sink(bytes)) {
                return;
            }
            done += size;
            // Includes the previous chunk again, for the page that it shares with this one.
            const std::uint64_t behind = std::min(done, 2 * chunkSize);
            piece.source->release(piece.offset + done - behind, behind);
        }
    }
}

void Tensor::read(std::uint64_t offset, std::span<std::byte> out) const
{
    assert(offset + out.size() <= bytes());
    for (const Piece& piece : m_pieces) {
        if (out.empty()) {
            return;
        }
        if (offset >= piece.size) {
            offset -= piece.size;
            continue;
        }
        const std::uint64_t take = std::min<std::uint64_t>(piece.size - offset, out.size());
        piece.source->read(piece.offset + offset, out.first(take));
        out = out.subspan(take);
        offset = 0;
    }
}

std::vector<std::byte> Tensor::toBytes() const
{
    std::vector<std::byte> all(bytes());
    read(0, all);
    return all;
}

Ints Tensor::toInts() const
{
    Budget::expectListed(elements());
    Ints values(static_cast<std::size_t>(elements()));
    const auto all = toBytes();
    convertElements(m_type, all.data(), ElementType::Int64, reinterpret_cast<std::byte*>(values.data()), values.size());
    return values;
}

BoundsChecked<double> Tensor::toDoubles() const
{
    Budget::expectListed(elements());
    std::vector<double> values(static_cast<std::size_t>(elements()));
    const auto all = toBytes();
    convertElements(m_type, all.data(), ElementType::Float64, reinterpret_cast<std::byte*>(values.data()),
                    values.size());
    return values;
}

const std::vector<std::string>& Tensor::toStrings() const
{
    static const std::vector<std::string> none;
    require(m_type == ElementType::String, "the elements are not text");
    assert(m_strings != nullptr || elements() == 0);
    return m_strings != nullptr ? *m_strings : none;
}

Tensor Tensor::reshaped(Ints dims) const
{
    require(product(dims) == elements(), "the elements do not fit the dimensions");
    Tensor result(m_type, std::move(dims), m_pieces);
    result.m_strings = m_strings;
    return result;
}

Tensor Tensor::range(std::int64_t first, Ints dims) const
{
    const std::int64_t count = product(dims);
    require(first >= 0 && first <= elements() && count <= elements() - first, "the range is outside the tensor");
    if (m_type == ElementType::String) {
        const auto begin = toStrings().begin() + first;
        return strings(std::move(dims), {begin, begin + count});
    }
    std::uint64_t offset = static_cast<std::uint64_t>(first) * byteSize(m_type);
    std::uint64_t left = static_cast<std::uint64_t>(count) * byteSize(m_type);
    std::vector<Piece> pieces;
    for (const Piece& piece : m_pieces) {
        if (left == 0) {
            break;
        }
        if (offset >= piece.size) {
            offset -= piece.size;
            continue;
        }
        const std::uint64_t take = std::min(piece.size - offset, left);
        pieces.push_back({piece.source, piece.offset + offset, take});
        left -= take;
        offset = 0;
    }
    return {m_type, std::move(dims), std::move(pieces)};
}

Tensor Tensor::joined(std::span<const Tensor> parts)
{
    require(!parts.empty() && parts[0].rank() > 0, "tensors without axis 0 cannot be joined");
    Ints dims = parts[0].dims();
    dims[0] = 0;
    std::vector<Piece> pieces;
    for (const Tensor& part : parts) {
        require(part.type() == parts[0].type() && part.rank() == dims.size(), "joined tensors differ in rank or type");
        dims[0] += part.dims()[0];
        pieces.insert(pieces.end(), part.pieces().begin(), part.pieces().end());
    }
    if (parts[0].type() == ElementType::String) {
        std::vector<std::string> values;
        for (const Tensor& part : parts) {
            values.insert(values.end(), part.toStrings().begin(), part.toStrings().end());
        }
        return strings(std::move(dims), std::move(values));
    }
    return {parts[0].type(), std::move(dims), std::move(pieces)};
}

Tensor Tensor::converted(ElementType type) const
{
    return type == m_type ? *this : generated(type, m_dims, std::make_shared<ConvertedSource>(*this, type));
}

Tensor Tensor::transposed(std::span<const std::int64_t> permutation) const
{
    Ints dims;
    std::set<std::int64_t> axes;
    for (const auto axis : permutation) {
        dims.push_back(m_dims[static_cast<std::size_t>(axis)]);
        axes.insert(axis);
    }
    require(axes.size() == permutation.size() && permutation.size() == m_dims.size(), "the axes are not a permutation");
    if (m_type == ElementType::String) {
        return strings(std::move(dims), transposedStrings(toStrings(), m_dims, permutation));
    }
    require(byteSize(m_type) != 0, "elements that share a byte cannot be transposed");
    return generated(m_type, std::move(dims), std::make_shared<TransposedSource>(*this, permutation));
}

void addFilesOf(const Tensor& tensor, std::set<std::filesystem::path>& files)
{
    for (const Tensor::Piece& piece : tensor.pieces()) {
        if (const auto* mapped = dynamic_cast<const MappedSource*>(piece.source.get())) {
            files.insert(mapped->path());
        } else if (const auto* file = dynamic_cast<const SourceFile*>(piece.source.get())) {
            files.insert(file->path());
        }
    }
}

} // namespace crosswalk
