#pragma once

#include "core/formats/mxnet/reroll/unrolled_run.h"

namespace crosswalk::mxnet {

/// How a run is read that was unrolled with valid lengths. Nothing where it is read in any other way too, so that zeros
/// behind a length could be seen.
std::optional<ValidLength> findValidLength(const GraphRewriter& graph, const UnrolledRun& run);

} // namespace crosswalk::mxnet
