#pragma once

#include "core/base/protobuf_wire.h"
#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace crosswalk {

/// A TensorProto in the wire format, parsed except for its elements, which are only located.
struct TensorRecord {
    ::onnx::TensorProto stub;    ///< without elements, except strings
    std::vector<WireField> data; ///< the fields that contain elements, in file order
};

/// The message is file[begin, end). `stub` is empty; the record takes the memory that it has allocated. Throws
/// ModelError "damaged" or "truncated".
TensorRecord scanTensor(std::span<const std::byte> file, std::size_t begin, std::size_t end,
                        ::onnx::TensorProto stub = {});

/// Checks the dimensions and type of a stub and returns the size of its elements in bytes. Throws ModelError "damaged".
std::uint64_t contentSize(const ::onnx::TensorProto& stub);

/// The elements of a record without external data, of any type except String: in place if the file stores them in
/// memory layout, otherwise decoded.
struct TensorElements {
    std::span<const std::byte> inPlace;
    std::vector<std::byte> decoded; ///< used if inPlace is empty
};
TensorElements elementsOf(std::span<const std::byte> file, const TensorRecord& record);

/// The elements of a stub of type String. Throws ModelError "damaged" if their count does not match its dimensions.
Tensor stringsOf(const ::onnx::TensorProto& stub);

/// The tensor of a proto in memory, such as an attribute's. If `owner` owns the proto, raw_data is not copied and the
/// tensor shares ownership; if `owner` is null, it is copied.
Tensor tensorOf(std::shared_ptr<const void> owner, const ::onnx::TensorProto& proto);

} // namespace crosswalk
