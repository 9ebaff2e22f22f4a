#include "app/crosswalk/printing.h"

#include "app/crosswalk/exit_status.h"
#include "core/base/visible_text.h"

namespace crosswalk::app {

void writeText(std::FILE* stream, std::string_view text)
{
    const std::string visible = visibleText(text);
    std::fwrite(visible.data(), 1, visible.size(), stream);
}

void writeLine(std::FILE* stream, std::string_view line)
{
    const std::string visible = visibleLine(line) + '\n';
    std::fwrite(visible.data(), 1, visible.size(), stream);
}

int reportError(const Diagnostic& problem, std::string_view file)
{
    printLine(stderr, "{}", formatLine(problem, file));
    return statusOf(problem);
}

void reportAll(std::span<const Diagnostic> problems, std::string_view file, bool quiet)
{
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        if (quiet && severity == Severity::Note) {
            continue;
        }
        for (const Diagnostic& problem : problems) {
            if (problem.severity == severity) {
                printLine(stderr, "{}", formatLine(problem, file));
            }
        }
    }
}

std::string readableSeconds(double seconds)
{
    return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

} // namespace crosswalk::app
