#pragma once

#include "core/formats/mxnet/reroll/unrolled_run.h"

#include <optional>

namespace crosswalk::mxnet {

/// How consumers read a run that was unrolled with valid lengths. Nothing if there are other consumers, which could see
/// the zeros beyond a length.
std::optional<ValidLength> findValidLength(const GraphRewriter& graph, const UnrolledRun& run);

} // namespace crosswalk::mxnet
