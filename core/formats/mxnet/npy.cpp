#include "core/formats/mxnet/npy.h"

#include "core/base/byte_reader.h"
#include "core/formats/mxnet/array_bytes.h"
#include "core/formats/mxnet/attribute_parser.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::string_view mark = "\x93NUMPY";

struct Name {
    std::string_view descriptor;
    ElementType type;
};

constexpr auto names = std::to_array<Name>({
    {"<f4", ElementType::Float32},
    {"<f8", ElementType::Float64},
    {"<f2", ElementType::Float16},
    {"|b1", ElementType::Bool},
    {"|i1", ElementType::Int8},
    {"|u1", ElementType::UInt8},
    {"<i2", ElementType::Int16},
    {"<u2", ElementType::UInt16},
    {"<i4", ElementType::Int32},
    {"<u4", ElementType::UInt32},
    {"<i8", ElementType::Int64},
    {"<u8", ElementType::UInt64},
});

[[noreturn]] void damagedNpy(std::string_view what, std::string_view why)
{
    throw ModelError("damaged", fmt::format("'{}' is not a readable array: {}", what.substr(0, 80), why));
}

/// The text after 'key': in the header, a Python dictionary of three entries.
std::string_view after(std::string_view header, std::string_view key, std::string_view what)
{
    const auto place = header.find(fmt::format("'{}':", key));
    if (place == std::string_view::npos) {
        damagedNpy(what, fmt::format("its header has no '{}'", key));
    }
    header.remove_prefix(place + key.size() + 3);
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

ElementType readType(std::string_view header, std::string_view what)
{
    std::string_view text = after(header, "descr", what);
    text = text.substr(std::min<std::size_t>(1, text.size()), 3);
    for (const Name& name : names) {
        if (text == name.descriptor) {
            return name.type;
        }
    }
    damagedNpy(what, fmt::format("its element type is '{}'", text));
}

Ints readDims(std::string_view header, std::string_view what)
{
    const std::string_view text = after(header, "shape", what);
    const auto dims = integersOf(parseAttributeText(text.substr(0, std::min(text.find(')') + 1, text.size()))));
    if (!dims) {
        damagedNpy(what, "its header has no shape");
    }
    return *dims;
}

} // namespace

Tensor readNpy(const std::shared_ptr<const SourceFile>& file, std::string_view what)
{
    ByteReader reader(file->bytes());
    if (reader.text(mark.size(), what) != mark) {
        damagedNpy(what, "it does not begin like a .npy file");
    }
    const auto major = reader.read<std::uint8_t>(what);
    reader.read<std::uint8_t>(what);
    const std::uint64_t headerSize = major == 1 ? reader.read<std::uint16_t>(what) : reader.read<std::uint32_t>(what);
    const std::string_view header = reader.text(headerSize, what);
    const ElementType type = readType(header, what);
    auto dims = readDims(header, what);
    const auto needed = arrayBytes(type, dims);
    if (!needed || *needed > reader.remaining()) {
        damagedNpy(
            what, fmt::format("{} bytes are not enough for the shape {}", reader.remaining(), toString(shapeOf(dims))));
    }
    const std::uint64_t content = reader.position();
    if (!after(header, "fortran_order", what).starts_with("True")) {
        return Tensor::mapped(type, std::move(dims), file, content);
    }
    // Stored with the first axis running fastest: the transpose of an array in the usual order.
    std::reverse(dims.begin(), dims.end());
    Ints backwards(dims.size());
    for (std::size_t i = 0; i < backwards.size(); ++i) {
        backwards[i] = static_cast<std::int64_t>(backwards.size() - 1 - i);
    }
    return Tensor::mapped(type, std::move(dims), file, content).transposed(backwards);
}

} // namespace crosswalk::mxnet
