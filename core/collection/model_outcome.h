#pragma once

#include "crosswalk/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// How the conversion of a model of a collection ended.
enum class Outcome : std::uint8_t {
    Converted,   ///< or convertible, where nothing is to be written
    Refused,     ///< ONNX has no exact form of it
    BadInput,    ///< damaged, or in no supported format
    NotWritable, ///< the output
    TimedOut,
    OutOfMemory, ///< beyond the limit
    Crashed,
    Cancelled,
};

/// "converted", "refused", "bad input", "not writable", "timed out", "out of memory", "crashed", "cancelled".
std::string_view outcomeName(Outcome outcome);
std::optional<Outcome> outcomeFromName(std::string_view name);

/// A problem as a report has it.
struct ReportedProblem {
    Severity severity = Severity::Error;
    std::string code;
    std::string message;
    std::string node = {};
    std::string op = {};
    std::string hint = {};

    friend bool operator==(const ReportedProblem&, const ReportedProblem&) = default;
};

/// What is known of a model of a collection after its conversion. Texts are UTF-8 as files have them: they may contain
/// anything.
struct ModelOutcome {
    std::string model; ///< name in the collection
    Outcome outcome = Outcome::Crashed;
    std::string format = {};       ///< "onnx"; empty if it could not be read
    std::string weights = {};      ///< the name of its weights file in the collection, if it has one
    std::string output = {};       ///< the ONNX file, relative to the output folder; empty if none was written
    std::string report = {};       ///< an HTML report of the model, relative to the output folder; empty without
    std::string architecture = {}; ///< architectureHash() as hexadecimal digits
    std::string verdict = {}; ///< the worst of its nodes: "exact", "decomposed", "approximate"; empty if not converted
    std::uint64_t nodes = 0;  ///< of the source
    double seconds = 0;
    std::uint64_t peakBytes = 0;
    std::vector<ReportedProblem> problems = {};

    friend bool operator==(const ModelOutcome&, const ModelOutcome&) = default;
};

} // namespace crosswalk
