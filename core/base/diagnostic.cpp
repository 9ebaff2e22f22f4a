#include "core/base/diagnostic.h"

#include "core/base/visible_text.h"

#include <algorithm>

namespace crosswalk {

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        break;
    }
    return "error";
}

bool hasErrors(std::span<const Diagnostic> problems)
{
    return std::any_of(problems.begin(), problems.end(),
                       [](const Diagnostic& problem) { return problem.severity == Severity::Error; });
}

std::string formatLine(const Diagnostic& diagnostic, std::string_view file)
{
    std::string line(severityName(diagnostic.severity));
    for (std::string_view part : {file, std::string_view(diagnostic.node), std::string_view(diagnostic.message)}) {
        if (!part.empty()) {
            line.append(": ").append(part);
        }
    }
    if (!diagnostic.hint.empty()) {
        line.append(" (").append(diagnostic.hint).append(")");
    }
    // A diagnostic is always one line. Messages of libraries have line ends between sentences.
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return visibleLine(line);
}

} // namespace crosswalk
