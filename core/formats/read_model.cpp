#include "core/formats/read_model.h"

#include "core/base/budget.h"
#include "core/base/changed_files.h"
#include "core/base/check_stop.h"
#include "core/base/out_of_memory.h"
#include "core/formats/file_kind.h"
#include "core/formats/format_reader.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <fmt/format.h>
#include <new>
#include <set>

namespace crosswalk {
namespace {

const FormatReader* readerFor(const Probe& probe, Match wanted)
{
    for (const FormatReader& reader : formatReaders()) {
        if (reader.match(probe) == wanted) {
            return &reader;
        }
    }
    return nullptr;
}

[[noreturn]] void refuse(const FileKind& kind)
{
    throw ModelError("unknown-format", fmt::format("is {}, not a supported model", kind.name), std::string(kind.hint));
}

std::string formatNames()
{
    std::string names;
    for (const FormatReader& reader : formatReaders()) {
        names += (names.empty() ? "" : ", ") + std::string(reader.name);
    }
    return "formats: " + names;
}

const FormatReader& readerFor(const Probe& probe)
{
    if (const FormatReader* reader = readerFor(probe, Match::ByContent)) {
        return *reader;
    }
    if (probe.isFolder) {
        std::error_code failed;
        if (const std::filesystem::directory_iterator content(probe.source->path(), failed); failed) {
            throw ModelError("unreadable", fmt::format("cannot be read: {}", failed.message()));
        }
        throw ModelError("unreadable", "is a folder, but contains no model that can be opened as a folder",
                         "open the model's file in it");
    }
    if (probe.bytes.empty()) {
        throw ModelError("damaged", "the file is empty");
    }
    if (probe.source != nullptr && probe.source->kind() == ModelSource::Kind::Archive && probe.members.empty()) {
        probe.source->list(); // throws if that is because the archive is damaged
    }
    if (const auto kind = recogniseKind(probe)) {
        refuse(*kind);
    }
    if (const FormatReader* reader = readerFor(probe, Match::ByName)) {
        return *reader;
    }
    if (const auto kind = guessKind(probe)) {
        refuse(*kind);
    }
    throw ModelError("unknown-format", "has no supported format", formatNames());
}

/// Throws ModelError "unknown-signature" if the reader did not use the requested signature because there is none.
void expectSignature(const LoadedModel& model, const std::string& wanted)
{
    std::string names;
    for (const Signature& signature : model.signatures) {
        if (signature.isUsed && signature.name == wanted) {
            return;
        }
        names += (names.empty() ? "" : ", ") + signature.name;
    }
    if (!wanted.empty()) {
        throw ModelError("unknown-signature", fmt::format("the model has no signature {}", wanted),
                         names.empty() ? "it has no signatures" : "its signatures are " + names);
    }
}

/// Throws ModelError "unknown-tags" if tags are requested of a model without.
void expectTags(const LoadedModel& model, const std::vector<std::string>& wanted)
{
    if (!wanted.empty() && !model.graph->metadata.contains("tags")) {
        throw ModelError("unknown-tags", "the model has no tags");
    }
}

/// Throws ModelError "unreadable" if a file of the model has changed while it was read, by mappings that were made
/// after the first `mappingsBefore`: the model may be open from before the change.
void expectUnchangedFiles(const ReadRequest& request, std::uint64_t mappingsBefore)
{
    std::error_code ignored;
    const auto folder =
        std::filesystem::is_directory(request.model, ignored) ? request.model : request.model.parent_path();
    const auto inside = std::filesystem::canonical(folder.empty() ? "." : folder, ignored).string();
    const auto isOfModel = [&](const std::filesystem::path& path) {
        return path == request.model || path == request.weights || path.string().starts_with(inside);
    };
    expectUnchanged(isOfModel, mappingsBefore);
}

void expectShortNames(const Graph& whole)
{
    const auto expectShort = [&](const std::string& name, std::string_view what, std::uint32_t index) {
        if (name.size() > Budget::nameLength) {
            whole.budget.expectName(fmt::format("{} {}", what, index), name.size());
        }
    };
    std::set<const Graph*> known{&whole};
    std::vector<const Graph*> open{&whole};
    while (!open.empty()) {
        const Graph& graph = *open.back();
        open.pop_back();
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            expectShort(graph.node(NodeId{i}).name, "node", i);
            expectShort(graph.node(NodeId{i}).op, "the operator of node", i);
        }
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            expectShort(graph.value(ValueId{i}).name, "value", i);
        }
        for (const auto& body : graph.subgraphs) {
            if (known.insert(body.get()).second) {
                open.push_back(body.get());
            }
        }
    }
}

