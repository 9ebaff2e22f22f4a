#pragma once

#include "core/onnx/proto.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace crosswalk {

/// Whether the node is an operator of ONNX's default domain.
bool isOperator(const ::onnx::NodeProto& node, std::string_view op);

/// An attribute of a node; null where the node does not have it.
const ::onnx::AttributeProto* findAttribute(const ::onnx::NodeProto& node, std::string_view name);
::onnx::AttributeProto* findAttribute(::onnx::NodeProto& node, std::string_view name);

std::int64_t intAttribute(const ::onnx::NodeProto& node, std::string_view name, std::int64_t fallback);
float floatAttribute(const ::onnx::NodeProto& node, std::string_view name, float fallback);

/// Gives a node an attribute that it does not have.
void addInt(::onnx::NodeProto& node, const char* name, std::int64_t value);
void addInts(::onnx::NodeProto& node, const char* name, std::span<const std::int64_t> values);

/// The place of an axis that is counted from the last where it is negative; `rank` or more where there is none.
std::size_t axisAt(std::int64_t axis, std::size_t rank);

/// Whether each of the axes from 0 to the number of them is there once.
bool isPermutation(std::span<const std::int64_t> axes);

/// Name of an input, empty where it is left out.
std::string inputOf(const ::onnx::NodeProto& node, int index);

/// Whether it runs a graph of its own: Scan, Loop, If.
bool hasBody(const ::onnx::NodeProto& node);

/// Whether an operator of ONNX may give something else each time it runs: it draws numbers.
bool isRandom(std::string_view op);

} // namespace crosswalk
