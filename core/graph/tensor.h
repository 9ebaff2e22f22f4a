#pragma once

#include "core/base/byte_source.h"
#include "core/base/mapped_file.h"
#include "core/base/source_file.h"
#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// Elements in C order, little-endian, that are mapped from a file, held in memory, or generated when they are read.
/// A tensor is a rope of byte ranges: slicing, joining and reshaping copy nothing, so gigabytes are rearranged by
/// bookkeeping and read once, when they are written. Copies share the bytes.
///
/// A tensor of type String holds its elements in memory and has no bytes: bytes() is 0 and pieces() is empty.
class Tensor {
public:
    struct Piece {
        std::shared_ptr<const ByteSource> source;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };

    Tensor() = default;
    /// `pieces` must add up to the bytes that type and dims call for.
    Tensor(ElementType type, Ints dims, std::vector<Piece> pieces);

    static Tensor mapped(ElementType type, Ints dims, std::shared_ptr<const MappedFile> file, std::uint64_t offset);
    static Tensor mapped(ElementType type, Ints dims, std::shared_ptr<const SourceFile> file, std::uint64_t offset);
    static Tensor owned(ElementType type, Ints dims, std::vector<std::byte> bytes);
    static Tensor generated(ElementType type, Ints dims, std::shared_ptr<const ByteSource> source);
    /// Every element `value`, rounded to the type; takes no memory.
    static Tensor filled(ElementType type, Ints dims, double value);

    template <typename T>
    static Tensor of(ElementType type, Ints dims, std::span<const T> values)
    {
        const auto bytes = std::as_bytes(values);
        return owned(type, std::move(dims), {bytes.begin(), bytes.end()});
    }
    /// A vector (rank 1) of int64; the usual form of a shape or an axes input.
    static Tensor ints(std::span<const std::int64_t> values);
    static Tensor scalar(ElementType type, double value); ///< rank 0
    /// Type String; `values` has one string for each element, of any bytes (ONNX asks for UTF-8).
    static Tensor strings(Ints dims, std::vector<std::string> values);

    ElementType type() const { return m_type; }
    const Ints& dims() const { return m_dims; }
    std::size_t rank() const { return m_dims.size(); }
    std::int64_t elements() const;
    std::uint64_t bytes() const { return packedSize(m_type, static_cast<std::uint64_t>(elements())).value_or(0); }
    const std::vector<Piece>& pieces() const { return m_pieces; }

    /// Hands all bytes on in chunks of at most 1 MiB, and gives mapped pages back behind itself. `sink` returns
    /// false to stop.
    void stream(const std::function<bool(std::span<const std::byte>)>& sink) const;
    /// Fills `out` with the bytes from `offset` on.
    void read(std::uint64_t offset, std::span<std::byte> out) const;
    std::vector<std::byte> toBytes() const; ///< a copy of everything: for small tensors

    /// All elements as numbers. Throw ModelError "damaged" for text, "too-large" above Budget::listedElements.
    Ints toInts() const;
    BoundsChecked<double> toDoubles() const;
    /// All elements of a tensor of type String; valid as long as the tensor or a copy of it.
    const std::vector<std::string>& toStrings() const;

    /// The same elements in other dimensions of equal count.
    Tensor reshaped(Ints dims) const;
    /// The elements [first, first + count) in C order, as dimensions `dims` whose product is count.
    Tensor range(std::int64_t first, Ints dims) const;
    /// Joined along axis 0 (types and other dimensions equal).
    static Tensor joined(std::span<const Tensor> parts);
    /// Each element converted, when it is read (float to integer truncates, as NumPy's astype).
    Tensor converted(ElementType type) const;
    /// Axes permuted as by numpy.transpose, when it is read.
    Tensor transposed(std::span<const std::int64_t> permutation) const;

private:
    ElementType m_type = ElementType::Undefined;
    Ints m_dims;
    std::vector<Piece> m_pieces;
    std::shared_ptr<const std::vector<std::string>> m_strings; ///< elements of type String
};

/// Elements of one type written as another, n of them. Throws ModelError "damaged" for a type without numbers.
void convertElements(ElementType from, const std::byte* in, ElementType to, std::byte* out, std::size_t n);

} // namespace crosswalk
