#include "core/formats/mxnet/ndarray.h"

#include "core/formats/mxnet/array_bytes.h"
#include "core/formats/mxnet/sparse.h"
#include "core/formats/mxnet/type_hints.h"

#include <fmt/format.h>
#include <optional>

namespace crosswalk::mxnet {
namespace {

constexpr std::uint32_t magicV1 = 0xF993FAC8; ///< 64-bit shapes; 0.11
constexpr std::uint32_t magicV2 = 0xF993FAC9; ///< storage types; 0.12 to 1.9
constexpr std::uint32_t magicV3 = 0xF993FACA; ///< NumPy shapes: a rank of 0 is a scalar, -1 means no array

constexpr std::int32_t denseStorage = 0;
constexpr std::int32_t rowSparseStorage = 1;
constexpr std::int32_t csrStorage = 2;

constexpr std::int64_t mostDimensions = 64;
/// Sparse arrays become dense when they are read, so the memory that a small file can request is bounded: this many
/// bytes for each byte of the file.
constexpr std::uint64_t mostDensePerByte = 1U << 16U;

class ArrayReader {
public:
    ArrayReader(ByteReader& reader, const std::shared_ptr<const SourceFile>& file, std::string_view what)
        : m_reader(reader)
        , m_file(file)
        , m_what(what)
    {
    }

    Tensor read()
    {
        const auto first = m_reader.read<std::uint32_t>(m_what);
        if (first == magicV1) {
            return readDense(readDims(read<std::int32_t>()), false);
        }
        if (first == magicV2 || first == magicV3) {
            return readStored(first == magicV3);
        }
        // The oldest files have no magic number: this is the rank, and the dimensions are 32-bit.
        checkRank(first);
        Ints dims(first);
        for (std::int64_t& dim : dims) {
            dim = read<std::uint32_t>();
        }
        return readDense(std::move(dims), false);
    }

private:
    template <typename T>
    T read()
    {
        return m_reader.read<T>(m_what);
    }

    [[noreturn]] void damaged(std::string why) const { throw ModelError("damaged", fmt::format("{} {}", m_what, why)); }

    void checkRank(std::int64_t rank) const
    {
        if (rank < 0 || rank > mostDimensions) {
            damaged(fmt::format("has {} dimensions", rank));
        }
    }

    Ints readDims(std::int32_t rank)
    {
        checkRank(rank);
        Ints dims(static_cast<std::size_t>(rank));
        for (std::int64_t& dim : dims) {
            dim = read<std::int64_t>();
        }
        return dims;
    }

    std::uint64_t bytesOf(ElementType type, const Ints& dims) const
    {
        const auto bytes = arrayBytes(type, dims);
        if (!bytes) {
            damaged(fmt::format("has the impossible shape {}", toString(shapeOf(dims))));
        }
        return *bytes;
    }

    ElementType readType()
    {
        const auto number = read<std::int32_t>();
        const ElementType type = elementTypeOf(number);
        if (type == ElementType::Undefined) {
            damaged(fmt::format("has the unknown element type {}", number));
        }
        return type;
    }

    void skipContext()
    {
        read<std::int32_t>(); // The device is irrelevant here.
        read<std::int32_t>();
    }

    /// The content, in place.
    Tensor readContent(ElementType type, Ints dims)
    {
        const std::uint64_t bytes = bytesOf(type, dims);
        const std::size_t offset = m_reader.position();
        m_reader.take(bytes, m_what);
        return Tensor::mapped(type, std::move(dims), m_file, offset);
    }

    Tensor readDense(Ints dims, bool numpyShape)
    {
        if (dims.empty() && !numpyShape) {
            return {};
        }
        skipContext();
        const ElementType type = readType();
        return readContent(type, std::move(dims));
    }

    Tensor readStored(bool numpyShape)
    {
        const auto storage = read<std::int32_t>();
        if (storage < denseStorage || storage > csrStorage) {
            damaged(fmt::format("has the unknown storage type {}", storage));
        }
        const auto storedDims = storage == denseStorage ? Ints() : readDims(read<std::int32_t>());
        const auto rank = read<std::int32_t>();
        if (numpyShape && rank == -1) {
            return {};
        }
        Ints dims = readDims(rank);
        return storage == denseStorage ? readDense(std::move(dims), numpyShape)
                                       : readSparse(storage, storedDims, std::move(dims));
    }

    Tensor readSparse(std::int32_t storage, Ints storedDims, Ints dims)
    {
        if (dims.empty()) {
            return {};
        }
        skipContext();
        const ElementType type = readType();
        std::vector<std::pair<ElementType, Ints>> indexTypes;
        for (std::int32_t i = 0; i < storage; ++i) {
            const ElementType indexType = readType();
            indexTypes.emplace_back(indexType, readDims(read<std::int32_t>()));
        }
        if (storage == csrStorage) {
            // MXNet may save an unfinished array and write a count of 0 here; the column indices have the correct
            // count.
            storedDims = indexTypes[1].second;
        }
        Tensor values = readContent(type, std::move(storedDims));
        std::vector<Tensor> indices;
        indices.reserve(indexTypes.size());
        for (auto& [indexType, indexDims] : indexTypes) {
            indices.push_back(readContent(indexType, std::move(indexDims)));
        }
        if (bytesOf(type, dims) > mostDensePerByte * m_file->bytes().size()) {
            damaged(fmt::format("is sparse and has the impossible shape {}", toString(shapeOf(dims))));
        }
        return storage == rowSparseStorage ? denseFromRows(std::move(dims), values, indices[0], m_what)
                                           : denseFromCsr(std::move(dims), values, indices[0], indices[1], m_what);
    }

    ByteReader& m_reader;
    const std::shared_ptr<const SourceFile>& m_file;
    std::string_view m_what;
};

} // namespace

Tensor readNdarray(ByteReader& reader, const std::shared_ptr<const SourceFile>& file, std::string_view what)
{
    return ArrayReader(reader, file, what).read();
}

} // namespace crosswalk::mxnet
