#include "core/formats/mxnet/symbol_reader.h"

#include "core/formats/mxnet/attach_weights.h"
#include "core/formats/mxnet/find_weights.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The size of the prefix in which the keys of a symbol file are searched.
constexpr std::size_t sniffed = 65536;

// The progress of reading, by the time that its steps take for a typical model.
constexpr double parsed = 0.4;
constexpr double graphBuilt = 0.8;

void noteEpochs(const FoundWeights& found, std::vector<Diagnostic>& problems)
{
    if (!found.others.empty()) {
        problems.push_back(
            {.severity = Severity::Note,
             .code = "newest-epoch",
             .message = fmt::format("of {} epochs, the newest is used: {}", found.others.size() + 1, found.name),
             .hint = "name another file as WEIGHTS to use that"});
    }
}

void noteUnused(const BuiltGraph& built, std::vector<Diagnostic>& problems)
{
    if (built.unusedNodes > 0) {
        problems.push_back({.severity = Severity::Note,
                            .code = "unused-nodes",
                            .message = fmt::format("omitted {} nodes that no output needs", built.unusedNodes)});
    }
}

void noteMissing(const Graph& graph, std::vector<Diagnostic>& problems)
{
    const auto isWeight = [&](ValueId input) { return graph.value(input).role == Role::Parameter; };
    if (std::any_of(graph.inputs.begin(), graph.inputs.end(), isWeight)) {
        problems.push_back({.severity = Severity::Note,
                            .code = "no-weights-file",
                            .message = "no weights found next to the model",
                            .hint = "name the .params file as WEIGHTS"});
    }
}

/// `beside`: the name of the weights file that was found, empty if the user specified it.
void readWeights(LoadedModel& model, BuiltGraph& built, const ModelSource& source, const std::string& beside)
{
    try {
        const auto file = beside.empty() ? SourceFile::open(model.weights) : source.open(beside);
        attachWeights(built, readParams(file, source.stop()), model.problems);
    } catch (const ModelError& error) {
        source.checkStop();
        Diagnostic problem = error.diagnostic;
        problem.message = fmt::format("weights file {}: {}", model.weights.filename().string(), problem.message);
        model.problems.push_back(std::move(problem));
    }
}

} // namespace

Match matchSymbol(const Probe& probe)
{
    const std::string_view text(reinterpret_cast<const char*>(probe.bytes.data()), probe.bytes.size());
    const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos || text[first] != '{') {
        return Match::No;
    }
    const auto head = text.substr(0, sniffed);
    const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
    if (has("\"nodes\"") && (has("\"op\"") || has("\"heads\"") || has("\"arg_nodes\""))) {
        return Match::ByContent;
    }
    return probe.fileName.ends_with(".json") ? Match::ByName : Match::No;
}

LoadedModel readSymbol(const ReadRequest& request, const ModelSource& source)
{
    const auto bytes = source.main()->bytes();
    const SymbolFile symbol = parseSymbol({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, source.stop());
    source.progress(parsed);
    BuiltGraph built = buildGraph(symbol, source.budget(bytes.size()), source.stop());
    source.progress(graphBuilt);
    LoadedModel model;
    model.path = request.model;
    model.weights = request.weights;
    noteUnused(built, model.problems);
    FoundWeights found;
    if (model.weights.empty()) {
        found = findWeights(source);
        noteEpochs(found, model.problems);
    }
    if (!found.name.empty()) {
        model.weights = source.root() / found.name;
    }
    if (!model.weights.empty()) {
        readWeights(model, built, source, found.name);
    } else {
        noteMissing(built.graph, model.problems);
    }
    built.graph.name = request.model.stem().string();
    model.graph = std::make_shared<const Graph>(std::move(built.graph));
    source.progress(1);
    return model;
}

} // namespace crosswalk::mxnet
