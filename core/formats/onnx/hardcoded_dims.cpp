#include "core/formats/onnx/hardcoded_dims.h"

#include <fmt/format.h>
#include <set>

namespace crosswalk {

std::string hardcodedDimsHint(const std::map<std::string, Shape>& before, const decltype(ConvertOptions::shapes)& now)
{
    std::set<std::string> symbols; // symbols of dimensions that were one sample
    std::set<std::int64_t> counts; // all other changes
    for (const auto& [input, was] : before) {
        const Shape& is = now.find(input)->second;
        for (std::size_t axis = 0; axis < was.size() && was.size() == is.size(); ++axis) {
            if (was[axis] == Dim(1) && !is[axis].symbol().empty()) {
                symbols.insert(is[axis].symbol());
            } else if (was[axis].isFixed() && was[axis] != is[axis]) {
                counts.insert(was[axis].size);
            }
        }
    }
    if (symbols.size() == 1) {
        return fmt::format("--each-sample {} runs the model on each sample separately", *symbols.begin());
    }
    const bool mayBeSamples = symbols.empty() && counts.size() == 1 && *counts.begin() > 1;
    return mayBeSamples ? fmt::format("if the {} are samples, a model for one sample can run on each separately",
                                      *counts.begin())
                        : std::string();
}

} // namespace crosswalk
