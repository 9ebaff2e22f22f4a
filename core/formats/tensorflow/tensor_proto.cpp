#include "core/formats/tensorflow/tensor_proto.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The maximum number of strings that a short list may be extended to: they are kept in memory.
constexpr std::uint64_t mostExtendedStrings = 1U << 20U;

/// Stored elements, followed by repetitions of the last one up to the size.
class ExtendedSource final : public ByteSource {
public:
    ExtendedSource(std::vector<std::byte> held, std::size_t width, std::uint64_t size)
        : m_held(std::move(held))
        , m_width(width)
        , m_size(size)
    {
    }
    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        const std::size_t inHeld =
            offset < m_held.size() ? std::min<std::size_t>(out.size(), m_held.size() - offset) : 0;
        std::copy_n(m_held.begin() + static_cast<std::ptrdiff_t>(inHeld > 0 ? offset : 0), inHeld, out.begin());
        const std::byte* last = m_held.data() + m_held.size() - m_width;
        for (std::size_t i = inHeld; i < out.size(); ++i) {
            out[i] = last[(offset + i) % m_width];
        }
    }

private:
    std::vector<std::byte> m_held;
    std::size_t m_width;
    std::uint64_t m_size;
};

/// The fields of a TensorProto that can be distinguished without its type.
struct TensorFields {
    DataType type = DataType::Invalid;
    ShapeProto shape;
    std::optional<WireField> content;
    std::vector<WireField> lists; ///< the typed lists, any of them
    std::size_t begin = 0;
};

TensorFields parseFields(std::span<const std::byte> file, const TensorProto& proto)
{
    TensorFields fields;
    fields.begin = proto.begin;
    WireReader reader(file, proto.begin, proto.end);
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            fields.type = dataType(static_cast<std::uint64_t>(integerOf(part)));
            break;
        case 2:
            fields.shape = parseShape(file, part);
            break;
        case 3:
            break; // the version
        case 4:
            bytesOf(part);
            fields.content = part;
            break;
        default:
            fields.lists.push_back(part);
            break;
        }
    }
    return fields;
}

[[noreturn]] void damagedTensor(const TensorFields& fields, const std::string& what)
{
    throw ModelError("damaged", fmt::format("the tensor at byte {} {}", fields.begin, what));
}

/// The field of TensorProto whose list has the values of a type.
std::uint32_t listField(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
        return 5;
    case ElementType::Float64:
        return 6;
    case ElementType::Int32:
    case ElementType::Int16:
    case ElementType::Int8:
    case ElementType::UInt16:
    case ElementType::UInt8:
        return 7;
    case ElementType::String:
        return 8;
    case ElementType::Complex64:
        return 9;
    case ElementType::Int64:
        return 10;
    case ElementType::Bool:
        return 11;
    case ElementType::Complex128:
        return 12;
    case ElementType::Float16:
    case ElementType::BFloat16:
        return 13;
    case ElementType::UInt32:
        return 16;
    case ElementType::UInt64:
        return 17;
    case ElementType::Float8E5M2:
    case ElementType::Float8E4M3FN:
        return 18;
    default:
        return 0;
    }
}

