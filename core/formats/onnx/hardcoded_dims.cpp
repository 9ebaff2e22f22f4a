#include "core/formats/onnx/hardcoded_dims.h"

#include <fmt/format.h>
#include <set>

namespace crosswalk {

std::string hardcodedDimsHint(const std::map<std::string, Shape>& before, const decltype(ConvertOptions::shapes)& now)
{
    std::set<std::string> symbols; // that stand for what was one sample
    std::set<std::int64_t> counts; // all else that has changed
    for (const auto& [input, was] : before) {
        const Shape& is = now.find(input)->second;
        for (std::size_t axis = 0; axis < was.size() && was.size() == is.size(); ++axis) {
            if (was[axis] == Dim(1) && !is[axis].symbol.empty()) {
                symbols.insert(is[axis].symbol);
            } else if (was[axis].isFixed() && was[axis] != is[axis]) {
                counts.insert(was[axis].size);
            }
        }
    }
    if (symbols.size() == 1) {
        return fmt::format("--each-sample {} runs the model on one sample after another", *symbols.begin());
    }
    const bool mayBeSamples = symbols.empty() && counts.size() == 1 && *counts.begin() > 1;
    return mayBeSamples
               ? fmt::format("where the {} are samples, a file made for one can run on each by itself", *counts.begin())
               : std::string();
}

} // namespace crosswalk
