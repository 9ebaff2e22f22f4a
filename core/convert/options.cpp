#include "crosswalk/options.h"

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

} // namespace crosswalk
