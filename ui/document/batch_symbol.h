#pragma once

#include "crosswalk/options.h"

namespace crosswalk::ui {

/// Resets the option scanOverBatch unless a shape contains its batch symbol and the whole model is kept.
void clearUnusedBatchSymbol(ConvertOptions& options);

} // namespace crosswalk::ui
