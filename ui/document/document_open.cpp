// Opening a model, reopening it with other weights, and closing it.

#include "ui/document/document.h"

#include "core/convert/select_outputs.h"
#include "core/convert/source_names.h"
#include "ui/document/batch_symbol.h"
#include "ui/jobs/retire.h"
#include "ui/models/shape_text.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace crosswalk::ui {
namespace {

QString fileName(const std::filesystem::path& path)
{
    return displayText(path.filename().string());
}

/// Removes options for nodes and values that the graph does not have.
ConvertOptions stillNamed(ConvertOptions options, const Graph& graph)
{
    const SourceNames names(graph);
    const auto isOpenInput = [&](const std::string& name) {
        const auto input = graph.findInput(name);
        return input && !graph.value(*input).tensor;
    };
    std::erase_if(options.shapes, [&](const auto& given) { return !isOpenInput(given.first); });
    std::erase_if(options.types, [&](const auto& given) { return !isOpenInput(given.first); });
    std::erase_if(options.strategies, [&](const auto& given) { return !names.find(given.first); });
    std::erase_if(options.outputs, [&](const std::string& name) {
        try {
            return withOutputs(graph, std::span(&name, 1)).outputs.empty();
        } catch (const ModelError&) {
            return true;
        }
    });
    const Graph cut = options.outputs.empty() ? graph : withOutputs(graph, options.outputs);
    const auto isOutput = [&](const std::string& name) {
        return std::any_of(cut.outputs.begin(), cut.outputs.end(), [&](ValueId output) {
            const std::string& own = cut.value(output).name;
            return name == own || name.starts_with(own + '#'); // the name occurs repeatedly
        });
    };
    const auto hasValue = [&](const std::string& name) {
        return std::ranges::any_of(graph.values(), [&](const Value& value) { return value.name == name; });
    };
    if (options.part &&
        (!std::ranges::all_of(options.part->from, hasValue) || !std::ranges::all_of(options.part->to, hasValue))) {
        options.part.reset();
    }
    const auto isPort = [&](const std::string& name) {
        return options.part
                   ? std::ranges::count(options.part->from, name) + std::ranges::count(options.part->to, name) > 0
                   : isOpenInput(name) || isOutput(name);
    };
    std::erase_if(options.renames, [&](const auto& given) { return !isPort(given.first); });
    clearUnusedBatchSymbol(options);
    return options;
}

std::set<std::string> namesIn(const ConvertOptions& options)
{
    std::set<std::string> names(options.outputs.begin(), options.outputs.end());
    const auto addKeys = [&](const auto& map) {
        std::ranges::transform(map, std::inserter(names, names.end()), [](const auto& entry) { return entry.first; });
    };
    addKeys(options.shapes);
    addKeys(options.types);
    addKeys(options.strategies);
    addKeys(options.renames);
    if (options.part) {
        names.insert(options.part->from.begin(), options.part->from.end());
        names.insert(options.part->to.begin(), options.part->to.end());
    }
    return names;
}

} // namespace

struct Document::Opened {
    Result<LoadedModel> loaded;
    DrawnSide side; ///< empty if stopped or not loaded
};

void Document::open(const std::filesystem::path& model, const std::filesystem::path& weights, ConvertOptions options,
                    std::string signature)
{
    open({.model = model, .weights = weights, .options = std::move(options), .signature = std::move(signature)});
}

void Document::useSignature(const std::string& signature)
{
    open({.model = m_path,
          .weights = m_loaded->weights,
          .options = m_options,
          .isAgain = true,
          .signature = signature,
          .tags = m_tags,
          .allowLarge = m_loaded->graph->budget.allowsLarge()});
}

void Document::open(OpenedFiles next)
{
    if (!next.model.has_filename()) { // a folder with a trailing slash
        next.model = next.model.parent_path();
    }
    m_next = std::move(next);
    m_reading.setActivity(tr("Reading %1").arg(fileName(m_next->model)));
    m_reading.run(
        this,
        [model = m_next->model, weights = m_next->weights, signature = m_next->signature, tags = m_next->tags,
         inputs = describedInputs(m_next->options), shapes = m_next->options.shapes, allowLarge = m_next->allowLarge,
         flow = m_folding->flow(), room = m_folding->room(),
         progress = m_reading.trackProgress()](std::stop_token stop) {
            Opened opened{readModel({.model = model,
                                     .weights = weights,
                                     .signature = signature,
                                     .tags = tags,
                                     .inputs = inputs,
                                     .shapes = shapes,
                                     .allowLarge = allowLarge,
                                     .stop = stop,
                                     .progress = [&](double part) { progress->store(part); }}),
                          {}};
            progress->store(JobRunner::unknownProgress); // the layout reports no progress
            if (opened.loaded) {
                opened.side = DrawnSide::make(opened.loaded.value().graph, {}, {}, stop, flow, room);
            }
            return opened;
        },
        [this](Opened opened) {
            OpenedFiles files = *std::exchange(m_next, std::nullopt);
            if (!opened.loaded) {
                const std::filesystem::path path = files.model;
                m_refused = std::move(files);
                emit openFailed(opened.loaded.problem(), path);
                return;
            }
            takeOpened(std::move(opened), std::move(files));
        });
}

