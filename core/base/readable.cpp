#include "core/base/readable.h"

#include <array>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace crosswalk {
namespace {

std::string scaled(double value, std::span<const std::string_view> units)
{
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    const int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}{}", value, digits, units[unit]);
}

} // namespace

std::string readableBytes(std::uint64_t bytes)
{
    static constexpr std::array<std::string_view, 5> units{" bytes", " kB", " MB", " GB", " TB"};
    return scaled(static_cast<double>(bytes), units);
}

std::string readableCount(std::uint64_t count)
{
    static constexpr std::array<std::string_view, 5> units{"", " k", " M", " G", " T"};
    return scaled(static_cast<double>(count), units);
}

std::string counted(std::uint64_t count, std::string_view thing, std::string_view things)
{
    if (count == 1) {
        return fmt::format("1 {}", thing);
    }
    return things.empty() ? fmt::format("{} {}s", count, thing) : fmt::format("{} {}", count, things);
}

} // namespace crosswalk
