#pragma once

#include "core/collection/model_outcome.h"
#include "ui/theme/icons.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace crosswalk::ui {

/// What is known of a model of a collection, from the best to the worst.
enum class ModelVerdict : std::uint8_t {
    Exact,       ///< each node is one ONNX node, or folded
    Decomposed,  ///< exact; some nodes become several ONNX nodes
    Approximate, ///< by the user's choice
    Refused,     ///< ONNX has no exact form of a node, or something is missing
    BadInput,    ///< damaged, or weights are missing
    NotWritable,
    TimedOut,
    OutOfMemory,
    Crashed,
    Unchecked,
};
inline constexpr std::size_t modelVerdictCount = static_cast<std::size_t>(ModelVerdict::Unchecked) + 1;

ModelVerdict modelVerdict(const std::optional<ModelOutcome>& outcome);
/// "exact", "not convertible", "bad input".
QString modelVerdictWord(ModelVerdict verdict);
QIcon modelVerdictIcon(ModelVerdict verdict);

} // namespace crosswalk::ui
