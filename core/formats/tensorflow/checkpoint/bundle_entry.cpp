#include "core/formats/tensorflow/checkpoint/bundle_entry.h"

#include "core/formats/tensorflow/attr_value.h"
#include "core/formats/tensorflow/tensor_proto.h"

namespace crosswalk::tensorflow {
namespace {

Slice parseSlice(std::span<const std::byte> value, const WireField& field)
{
    Slice slice;
    WireReader reader = messageOf(value, field);
    for (WireField extent; reader.next(extent);) {
        if (extent.number != 1) {
            continue;
        }
        std::int64_t start = 0;
        std::int64_t length = -1;
        WireReader inner = messageOf(value, extent);
        for (WireField part; inner.next(part);) {
            start = part.number == 1 ? integerOf(part) : start;
            length = part.number == 2 ? integerOf(part) : length;
        }
        slice.start.push_back(start);
        slice.length.push_back(length);
    }
    return slice;
}

} // namespace

BundleEntry parseBundleEntry(std::span<const std::byte> value)
{
    BundleEntry entry;
    ShapeProto shape;
    WireReader reader(value, 0, value.size());
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            entry.type = dataType(static_cast<std::uint64_t>(integerOf(part)));
            break;
        case 2:
            shape = parseShape(value, part);
            break;
        case 3:
            entry.shard = integerOf(part);
            break;
        case 4:
            entry.offset = static_cast<std::uint64_t>(integerOf(part));
            break;
        case 5:
            entry.size = static_cast<std::uint64_t>(integerOf(part));
            break;
        case 6:
            entry.crc = fixed32Of(part);
            break;
        case 7:
            entry.slices.push_back(parseSlice(value, part));
            break;
        default:
            break;
        }
    }
    elementCount(elementType(entry.type), shape);
    entry.dims = std::move(shape.dims);
    return entry;
}

} // namespace crosswalk::tensorflow
