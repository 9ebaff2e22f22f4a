#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility> // std::strong_ordering; moc cannot parse <compare> on its own
#include <vector>

namespace crosswalk {

/// One step from a graph into a body: node `node` refers to `subgraphs[subgraph]` of its graph.
struct BodyStep {
    std::uint32_t node = 0;
    std::uint32_t subgraph = 0;
    friend auto operator<=>(const BodyStep&, const BodyStep&) = default; // NOLINT(modernize-use-nullptr)
};

/// The way from a model's graph to a body, outermost step first. Empty: the model's own graph.
using GraphPath = std::vector<BodyStep>;

enum class Severity : std::uint8_t { Note, Warning, Error };

/// Stable name of a finding, such as "unsupported-operator". Scripts and tests compare it, never the prose.
/// Only literals compile, so a copy never dangles.
class Code {
public:
    consteval Code(const char* text)
        : m_text(text)
    {
    }
    std::string_view text() const { return m_text; }
    friend bool operator==(Code a, Code b) { return a.m_text == b.m_text; }

private:
    std::string_view m_text;
};

/// A way around a gap that the user can pick (see Strategy in options.h).
struct Choice {
    std::string strategy; ///< as on the command line: exact, fused, unrolled
    std::string cost;     ///< one line: what it costs, or what is lost
    bool exact = true;

    friend bool operator==(const Choice&, const Choice&) = default;
};

/// One thing that the user should know about a file or a model: what, where, why, and what to do about it.
struct Diagnostic {
    Severity severity = Severity::Error;
    Code code = "internal";
    std::string message;   ///< what and why, one sentence, no trailing newline
    std::string node = {}; ///< the source node as written to the user; empty when the whole file is meant
    /// Index of that node in the model's graph. Of a node in a body: the index of the outermost node around it.
    std::optional<std::uint32_t> nodeIndex = {};
    GraphPath path = {};           ///< of a node in a body: the way to that body
    std::uint32_t indexInBody = 0; ///< of a node in a body: its index there
    std::string op = {};
    std::string attribute = {};
    std::string hint = {}; ///< what to do, empty when there is nothing to say
    std::vector<Choice> choices = {};

    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

std::string_view severityName(Severity severity);

bool hasErrors(std::span<const Diagnostic> problems);

/// The line that goes to standard error: `error: file: node: message (hint)`, empty parts left out.
std::string formatLine(const Diagnostic& diagnostic, std::string_view file);

} // namespace crosswalk
