#include "core/onnx/tensor_record.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

namespace crosswalk {
namespace {

// Field numbers of TensorProto's element fields.
enum Field : std::uint32_t {
    FloatData = 4,
    Int32Data = 5,
    Int64Data = 7,
    RawData = 9,
    DoubleData = 10,
    Uint64Data = 11
};

bool isElementField(std::uint32_t field)
{
    return field == FloatData || field == Int32Data || field == Int64Data || field == RawData || field == DoubleData ||
           field == Uint64Data;
}

[[noreturn]] void fail(const ::onnx::TensorProto& stub, std::string_view why)
{
    throw ModelError("damaged", fmt::format("tensor {}: {}", stub.name(), why));
}

/// Storage of a type's elements in typed fields, that is, without raw_data.
struct Storage {
    Field field;
    std::size_t width; ///< bytes in memory per entry of the field
    bool isBool = false;
};

Storage storageOf(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
    case ElementType::Complex64:
        return {FloatData, 4};
    case ElementType::Float64:
    case ElementType::Complex128:
        return {DoubleData, 8};
    case ElementType::Int64:
        return {Int64Data, 8};
    case ElementType::UInt64:
        return {Uint64Data, 8};
    case ElementType::UInt32:
        return {Uint64Data, 4};
    case ElementType::Bool:
        return {Int32Data, 1, true};
    default: // narrower types: an entry is one element, or a byte that packs several
        return {Int32Data, std::max<std::size_t>(1, byteSize(type))};
    }
}

/// Reads the entries of typed fields, packed or not, and appends them in memory layout.
class EntryReader {
public:
    EntryReader(std::span<const std::byte> file, Storage storage, std::uint64_t size)
        : m_file(file)
        , m_storage(storage)
        , m_size(size)
    {
    }

    /// Returns false if there are more entries than the tensor has elements.
    bool take(const WireField& field)
    {
        if (field.type == WireType::Varint) {
            return appendEntry(field.varint);
        }
        const bool isFixed = m_storage.field == FloatData || m_storage.field == DoubleData;
        if (isFixed) {
            return append(field.payload.data(), field.payload.size());
        }
        WireReader packed(m_file, field);
        while (!packed.atEnd()) {
            if (!appendEntry(packed.varint())) {
                return false;
            }
        }
        return true;
    }
    std::vector<std::byte> bytes;

private:
    bool appendEntry(std::uint64_t entry)
    {
        if (m_storage.isBool) {
            entry = entry != 0 ? 1 : 0; // not its lowest byte
        }
        return append(&entry, m_storage.width);
    }

    bool append(const void* from, std::size_t size)
    {
        if (size > m_size - bytes.size()) {
            return false;
        }
        const auto* first = static_cast<const std::byte*>(from);
        bytes.insert(bytes.end(), first, first + size);
        return true;
    }

    std::span<const std::byte> m_file;
    Storage m_storage;
    std::uint64_t m_size;
};

/// Packs 6-bit elements, one per entry, four into three bytes, the first in the lowest bits.
std::vector<std::byte> packSixBits(const std::vector<std::byte>& elements)
{
    std::vector<std::byte> packed((elements.size() * 6 + 7) / 8);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto bits = static_cast<unsigned>(elements[i]) & 0x3fU;
        const std::size_t byte = i * 6 / 8;
        const unsigned shift = i * 6 % 8;
        packed[byte] |= static_cast<std::byte>(bits << shift);
        if (shift > 2) {
            packed[byte + 1] |= static_cast<std::byte>(bits >> (8 - shift));
        }
    }
    return packed;
}

std::uint64_t elementCount(const ::onnx::TensorProto& stub)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : stub.dims()) {
        if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
            fail(stub, "its dimensions are invalid");
        }
    }
    return static_cast<std::uint64_t>(count);
}

ElementType elementType(const ::onnx::TensorProto& stub)
{
    const auto type = stub.data_type();
    if (type <= 0 || !::onnx::TensorProto::DataType_IsValid(type)) {
        fail(stub, fmt::format("element type {} does not exist", type));
    }
    return static_cast<ElementType>(type);
}

class ProtoSource final : public ByteSource {
public:
    ProtoSource(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
        : m_owner(std::move(owner))
        , m_bytes(bytes)
    {
    }
    std::uint64_t size() const override { return m_bytes.size(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    }
    std::span<const std::byte> view(std::uint64_t offset, std::uint64_t size) const override
    {
        return m_bytes.subspan(offset, size);
    }

private:
    std::shared_ptr<const void> m_owner;
    std::span<const std::byte> m_bytes;
};

} // namespace

TensorRecord scanTensor(std::span<const std::byte> file, std::size_t begin, std::size_t end, ::onnx::TensorProto stub)
{
    TensorRecord record{.stub = std::move(stub), .data = {}};
    const auto parse = [&](std::size_t from, std::size_t to) {
        if (from == to) {
            return;
        }
        const auto size = static_cast<int>(std::min<std::size_t>(to - from, std::numeric_limits<int>::max()));
        google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(file.data() + from), size);
        if (!record.stub.MergePartialFromCodedStream(&input) || !input.ConsumedEntireMessage()) {
            fail(record.stub, "its description cannot be parsed");
        }
    };
    WireReader reader(file, begin, end);
    WireField field;
    std::size_t rest = begin;
    while (reader.next(field)) {
        if (isElementField(field.number)) {
            parse(rest, field.begin);
            rest = field.end;
            record.data.push_back(field);
        }
    }
    parse(rest, end);
    return record;
}

