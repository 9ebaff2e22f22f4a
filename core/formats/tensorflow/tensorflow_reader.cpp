#include "core/formats/tensorflow/tensorflow_reader.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/attach_variables.h"
#include "core/formats/tensorflow/checkpoint/find_checkpoint.h"
#include "core/formats/tensorflow/default_outputs.h"
#include "core/formats/tensorflow/fill_tables.h"
#include "core/formats/tensorflow/graph_builder.h"
#include "core/formats/tensorflow/lookup_tables.h"
#include "core/formats/tensorflow/mark_weights.h"
#include "core/formats/tensorflow/meta_graph.h"
#include "core/formats/tensorflow/model_file.h"
#include "core/formats/tensorflow/signatures.h"
#include "core/formats/tensorflow/variable_nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::tensorflow {
namespace {

// The progress at each stage of reading.
constexpr double parsed = 0.4;
constexpr double graphBuilt = 0.8;

std::vector<std::string> keysOf(const std::vector<std::pair<std::string, ValueId>>& ports)
{
    std::vector<std::string> keys;
    keys.reserve(ports.size());
    for (const auto& [key, value] : ports) {
        keys.push_back(key);
    }
    return keys;
}

class Reader {
public:
    Reader(const ReadRequest& request, const ModelSource& source, ModelFile file)
        : m_request(request)
        , m_source(source)
        , m_file(std::move(file))
    {
        m_model.path = request.model;
        m_model.weights = request.weights;
    }

    LoadedModel read()
    {
        const auto bytes = openModelFile(m_source, m_file);
        const auto checkStop = [&] { m_source.checkStop(); };
        m_meta = parse(bytes->bytes(), checkStop);
        m_source.progress(parsed);
        m_graph = buildGraph(bytes, m_meta.graph, m_source.budget(bytes->bytes().size()), checkStop);
        m_source.progress(graphBuilt);
        m_graph.version = m_meta.version;
        m_graph.name = graphName();
        if (!m_meta.tags.empty()) {
            m_graph.metadata.emplace("tags", fmt::format("{}", fmt::join(m_meta.tags, ", ")));
        }
        if (!m_meta.otherTags.empty()) {
            m_graph.metadata.emplace("other_tags", fmt::format("{}", fmt::join(m_meta.otherTags, "; ")));
        }
        chooseInputsAndOutputs();
        if (hasVariables()) {
            readVariables();
        } else if (!m_request.weights.empty()) {
            m_model.problems.push_back(
                {.severity = Severity::Warning,
                 .code = "unused-weights",
                 .message = "the graph has no variables: " + m_request.weights.string() + " is not read"});
        }
        markWeights(m_graph);
        m_model.storageKeys = m_info.variableKeys;
        fillTables(m_graph, m_meta.assets, m_source, besideModel("assets/"));
        m_model.tables = lookupTables(m_graph, m_meta.assets);
        for (const AssetFileDef& asset : m_meta.assets) {
            m_model.assets.emplace_back(asset.filename);
        }
        listOtherFiles();
        m_graph.original = std::make_shared<const SourceInfo>(std::move(m_info));
        m_model.graph = std::make_shared<const Graph>(std::move(m_graph));
        m_source.progress(1);
        return std::move(m_model);
    }

private:
    /// A GraphDef is read as a MetaGraphDef without further content.
    MetaGraphDef parse(std::span<const std::byte> bytes, const std::function<void()>& checkStop) const
    {
        if (m_file.content == FileContent::SavedModel) {
            return parseSavedModel(bytes, m_request.tags, checkStop);
        }
        if (m_file.content == FileContent::MetaGraphDef) {
            return parseMetaGraph(bytes, 0, bytes.size(), checkStop);
        }
        MetaGraphDef meta;
        meta.graph = parseGraphDef(bytes, 0, bytes.size(), checkStop);
        return meta;
    }

    std::string graphName() const
    {
        auto path = m_request.model;
        if (m_file.content == FileContent::SavedModel && path.filename() == m_file.name) {
            path = path.parent_path();
        }
        return path.has_filename() ? path.stem().string() : path.parent_path().stem().string();
    }

    bool hasVariables() const { return std::any_of(m_graph.nodes().begin(), m_graph.nodes().end(), isVariable); }

