#include "crosswalk/options.h"

#include <set>

namespace crosswalk {

std::string_view strategyName(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Exact:
        return "exact";
    case Strategy::Fused:
        return "fused";
    case Strategy::Unrolled:
        break;
    }
    return "unrolled";
}

std::optional<Strategy> strategyFromName(std::string_view name)
{
    for (const Strategy strategy : {Strategy::Exact, Strategy::Fused, Strategy::Unrolled}) {
        if (strategyName(strategy) == name) {
            return strategy;
        }
    }
    return std::nullopt;
}

std::vector<std::string> describedInputs(const ConvertOptions& options)
{
    std::set<std::string> names;
    for (const auto& [name, shape] : options.shapes) {
        names.insert(name);
    }
    for (const auto& [name, type] : options.types) {
        names.insert(name);
    }
    return {names.begin(), names.end()};
}

} // namespace crosswalk
