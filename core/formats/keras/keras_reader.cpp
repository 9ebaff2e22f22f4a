#include "core/formats/keras/keras_reader.h"

#include "core/formats/file_kind.h"
#include "core/formats/keras/layer_graph.h"
#include "core/formats/keras/vocabularies.h"
#include "core/formats/keras/weight_conversions.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

// The progress at each stage of reading.
constexpr double parsed = 0.2;
constexpr double weightsRead = 0.8;

const std::string modelConfigKey = "model_config"; ///< of the root of an HDF5 file, if it contains a model

constexpr std::string_view zippedConfig = "config.json";
constexpr std::string_view zippedWeights = "model.weights.h5";
constexpr std::string_view splitIndex = "model.weights.json";
constexpr std::string_view zippedMetadata = "metadata.json";

std::string_view textOf(const SourceFile& file)
{
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// Files without a version are older than the key.
Dialect dialectOf(std::string version, std::string backend)
{
    Dialect dialect{.version = std::move(version), .backend = std::move(backend)};
    const char first = dialect.version.empty() ? '1' : dialect.version.front();
    dialect.major = first == '1' || first == '0' ? 1 : first == '2' ? 2 : 3;
    return dialect;
}

bool isJsonModel(std::string_view head)
{
    return firstCharacter(head) == '{' && head.find("\"class_name\"") != std::string_view::npos &&
           head.find("\"config\"") != std::string_view::npos;
}

class KerasReader {
public:
    KerasReader(const ReadRequest& request, const ModelSource& source)
        : m_request(request)
        , m_source(source)
    {
        m_model.path = request.model;
        m_model.weights = request.weights;
    }

    LoadedModel read()
    {
        if (m_source.kind() == ModelSource::Kind::Archive) {
            readArchive();
        } else if (Hdf5File::matches(m_source.main()->bytes())) {
            readHdf5();
        } else {
            readJson();
        }
        m_source.progress(weightsRead);
        convertWeights(m_dialect, m_weights);
        Graph graph = buildGraph(m_config, m_dialect, m_weights, m_source.stop());
        graph.name = m_config.name.empty() ? m_request.model.stem().string() : m_config.name;
        if (m_hasOptimizer) {
            graph.metadata.emplace("optimizer", "its state is in the file and is not read");
        }
        graph.budget = m_source.budget(m_source.main()->bytes().size());
        m_model.graph = std::make_shared<const Graph>(std::move(graph));
        m_source.progress(1);
        return std::move(m_model);
    }

private:
    void readArchive()
    {
        ConfigValue metadata;
        if (m_source.contains(zippedMetadata)) {
            metadata = parseConfig(textOf(*m_source.open(zippedMetadata)));
        }
        ConfigValue config = parseConfig(textOf(*m_source.open(zippedConfig)));
        const std::string version = metadata.text("keras_version");
        m_dialect = dialectOf(version.empty() ? "3" : version, {});
        m_config = modelConfig(std::move(config), m_dialect);
        readVocabularies(m_config, m_source);
        m_source.progress(parsed);
        if (!m_request.weights.empty()) {
            readGivenWeights();
        } else if (m_source.contains(splitIndex)) {
            readWeightsFrom(m_source.open(splitIndex), m_source);
        } else if (m_source.contains(zippedWeights)) {
            readWeightsFrom(m_source.open(zippedWeights), m_source);
        } else {
            throw ModelError("damaged", fmt::format("has no {}, its weights", zippedWeights));
        }
    }

    void readHdf5()
    {
        const WeightFile file(m_source.main());
        const auto config = file.text("", modelConfigKey);
        if (!config) {
            const bool hasWeights = findWeights(file).layout != WeightLayout::None;
            throw ModelError("unknown-format",
                             hasWeights ? "is an HDF5 file with weights of Keras, but without the model"
                                        : "is an HDF5 file without a model of Keras",
                             hasWeights ? "save the model with model.save(\"model.keras\"), or give the JSON of "
                                          "model.to_json() as MODEL and this file as WEIGHTS"
                                        : "");
        }
        m_dialect = dialectOf(file.text("", "keras_version").value_or(""), file.text("", "backend").value_or(""));
        m_config = modelConfig(parseConfig(*config), m_dialect);
        m_source.progress(parsed);
        if (m_request.weights.empty()) {
            keepGraphWithout({}, [&] { attachWeights(file); });
        } else {
            readGivenWeights();
        }
    }

    void readJson()
    {
        ConfigValue config = parseConfig(textOf(*m_source.main()));
        const std::string version = config.text("keras_version");
        m_dialect =
            dialectOf(version.empty() && config.find("module") != nullptr ? "3" : version, config.text("backend"));
        m_config = modelConfig(std::move(config), m_dialect);
        m_source.progress(parsed);
        if (!m_request.weights.empty()) {
            readGivenWeights();
            return;
        }
        const std::string beside = weightsBeside();
        if (beside.empty()) {
            m_model.problems.push_back({.severity = Severity::Note,
                                        .code = "no-weights-file",
                                        .message = "no weights found next to the model",
                                        .hint = "pass the .weights.h5 file as WEIGHTS"});
            m_weights = absentWeights(m_config, m_dialect);
            return;
        }
        m_model.weights = m_source.root() / beside;
        readWeightsFrom(m_source.open(beside), m_source);
    }

    /// The name of the file of weights next to a JSON, empty if there is none.
    std::string weightsBeside() const
    {
        const std::string stem = m_request.model.stem().string();
        for (const std::string& name :
             {stem + ".weights.json", stem + ".weights.h5", stem + "_weights.h5", std::string("weights.h5"),
              std::string(splitIndex), std::string("model.weights.h5"), stem + ".h5", stem + ".hdf5"}) {
            if (m_source.contains(name)) {
                return name;
            }
        }
        std::vector<std::string> found = m_source.list();
        std::erase_if(found, [](const std::string& name) { return !name.ends_with("weights.h5"); });
        return found.size() == 1 ? found.front() : std::string();
    }

    void readGivenWeights()
    {
        const auto source = ModelSource::at(m_request.weights, m_source.stop());
        if (!source->main()) {
            throw ModelError("unreadable", "cannot be read: it is a folder");
        }
        readWeightsFrom(source->main(), *source);
    }

    /// From a file of weights, or from the shards of an index, which are in `source`.
    void readWeightsFrom(const std::shared_ptr<const SourceFile>& file, const ModelSource& source)
    {
        keepGraphWithout(file->name(), [&] {
            attachWeights(isShardIndex(file->name()) ? WeightFile(*file, source) : WeightFile(file));
        });
    }

    /// Shows the graph without its weights where `attach` cannot read them. `file` is named if it is not empty.
    void keepGraphWithout(const std::string& file, const auto& attach)
    {
        try {
            attach();
        } catch (const ModelError& error) {
            m_source.checkStop();
            Diagnostic problem = error.diagnostic;
            if (!file.empty()) {
                problem.message = fmt::format("weights file {}: {}", file, problem.message);
            }
            m_model.problems.push_back(std::move(problem));
            m_weights = absentWeights(m_config, m_dialect);
        }
    }

    void attachWeights(const WeightFile& file)
    {
        const WeightPlace place = findWeights(file);
        m_hasOptimizer = file.contains("optimizer_weights") || file.contains("optimizer");
        if (place.layout == WeightLayout::None) {
            throw ModelError("damaged", "has no weights of Keras");
        }
        if (m_dialect.version.empty()) { // of a JSON that does not say it
            m_dialect.version = file.text(place.group, "keras_version").value_or("");
        }
        if (m_dialect.backend.empty()) {
            m_dialect.backend = file.text(place.group, "backend").value_or("");
        }
        m_weights = readWeights(m_config, m_dialect, file, place, m_model.problems, m_source.stop());
    }

    const ReadRequest& m_request;
    const ModelSource& m_source;
    Dialect m_dialect;
    ModelConfig m_config;
    WeightsByLayer m_weights;
    LoadedModel m_model;
    bool m_hasOptimizer = false; ///< the file has the state of an optimizer
};

} // namespace

Match matchKeras(const Probe& probe)
{
    if (probe.isFolder) {
        return Match::No;
    }
    if (Hdf5File::matches(probe.bytes)) {
        return Match::ByContent;
    }
    if (probe.contains(zippedConfig) && (probe.contains(zippedWeights) || probe.contains(zippedMetadata))) {
        return Match::ByContent;
    }
    return isJsonModel(headOf(probe)) ? Match::ByContent : Match::No;
}

bool hasOnlyWeights(const Probe& probe)
{
    return Hdf5File::matches(probe.bytes) && !WeightFile(probe.source->main()).text("", modelConfigKey);
}

LoadedModel readKeras(const ReadRequest& request, const ModelSource& source)
{
    return KerasReader(request, source).read();
}

} // namespace crosswalk::keras