LoadedModel readUnchanged(const ReadRequest& request)
{
    const std::uint64_t mappingsBefore = mappingCount();
    try {
        const auto source = ModelSource::at(request.model, request.stop, request.progress, request.allowLarge);
        LoadedModel model = readerFor(Probe(*source)).read(request, *source);
        expectSignature(model, request.signature);
        expectTags(model, request.tags);
        expectUnchangedFiles(request, mappingsBefore);
        expectShortNames(*model.graph);
        return model;
    } catch (...) {
        expectUnchangedFiles(request, mappingsBefore); // then that is the cause
        throw;
    }
}

} // namespace

Result<LoadedModel> readModel(const ReadRequest& request)
{
    try {
        return readUnchanged(request);
    } catch (const ModelError& error) {
        return error.diagnostic;
    } catch (const std::logic_error& error) { // an index out of range, or a length that does not fit
        return Diagnostic{.code = "damaged",
                          .message =
                              fmt::format("cannot be read: parts of the model do not fit together ({})", error.what())};
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    } catch (const std::exception& error) {
        return Diagnostic{.code = "internal", .message = fmt::format("cannot be read: {}", error.what())};
    }
}

std::vector<std::filesystem::path> modelsIn(const std::filesystem::path& folder, std::size_t mostFiles,
                                            const std::stop_token& stop)
{
    std::size_t files = 0;
    std::vector<std::filesystem::path> certain;
    std::vector<std::filesystem::path> likely;
    std::error_code failed;
    for (auto entry = std::filesystem::directory_iterator(folder, failed);
         !failed && entry != std::filesystem::directory_iterator() && files < mostFiles; entry.increment(failed)) {
        checkStop(stop);
        std::error_code unknown;
        if (!entry->is_regular_file(unknown)) {
            continue;
        }
        ++files;
        try {
            const auto source = ModelSource::at(entry->path());
            const Probe probe(*source);
            if (readerFor(probe, Match::ByContent) != nullptr) {
                certain.push_back(entry->path());
            } else if (!recogniseKind(probe) && readerFor(probe, Match::ByName) != nullptr && !guessKind(probe)) {
                likely.push_back(entry->path());
            }
        } catch (const ModelError&) {
            continue; // unreadable
        }
    }
    std::vector<std::filesystem::path>& models = certain.empty() ? likely : certain;
    std::ranges::sort(models);
    return models;
}

bool hasModelName(const std::filesystem::path& path)
{
    const std::string name = path.filename().string();
    return std::ranges::any_of(formatReaders(), [&](const FormatReader& reader) {
        std::string_view patterns = reader.modelFiles;
        while (!patterns.empty()) {
            const std::size_t end = std::min(patterns.find(' '), patterns.size());
            if (name.ends_with(patterns.substr(1, end - 1))) { // behind the asterisk
                return true;
            }
            patterns.remove_prefix(std::min(end + 1, patterns.size()));
        }
        return false;
    });
}

bool isModel(const std::filesystem::path& path)
{
    try {
        const auto source = ModelSource::at(path);
        return readerFor(Probe(*source), Match::ByContent) != nullptr;
    } catch (const ModelError&) {
        return false;
    }
}

std::string modelStem(const std::filesystem::path& path)
{
    std::string stem = path.stem().string();
    for (const FormatReader& reader : formatReaders()) {
        if (!reader.stemEnding.empty() && stem.size() > reader.stemEnding.size() && stem.ends_with(reader.stemEnding)) {
            stem.resize(stem.size() - reader.stemEnding.size());
            break;
        }
    }
    return stem;
}

namespace {

void expectOnnx(const FormatReader& reader, const std::filesystem::path& path)
{
    if (reader.name != "ONNX") {
        throw ModelError("not-onnx", fmt::format("is a model of {}, not ONNX", reader.name),
                         fmt::format("convert it first: crosswalk convert {} -o model.onnx", path.string()));
    }
}

} // namespace

void expectOnnx(const std::filesystem::path& path)
{
    const auto source = ModelSource::at(path);
    expectOnnx(readerFor(Probe(*source)), path);
}

void expectOnnx(const LoadedModel& model)
{
    const auto reader = std::ranges::find(formatReaders(), model.graph->format, &FormatReader::format);
    assert(reader != formatReaders().end());
    expectOnnx(*reader, model.path);
}

} // namespace crosswalk
