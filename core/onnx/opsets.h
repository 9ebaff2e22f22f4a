#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crosswalk {

inline constexpr int oldestOpset = 11;
inline constexpr int newestOpset = 26; ///< the newest that ONNX Runtime 1.31 runs
inline constexpr int defaultOpset = 17;

/// The lowest IR version that an opset calls for (onnx's own table of releases): older runtimes load the file.
std::int64_t irVersionFor(int opset);

/// The version of an operator domain that a model of this opset imports: the version of ai.onnx.ml in the onnx release
/// that brought the opset; 1 for com.microsoft, whose operators are not versioned, and for domains of the user's.
int domainVersion(std::string_view domain, int opset);

/// The opset that an operator of ONNX's default domain came with; nothing for a word that is no such operator.
std::optional<int> firstOpset(std::string_view op);

struct OnnxModel;

/// Opset of ONNX's own domain that a model uses; 1 where it is from before there were several.
int opsetOf(const OnnxModel& model);

/// Whether the model uses ONNX's own domain at all, and not only others.
bool usesOnnxDomain(const OnnxModel& model);

} // namespace crosswalk
