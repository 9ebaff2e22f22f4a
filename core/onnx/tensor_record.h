#pragma once

#include "core/base/protobuf_wire.h"
#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <memory>
#include <vector>

namespace crosswalk {

/// A TensorProto in the wire format, taken apart: everything but its elements parsed, the elements found but not read.
struct TensorRecord {
    ::onnx::TensorProto stub;    ///< without any elements but strings
    std::vector<WireField> data; ///< the fields that hold elements, in the file's order
};

/// `begin` and `end` are the message's place in `file`. Throws ModelError "damaged" or "truncated".
TensorRecord scanTensor(std::span<const std::byte> file, std::size_t begin, std::size_t end);

/// How many bytes the elements of a stub take, its dimensions and type checked. Throws ModelError "damaged".
std::uint64_t contentSize(const ::onnx::TensorProto& stub);

/// The elements of a record of any type but String that are not external data: in place where the file has them as they
/// are in memory, else decoded.
struct TensorElements {
    std::span<const std::byte> inPlace;
    std::vector<std::byte> decoded; ///< taken when inPlace is empty
};
TensorElements elementsOf(std::span<const std::byte> file, const TensorRecord& record);

/// The elements of a stub of type String. Throws ModelError "damaged" where their count does not match its dimensions.
Tensor stringsOf(const ::onnx::TensorProto& stub);

/// A tensor out of a proto in memory (an attribute's). Its raw_data is not copied where `owner` keeps the proto: the
/// tensor then keeps the owner.
Tensor tensorOf(std::shared_ptr<const void> owner, const ::onnx::TensorProto& proto);

} // namespace crosswalk
