#pragma once

#include "core/onnx/schema.h"

#include <span>
#include <string_view>

namespace crosswalk {

/// A version of an operator, and onnx's function that constructs its schema.
struct SchemaRow {
    std::string_view domain;
    std::string_view op;
    int version; ///< the opset of the domain that introduced it
    ::onnx::OpSchema (*make)();
};

/// All versions of the operators of ai.onnx (the domain "") and ai.onnx.ml, in the order of onnx's headers. The build
/// generates the table from them (schema_table.cmake).
std::span<const SchemaRow> schemaTable();

} // namespace crosswalk
