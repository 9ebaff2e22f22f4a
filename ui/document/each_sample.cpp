#include "ui/document/each_sample.h"

#include <algorithm>

namespace crosswalk::ui {

void keepSamplesInStep(ConvertOptions& options)
{
    const Dim samples(options.eachSample);
    const bool areCounted = std::any_of(options.shapes.begin(), options.shapes.end(), [&](const auto& given) {
        return std::find(given.second.begin(), given.second.end(), samples) != given.second.end();
    });
    if (!areCounted || options.part) {
        options.eachSample.clear();
    }
}

} // namespace crosswalk::ui