void appendRaw(const void* data, std::size_t size, std::vector<std::byte>& out)
{
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

/// The values of a typed list as the tensor's bytes, as many as the file contains.
std::vector<std::byte> listBytes(std::span<const std::byte> file, const TensorFields& fields, ElementType type)
{
    std::vector<std::byte> bytes;
    Ints ints;
    std::vector<float> floats;
    std::vector<double> doubles;
    for (const WireField& part : fields.lists) {
        if (part.number != listField(type)) {
            continue;
        }
        switch (part.number) {
        case 5:
        case 9:
            appendFloats(part, floats);
            break;
        case 6:
        case 12:
            appendDoubles(part, doubles);
            break;
        case 18:
            appendRaw(bytesOf(part).data(), part.payload.size(), bytes);
            break;
        default:
            appendIntegers(file, part, ints);
            break;
        }
    }
    appendRaw(floats.data(), floats.size() * sizeof(float), bytes);
    appendRaw(doubles.data(), doubles.size() * sizeof(double), bytes);
    for (const std::int64_t value : ints) {
        appendRaw(&value, byteSize(type), bytes); // the low bytes: half_val and int_val use 32 bits for 8 or 16
    }
    return bytes;
}

Tensor stringTensor(const TensorFields& fields, std::uint64_t elements)
{
    std::vector<std::string> values;
    for (const WireField& part : fields.lists) {
        if (part.number == listField(ElementType::String)) {
            values.emplace_back(bytesOf(part));
        }
    }
    if (values.size() > elements) {
        damagedTensor(fields, fmt::format("has {} strings for {} elements", values.size(), elements));
    }
    if (values.size() < elements) {
        if (elements > mostExtendedStrings) {
            damagedTensor(fields, fmt::format("has {} strings for {} elements", values.size(), elements));
        }
        values.resize(elements, values.empty() ? std::string() : values.back());
    }
    return Tensor::strings(fields.shape.dims, std::move(values));
}

Tensor contentTensor(const std::shared_ptr<const SourceFile>& file, const TensorFields& fields, ElementType type,
                     std::uint64_t size)
{
    if (fields.content->payload.size() != size) {
        damagedTensor(fields, fmt::format("has {} bytes, but its type and shape require {}",
                                          fields.content->payload.size(), size));
    }
    return {type, fields.shape.dims, {{file, fields.content->payloadBegin, size}}};
}

Tensor listTensor(const std::shared_ptr<const SourceFile>& file, const TensorFields& fields, ElementType type,
                  std::uint64_t size)
{
    std::vector<std::byte> bytes = listBytes(file->bytes(), fields, type);
    const std::size_t width = byteSize(type);
    if (bytes.size() > size || bytes.size() % width != 0) {
        damagedTensor(fields, fmt::format("has {} values for {} elements", bytes.size() / width, size / width));
    }
    if (bytes.size() == size) {
        return Tensor::owned(type, fields.shape.dims, std::move(bytes));
    }
    if (bytes.empty()) {
        bytes.resize(width);
    }
    return Tensor::generated(type, fields.shape.dims, std::make_shared<ExtendedSource>(std::move(bytes), width, size));
}

} // namespace

std::uint64_t elementCount(ElementType type, const ShapeProto& shape)
{
    if (!shape.hasRank) {
        throw ModelError("damaged", "a tensor has a shape of unknown rank");
    }
    std::uint64_t count = 1;
    bool isEmpty = false;
    constexpr std::uint64_t most = std::uint64_t{1} << 59U; // elements of 16 bytes in 63 bits
    for (const std::int64_t dim : shape.dims) {
        if (dim < 0) {
            throw ModelError("damaged", fmt::format("a tensor has a dimension of size {}", dim));
        }
        isEmpty = isEmpty || dim == 0;
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(dim, 1));
        if (count > most / size) {
            throw ModelError("damaged", "a tensor has more elements than fit into memory");
        }
        count *= size;
    }
    count = isEmpty ? 0 : count;
    if (!packedSize(type, count)) {
        throw ModelError("damaged", "a tensor has more elements than fit into memory");
    }
    return count;
}

DataType tensorType(std::span<const std::byte> file, const TensorProto& proto)
{
    return parseFields(file, proto).type;
}

Tensor readTensor(const std::shared_ptr<const SourceFile>& file, const TensorProto& proto)
{
    const TensorFields fields = parseFields(file->bytes(), proto);
    const ElementType type = elementType(fields.type);
    const std::uint64_t elements = elementCount(type, fields.shape);
    if (type == ElementType::String) {
        return stringTensor(fields, elements);
    }
    if (listField(type) == 0) {
        throw ModelError("unsupported-type",
                         fmt::format("tensors of type {} are not supported", dataTypeName(fields.type)));
    }
    const std::uint64_t size = elements * byteSize(type);
    const bool hasContent = fields.content && (!fields.content->payload.empty() || size == 0);
    return hasContent ? contentTensor(file, fields, type, size) : listTensor(file, fields, type, size);
}

} // namespace crosswalk::tensorflow