void Document::takeOpened(Opened opened, OpenedFiles files)
{
    ConvertOptions options = optionsFor(files);
    m_path = files.model;
    m_signature = files.signature;
    m_tags = files.tags;
    m_converting.cancel();
    m_verifier->forget();
    m_colours->forgetMarks();
    auto retired = std::make_tuple(std::exchange(m_loaded, std::move(opened.loaded.value())), m_folding->shown(),
                                   std::exchange(m_converted, nullptr));
    m_folding->show(Side::Source, std::move(opened.side), {});
    m_folding->show(Side::Target, {}, {});
    m_conversionProblem.reset();
    m_compared.reset();
    std::set<std::string> dropped;
    if (files.isAgain || files.isRestored) {
        m_options = stillNamed(options, *m_loaded->graph);
        std::ranges::set_difference(namesIn(options), namesIn(m_options), std::inserter(dropped, dropped.end()));
    } else {
        m_options = std::move(options);
    }
    m_isOutdated = false;
    m_undo.clear();
    m_ownTypes.clear();
    m_selection->reset();
    rebuildProblems();
    emit this->opened();
    emit sideChanged(Side::Source);
    emit sideChanged(Side::Target);
    emit conversionChanged();
    emit m_selection->changed();
    if (!dropped.empty()) {
        emit optionsDropped(dropped);
    }
    if (files.compared.empty()) {
        reconvert();
    } else {
        compareWith(files.compared, files.allowLarge);
    }
    retire(m_retiring, *this, std::move(retired));
}

void Document::close()
{
    cancel();
    m_verifier->forget();
    m_colours->forgetMarks();
    auto retired = std::make_tuple(std::exchange(m_loaded, {}), m_folding->shown(), std::exchange(m_converted, {}));
    m_folding->show(Side::Source, {}, {});
    m_folding->show(Side::Target, {}, {});
    m_path.clear();
    m_signature.clear();
    m_tags.clear();
    m_compared.reset();
    m_conversionProblem.reset();
    m_options = {};
    m_isOutdated = false;
    m_undo.clear();
    m_selection->reset();
    rebuildProblems();
    emit opened();
    emit sideChanged(Side::Source);
    emit sideChanged(Side::Target);
    emit conversionChanged();
    emit m_selection->changed();
    retire(m_retiring, *this, std::move(retired));
}

void Document::openAgain(const std::filesystem::path& weights, bool allowLarge)
{
    OpenedFiles files = openedFiles();
    files.weights = weights;
    files.isAgain = true;
    files.allowLarge = files.allowLarge || allowLarge;
    open(std::move(files));
}

void Document::openRefused()
{
    assert(m_refused);
    if (m_refused->model.empty()) {
        compareWith(m_refused->compared, true);
    } else if (m_loaded && m_refused->isAgain && m_refused->signature == m_signature) {
        openAgain(m_refused->weights, true); // with the options that were changed since
    } else {
        m_refused->allowLarge = true;
        open(*m_refused);
    }
}

OpenedFiles Document::openedFiles() const
{
    assert(m_loaded);
    const bool comparesLarge = m_compared && m_compared->graph->budget.allowsLarge();
    return {.model = m_path,
            .weights = m_loaded->weights,
            .options = m_options,
            .compared = m_compared ? m_compared->path : std::filesystem::path(),
            .signature = m_signature,
            .tags = m_tags,
            .allowLarge = comparesLarge || m_loaded->graph->budget.allowsLarge()};
}

ConvertOptions Document::optionsFor(const OpenedFiles& next) const
{
    if (!next.isAgain || !m_loaded || next.model != m_path) {
        return next.options;
    }
    ConvertOptions options = m_options;
    if (next.signature != m_signature) {
        options.outputs.clear(); // they would take the place of the signature's
    }
    return options;
}

std::optional<OpenedFiles> Document::files() const
{
    if (m_next && m_reading.isBusy()) {
        OpenedFiles next = *m_next;
        next.options = optionsFor(next);
        return next;
    }
    return m_loaded ? std::optional(openedFiles()) : std::nullopt;
}

} // namespace crosswalk::ui