    void chooseInputsAndOutputs()
    {
        m_info.signatures = signaturesOf(m_meta, m_graph);
        const Signature* used = selectSignature(m_info.signatures, m_request.signature);
        for (const Signature& signature : m_info.signatures) {
            m_model.signatures.push_back(
                {signature.name, keysOf(signature.inputs), keysOf(signature.outputs), &signature == used});
        }
        if (used != nullptr) {
            applySignature(*used, m_meta.isObjectBased, m_graph, m_model.problems);
        } else {
            const GraphKind kind = hasVariables() ? GraphKind::Whole : GraphKind::Frozen;
            m_graph.outputs = defaultOutputs(m_graph, kind);
            m_graph.inputs = defaultInputs(m_graph, kind);
        }
        for (const CollectionDef& collection : m_meta.collections) {
            auto& items = m_info.collections[std::string(collection.name)];
            items.assign(collection.nodes.begin(), collection.nodes.end());
        }
    }

    void readVariables()
    {
        try {
            if (!m_request.weights.empty()) {
                const NamedCheckpoint named = namedCheckpoint(m_request.weights, m_request.stop);
                attach(*named.source, named.prefix);
                return;
            }
            const std::string prefix = checkpointBeside();
            if (prefix.empty()) {
                m_model.problems.push_back({.severity = Severity::Note,
                                            .code = "no-weights-file",
                                            .message = "no checkpoint found next to the model",
                                            .hint = "pass its .index file as WEIGHTS"});
                return;
            }
            m_model.weights = m_source.root() / (prefix + ".index");
            attach(m_source, prefix);
        } catch (const ModelError& error) {
            if (error.diagnostic.code == Code("cancelled")) {
                throw;
            }
            Diagnostic problem = error.diagnostic;
            problem.message = "checkpoint: " + problem.message;
            m_model.problems.push_back(std::move(problem));
        }
    }

    void listOtherFiles()
    {
        if (m_file.content != FileContent::SavedModel) {
            return;
        }
        std::vector<std::string> names{besideModel("keras_metadata.pb"), besideModel("fingerprint.pb")};
        if (!m_file.name.empty()) { // in the folder that was opened
            names.push_back(m_file.name);
        }
        for (const std::string& asset : m_model.assets) {
            names.push_back(besideModel("assets/") + asset);
        }
        for (const std::string& name : names) {
            m_model.otherFiles.push_back(m_source.root() / name);
        }
    }

    std::string besideModel(std::string_view name) const
    {
        return m_file.name.substr(0, m_file.name.rfind('/') + 1).append(name);
    }

    /// Prefix of the names of the checkpoint's files; empty if there is none.
    std::string checkpointBeside()
    {
        if (m_file.content == FileContent::SavedModel) {
            const std::string prefix = besideModel("variables/variables");
            return m_source.contains(prefix + ".index") ? prefix : std::string();
        }
        const FoundCheckpoint found = findCheckpoint(m_source, m_request.model.filename().string());
        if (found.others > 0) {
            m_model.problems.push_back(
                {.severity = Severity::Note,
                 .code = "newest-epoch",
                 .message = fmt::format("of {} checkpoints, the last is used: {}", found.others + 1, found.prefix),
                 .hint = "pass another one as WEIGHTS to use that"});
        }
        return found.prefix;
    }

    void attach(const ModelSource& source, const std::string& prefix)
    {
        const Bundle checkpoint(source, prefix);
        attachVariables(m_graph, m_meta.saver.restoreOp, checkpoint, m_info, m_model.problems);
    }

    const ReadRequest& m_request;
    const ModelSource& m_source;
    ModelFile m_file;
    MetaGraphDef m_meta;
    Graph m_graph;
    SourceInfo m_info;
    LoadedModel m_model;
};

} // namespace

Match matchTensorflow(const Probe& probe)
{
    return modelFileOf(probe).match;
}

LoadedModel readTensorflow(const ReadRequest& request, const ModelSource& source)
{
    ModelFile file = modelFileOf(Probe(source));
    refuseWithoutGraph(file);
    return Reader(request, source, std::move(file)).read();
}

} // namespace crosswalk::tensorflow
