#include "app/crosswalk/printing.h"

#include "app/crosswalk/exit_status.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace crosswalk::app {
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

int complain(const Diagnostic& problem, std::string_view file)
{
    fmt::print(stderr, "{}\n", formatLine(problem, file));
    return statusOf(problem);
}

void tell(std::span<const Diagnostic> problems, std::string_view file, bool quiet)
{
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        if (quiet && severity == Severity::Note) {
            continue;
        }
        for (const Diagnostic& problem : problems) {
            if (problem.severity == severity) {
                fmt::print(stderr, "{}\n", formatLine(problem, file));
            }
        }
    }
}

std::string readableBytes(std::uint64_t bytes)
{
    static constexpr std::array<std::string_view, 5> units{" bytes", " kB", " MB", " GB", " TB"};
    return scaled(static_cast<double>(bytes), units);
}

std::string readableCount(std::uint64_t count)
{
    static constexpr std::array<std::string_view, 4> units{"", " k", " M", " G"};
    return scaled(static_cast<double>(count), units);
}

std::string readableSeconds(double seconds)
{
    return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

} // namespace crosswalk::app
