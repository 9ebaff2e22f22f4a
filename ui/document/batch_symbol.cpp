#include "ui/document/batch_symbol.h"

#include <algorithm>

namespace crosswalk::ui {

void clearUnusedBatchSymbol(ConvertOptions& options)
{
    const Dim samples(options.scanOverBatch);
    const bool areCounted = std::any_of(options.shapes.begin(), options.shapes.end(), [&](const auto& given) {
        return std::find(given.second.begin(), given.second.end(), samples) != given.second.end();
    });
    if (!areCounted || options.part) {
        options.scanOverBatch.clear();
    }
}

} // namespace crosswalk::ui