std::uint64_t contentSize(const ::onnx::TensorProto& stub)
{
    const ElementType type = elementType(stub);
    const auto size = packedSize(type, elementCount(stub));
    if (!size) {
        fail(stub, "its dimensions are invalid");
    }
    if (stub.has_segment()) {
        fail(stub, "it is stored in segments, which ONNX does not define");
    }
    if (stub.string_data_size() > 0 && type != ElementType::String) {
        fail(stub, "its elements are in a field of another type");
    }
    return *size;
}

Tensor stringsOf(const ::onnx::TensorProto& stub)
{
    if (static_cast<std::uint64_t>(stub.string_data_size()) != elementCount(stub)) {
        fail(stub, fmt::format("it has {} strings, but its dimensions require {}", stub.string_data_size(),
                               elementCount(stub)));
    }
    return Tensor::strings({stub.dims().begin(), stub.dims().end()},
                           {stub.string_data().begin(), stub.string_data().end()});
}

TensorElements elementsOf(std::span<const std::byte> file, const TensorRecord& record)
{
    const ::onnx::TensorProto& stub = record.stub;
    const ElementType type = elementType(stub);
    const std::uint64_t size = contentSize(stub);
    assert(type != ElementType::String);
    const auto isRaw = [](const WireField& field) { return field.number == RawData; };
    // The last occurrence of a field takes precedence.
    const auto raw = std::find_if(record.data.rbegin(), record.data.rend(), isRaw);
    if (raw != record.data.rend() && (raw->type != WireType::Bytes || raw->payload.size() != size)) {
        fail(stub, fmt::format("it has {} bytes, but its dimensions require {}", raw->payload.size(), size));
    }
    if (size == 0) {
        return {};
    }
    if (raw != record.data.rend()) {
        return {raw->payload, {}};
    }
    const Storage storage = storageOf(type);
    const bool isFixed = storage.field == FloatData || storage.field == DoubleData;
    if (isFixed && record.data.size() == 1 && record.data[0].number == storage.field &&
        record.data[0].payload.size() == size) {
        return {record.data[0].payload, {}}; // packed floats have the same layout in the file and in memory
    }
    const bool isSixBits = bitSize(type) == 6;
    EntryReader entries(file, storage, isSixBits ? elementCount(stub) : size);
    for (const WireField& field : record.data) {
        if (field.number != storage.field) {
            fail(stub, "its elements are in a field of another type");
        }
        if (!entries.take(field)) {
            fail(stub, "it has more elements than its dimensions require");
        }
    }
    if (isSixBits) {
        entries.bytes = packSixBits(entries.bytes);
    }
    if (entries.bytes.size() != size) {
        fail(stub, record.data.empty() ? "it has no content" : "it has fewer elements than its dimensions require");
    }
    return {{}, std::move(entries.bytes)};
}

Tensor tensorOf(std::shared_ptr<const void> owner, const ::onnx::TensorProto& proto)
{
    const ElementType type = elementType(proto);
    Ints dims(proto.dims().begin(), proto.dims().end());
    if (type == ElementType::String) {
        return stringsOf(proto);
    }
    if (contentSize(proto) == 0) {
        return {type, std::move(dims), {}};
    }
    if (proto.has_raw_data()) {
        const auto bytes = std::as_bytes(std::span(proto.raw_data()));
        if (bytes.size() != contentSize(proto)) {
            fail(proto,
                 fmt::format("it has {} bytes, but its dimensions require {}", bytes.size(), contentSize(proto)));
        }
        if (owner == nullptr) {
            return Tensor::owned(type, std::move(dims), {bytes.begin(), bytes.end()});
        }
        return Tensor::generated(type, std::move(dims), std::make_shared<ProtoSource>(std::move(owner), bytes));
    }
    // Typed fields are decoded only from the wire format, so serialize the proto.
    const std::string wire = proto.SerializeAsString();
    const auto bytes = std::as_bytes(std::span(wire));
    TensorElements elements = elementsOf(bytes, scanTensor(bytes, 0, bytes.size()));
    if (!elements.inPlace.empty()) {
        elements.decoded.assign(elements.inPlace.begin(), elements.inPlace.end());
    }
    return Tensor::owned(type, std::move(dims), std::move(elements.decoded));
}

} // namespace crosswalk
