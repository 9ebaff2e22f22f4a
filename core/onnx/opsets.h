#pragma once

#include "crosswalk/options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// The first opset in which the axes of Squeeze and Unsqueeze are an input.
inline constexpr int firstAxesInput = 13;

/// The first opset in which Max and Min take integers.
inline constexpr int firstIntegerExtremes = 12;

/// The lowest IR version that an opset allows (from onnx's table of releases), so that older runtimes load the file.
std::int64_t irVersionFor(int opset);

/// Whether a domain is ONNX's default one, which has two names.
bool isOnnxDomain(std::string_view domain);

/// The version of an operator domain that a model of this opset imports. For ai.onnx.ml, the version in the onnx
/// release that introduced the opset; 1 for com.microsoft, whose operators are not versioned, and for custom domains.
int domainVersion(std::string_view domain, int opset);

/// The opset that introduced an operator of ONNX's default domain; nothing if there is no such operator.
std::optional<int> firstOpset(std::string_view op);

struct OnnxModel;

/// Version of the default domain that a model imports; 1 for a file that predates opset imports.
int opsetOf(const OnnxModel& model);
int opsetOf(const ::onnx::ModelProto& model);

/// The version of each operator domain that a model imports; version 1 of the default one for a file that predates
/// opset imports.
std::unordered_map<std::string, int> opsetImports(const ::onnx::ModelProto& model);

/// Raises the IR version to at least 4, the first in which weights need not be listed as inputs. A model that predates
/// opset imports, which are required since version 3, imports version 1 of the default domain.
void raiseIrVersion(::onnx::ModelProto& model);

/// Whether the model uses ONNX's default domain, and not only others.
bool usesOnnxDomain(const OnnxModel& model);

} // namespace crosswalk
