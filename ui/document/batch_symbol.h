#pragma once

#include "core/convert/options.h"

namespace crosswalk::ui {

/// Samples are run by themselves only while a shape has the symbol that counts them, and of whole models only.
void clearUnusedBatchSymbol(ConvertOptions& options);

} // namespace crosswalk::ui
