#include "core/formats/keras/weight_files.h"

#include "core/base/check_stop.h"
#include "core/formats/keras/dtype_policy.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk::keras {
namespace {

/// The model in a layer that is one, or that wraps one; with the group of the wrapped model in a tree.
const ModelConfig* modelOf(const LayerConfig& layer)
{
    return layer.model.get();
}

Diagnostic problemOf(const std::string& layer, Code code, std::string message)
{
    return {.severity = Severity::Error, .code = code, .message = fmt::format("layer \"{}\": {}", layer, message)};
}

/// The layers with weights of their own in a model, in order; nested models are replaced by theirs.
void addLeaves(const ModelConfig& model, bool isTrainable, std::vector<std::pair<const LayerConfig*, bool>>& leaves)
{
    for (const LayerConfig& layer : model.layers) {
        const bool trainable = isTrainable && layer.isTrainable;
        if (const ModelConfig* nested = modelOf(layer)) {
            addLeaves(*nested, trainable, leaves);
        } else {
            leaves.emplace_back(&layer, trainable);
        }
    }
}

constexpr const char* attentionParts[] = {"query_dense", "key_dense", "value_dense", "gate_dense", "output_dense"};

bool isAttentionOfHeads(const LayerConfig& layer)
{
    return layer.className == "MultiHeadAttention" || layer.className == "GroupedQueryAttention" ||
           layer.className == "GroupQueryAttention";
}

/// The mode in which a kernel is quantized, by what the file has for it; empty for one that is not.
std::string modeOf(const Tensor& kernel, const std::optional<Tensor>& groupScales, bool hasScales)
{
    if (kernel.type() != ElementType::Int8) {
        return hasScales ? "float8" : "";
    }
    if (kernel.rank() != 2) {
        return "int8";
    }
    const bool hasGroups = groupScales && groupScales->rank() == 2 && groupScales->dims()[0] > 0;
    const std::int64_t groups = hasGroups ? groupScales->dims()[0] : 0;
    return hasGroups ? fmt::format("int4/{}", (kernel.dims()[0] + groups - 1) / groups) : "int4/-1";
}

class WeightReader {
public:
    WeightReader(const Dialect& dialect, const WeightFile& file, std::vector<Diagnostic>& problems,
                 const std::stop_token& stop)
        : m_dialect(dialect)
        , m_file(file)
        , m_problems(problems)
        , m_stop(stop)
    {
    }

    WeightsByLayer take() { return std::move(m_weights); }

    // Lists of names.

    void readLists(ModelConfig& model, const std::string& group)
    {
        const auto listed = m_file.texts(group, "layer_names");
        m_listed.insert(listed->begin(), listed->end());
        readListedLayers(model, group);
    }

    // A tree of objects.

    void readTree(ModelConfig& model, const std::string& group)
    {
        std::map<std::string, int> seen;
        std::map<std::string, int> seenInFirstVersion; // which counts a layer with weights twice
        const bool isFirstVersion = m_file.contains(joined(group, "_layer_checkpoint_dependencies"));
        for (LayerConfig& layer : model.layers) {
            checkStop(m_stop);
            const std::string id = treeNameOf(layer);
            if (id.empty()) {
                continue; // an operation is no layer and does not count
            }
            const auto numbered = [&](int count) { return count == 0 ? id : fmt::format("{}_{}", id, count); };
            const std::string name = numbered(seen[id]++);
            std::string path = joined(group, "layers/" + name);
            if (isFirstVersion && !m_file.contains(path)) {
                path = joined(group, "_layer_checkpoint_dependencies/" + numbered(seenInFirstVersion[id]));
                seenInFirstVersion[id] += hasWeights(layer) ? 2 : 1;
            }
            if (layer.model) {
                readTree(*layer.model, isModelClass(layer.className) ? path : joined(path, "layer"));
            } else {
                readTreeLayer(layer, path);
            }
        }
    }

private:
    bool hasWeights(const LayerConfig& layer) const
    {
        if (const ModelConfig* nested = modelOf(layer)) {
            return std::ranges::any_of(nested->layers, [&](const LayerConfig& inner) { return hasWeights(inner); });
        }
        const auto specs = weightSpecs(layer.className, layer.config, m_dialect);
        return !specs || !specs->empty();
    }

    /// Reads a dataset. One in a form that is not supported is refused at the nodes that need it.
    void read(const std::string& path, LayerWeight& weight) const
    {
        try {
            weight.tensor = m_file.tensor(path);
        } catch (const ModelError& error) {
            if (error.diagnostic.code != Code("unsupported-file")) {
                throw;
            }
            weight.unreadable = error.diagnostic.message;
        }
    }

    static std::string joined(const std::string& group, const std::string& path)
    {
        return group.empty() ? path : group + "/" + path;
    }

    void readListedLayers(ModelConfig& model, const std::string& group)
    {
        for (LayerConfig& layer : model.layers) {
            checkStop(m_stop);
            ModelConfig* nested = layer.model.get();
            if (nested != nullptr && !m_listed.contains(layer.name)) {
                readListedLayers(*nested, group); // Keras 1 lists the layers of nested Sequentials among the others
                continue;
            }
            std::vector<std::pair<const LayerConfig*, bool>> leaves;
            if (nested != nullptr) {
                addLeaves(*nested, layer.isTrainable, leaves);
            } else {
                leaves.emplace_back(&layer, layer.isTrainable);
                recogniseListedParts(layer, joined(group, layer.name));
            }
            readGroup(layer.name, joined(group, layer.name), leaves);
        }
    }

    /// HDF5 files of Keras 3 have the correction of a frozen kernel by a product of low rank (LoRA) beside it.
    static std::vector<WeightSpec> withLowRank(std::vector<WeightSpec> specs, const ConfigValue& config)
    {
        const ConfigValue* rank = config.find("lora_rank");
        if (rank == nullptr || rank->isNull() || specs.empty()) {
            return specs;
        }
        specs.front().isTrainable = false; // the kernel, or the table of an Embedding
        const std::string low = "lora_" + specs.front().name;
        specs.push_back({{}, low + "_a"});
        specs.push_back({{}, low + "_b"});
        return specs;
    }

    /// A weight that the layers of a group should have.
    struct Wanted {
        const LayerConfig* layer;
        std::size_t index; ///< in the layer's list
        bool isTrainable;
    };

    void readGroup(const std::string& name, const std::string& group,
                   const std::vector<std::pair<const LayerConfig*, bool>>& leaves)
    {
        std::vector<std::string> stored = m_file.texts(group, "weight_names").value_or(std::vector<std::string>());
        std::erase_if(stored,
                      [](const std::string& weight) { return weight.find("seed_generator") != std::string::npos; });
        std::vector<Wanted> wanted;
        for (const auto& [layer, isTrainable] : leaves) {
            auto specs = weightSpecs(layer->className, layer->config, m_dialect);
            if (!specs) {
                if (leaves.size() == 1) {
                    takeAll(*layer, group, stored);
                    return;
                }
                continue; // an unknown class, which is refused at its node
            }
            LayerWeights& weights = m_weights[layer];
            for (const WeightSpec& spec : withLowRank(std::move(*specs), layer->config)) {
                wanted.push_back({layer, weights.size(), isTrainable && spec.isTrainable});
                weights.push_back({spec, std::nullopt});
            }
        }
        if (leaves.size() == 1 && readByNames(*leaves.front().first, group, stored)) {
            return;
        }
        std::stable_partition(wanted.begin(), wanted.end(), [](const Wanted& weight) { return weight.isTrainable; });
        if (wanted.size() != stored.size()) {
            m_problems.push_back(problemOf(
                name, "missing-weight",
                fmt::format("the file has {} weights for it, but it needs {}", stored.size(), wanted.size())));
            return;
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            LayerWeight& weight = m_weights[wanted[i].layer][wanted[i].index];
            if (contradicts(stored[i], *wanted[i].layer, weight.spec.name)) {
                m_problems.push_back(problemOf(
                    name, "missing-weight",
                    fmt::format("weight {} of the file is where {} is expected", stored[i], weight.spec.name)));
                return;
            }
            read(joined(group, stored[i]), weight);
        }
    }

    /// Attention with a gate, and scales of float8, whose places among the others are not known: by their names.
    bool readByNames(const LayerConfig& layer, const std::string& group, const std::vector<std::string>& stored)
    {
        LayerWeights& weights = m_weights[&layer];
        const bool areMixed = std::ranges::any_of(weights, [](const LayerWeight& weight) {
            return weight.spec.owner == "gate_dense" || weight.spec.name == "inputs_scale";
        });
        if (!areMixed || stored.size() != weights.size()) {
            return false;
        }
        for (LayerWeight& weight : weights) {
            const std::string part = weight.spec.owner.substr(0, weight.spec.owner.find('_'));
            const std::string ending = part.empty() ? weight.spec.name : fmt::format("{}/{}", part, weight.spec.name);
            const auto found = std::ranges::find_if(stored, [&](const std::string& name) {
                const std::string plain = name.substr(0, name.find(':'));
                return plain.ends_with("/" + ending) || (part == "output" && plain.ends_with("_" + ending));
            });
            if (found == stored.end()) {
                return false;
            }
            read(joined(group, *found), weight);
        }
        return true;
    }

    /// Whether a stored name is that of another weight of the layer. Position decides, but never against the names.
    bool contradicts(const std::string& stored, const LayerConfig& layer, const std::string& expected) const
    {
        std::string name = stored.substr(stored.rfind('/') + 1);
        name = name.substr(0, name.find(':'));
        const auto& weights = m_weights.at(&layer);
        return name != expected &&
               std::ranges::any_of(weights, [&](const LayerWeight& weight) { return weight.spec.name == name; });
    }

    /// All weights of a layer of an unknown class, for an operator of the user.
    void takeAll(const LayerConfig& layer, const std::string& group, const std::vector<std::string>& stored)
    {
        for (const std::string& name : stored) {
            m_weights[&layer].push_back({{{}, name.substr(0, name.find(':'))}, m_file.tensor(joined(group, name))});
        }
    }

    /// The group of a part of a layer, whose steps may begin with an underscore.
    std::string partOf(std::string group, const std::string& owner) const
    {
        for (std::size_t first = 0; first < owner.size();) {
            const std::size_t end = std::min(owner.find('/', first), owner.size());
            const std::string step = owner.substr(first, end - first);
            const std::string plain = joined(group, step);
            group = m_file.contains(plain) ? plain : fmt::format("{}/_{}", group, step);
            first = end + 1;
        }
        return group;
    }

    /// model.quantize() quantizes the parts of attention layers, but Keras does not save that in their settings.
    void setMode(LayerConfig& layer, const std::string& part, const std::string& mode)
    {
        if (mode.empty() || !dtypePolicy(partPolicy(layer.config, part)).mode.empty()) {
            return;
        }
        const std::string source = partPolicy(layer.config, part);
        ConfigValue parts = ConfigObject();
        if (const ConfigValue* known = layer.config.find("part_dtypes")) {
            parts = *known;
        }
        parts.set(partName(part), fmt::format("{}_from_{}", mode, source.empty() ? "float32" : source));
        layer.config.set("part_dtypes", std::move(parts));
        layer.config.set("assumed_quantizer", true);
    }

    void recogniseParts(LayerConfig& layer, const std::string& group)
    {
        for (const char* part : attentionParts) {
            const std::string vars = partOf(group, part) + "/vars/";
            if (!isAttentionOfHeads(layer) || m_dialect.major < 3 || !m_file.isDataset(vars + "0")) {
                continue;
            }
            const auto has = [&](std::size_t place) { return m_file.isDataset(vars + std::to_string(place)); };
            const ConfigValue* bias = layer.config.find("use_bias");
            const bool hasBias = bias == nullptr || !std::holds_alternative<bool>(*bias) || std::get<bool>(*bias);
            const std::size_t scale = hasBias ? 2 : 1;
            if (const std::string calibrated = vars + std::to_string(scale - 1);
                m_file.isDataset(calibrated) && m_file.tensor(calibrated).type() == ElementType::UInt8) {
                setMode(layer, part, has(scale + 3) ? "awq" : "gptq");
                continue;
            }
            setMode(layer, part, modeOfStored(vars + "0", has(scale) ? vars + std::to_string(scale) : "", has(scale)));
        }
    }

    void recogniseListedParts(LayerConfig& layer, const std::string& group)
    {
        if (!isAttentionOfHeads(layer) || m_dialect.major < 3) {
            return;
        }
        const auto stored = m_file.texts(group, "weight_names").value_or(std::vector<std::string>());
        for (const std::string part : attentionParts) {
            const auto named = [&](const std::string& name) {
                const std::string ending = fmt::format("/{}/{}", partName(part), name);
                const auto found =
                    std::ranges::find_if(stored, [&](const std::string& each) { return each.ends_with(ending); });
                return found == stored.end() ? std::string() : joined(group, *found);
            };
            if (const std::string kernel = named("kernel"); !kernel.empty()) {
                setMode(layer, part, modeOfStored(kernel, named("kernel_scale"), !named("inputs_scale").empty()));
            }
        }
    }

    /// `scale` may be empty.
    std::string modeOfStored(const std::string& kernel, const std::string& scale, bool hasScales) const
    {
        LayerWeight stored;
        LayerWeight scales;
        read(kernel, stored);
        if (!scale.empty()) {
            read(scale, scales);
        }
        return stored.tensor ? modeOf(*stored.tensor, scales.tensor, hasScales) : std::string();
    }

    void readTreeLayer(LayerConfig& layer, const std::string& group)
    {
        recogniseParts(layer, group);
        if (const auto name = m_file.text(group + "/vars", "name"); name && *name != layer.name) {
            throw ModelError("damaged",
                             fmt::format("group {} has the weights of layer \"{}\", but the model has \"{}\" there",
                                         group, *name, layer.name));
        }
        const auto specs = weightSpecs(layer.className, layer.config, m_dialect);
        if (!specs) {
            takeVars(layer, group, {});
            return;
        }
        std::map<std::string, int> count;
        if (specs->empty()) {
            count.try_emplace(std::string());
        }
        for (const WeightSpec& spec : *specs) {
            const std::string vars = partOf(group, spec.owner) + "/vars/";
            count[spec.owner] += spec.copiesBefore;
            // Of all weights, only that of a lookup has a name in the tree.
            const std::string path =
                spec.name == "idf_weights" ? vars + spec.name : vars + std::to_string(count[spec.owner]++);
            LayerWeight weight{spec, std::nullopt};
            if (m_file.isDataset(path)) {
                read(path, weight);
            } else {
                m_problems.push_back(problemOf(layer.name, "missing-weight",
                                               fmt::format("the file does not have its {} ({})", spec.path(), path)));
            }
            m_weights[&layer].push_back(std::move(weight));
        }
        for (const auto& [owner, number] : count) {
            const std::string next = fmt::format("{}/vars/{}", partOf(group, owner), number);
            if (m_file.isDataset(next)) {
                m_problems.push_back(
                    problemOf(layer.name, "wrong-weight",
                              fmt::format("the file has more weights for it than its settings require ({})", next)));
            }
        }
    }

    void takeVars(const LayerConfig& layer, const std::string& group, const std::string& owner)
    {
        for (const std::string& name : m_file.members(group + "/vars")) {
            m_weights[&layer].push_back({{owner, name}, m_file.tensor(fmt::format("{}/vars/{}", group, name))});
        }
    }

    const Dialect& m_dialect;
    const WeightFile& m_file;
    std::vector<Diagnostic>& m_problems;
    const std::stop_token& m_stop;
    std::set<std::string> m_listed;
    WeightsByLayer m_weights;
};

void addAbsent(const ModelConfig& model, const Dialect& dialect, WeightsByLayer& weights)
{
    for (const LayerConfig& layer : model.layers) {
        if (const ModelConfig* nested = modelOf(layer)) {
            addAbsent(*nested, dialect, weights);
        } else if (const auto specs = weightSpecs(layer.className, layer.config, dialect)) {
            for (const WeightSpec& spec : *specs) {
                weights[&layer].push_back({spec, std::nullopt});
            }
        }
    }
}

} // namespace

std::string treeNameOf(const LayerConfig& layer)
{
    if (layer.className.starts_with("ops.")) {
        return {};
    }
    if (layer.className == "GroupQueryAttention") { // is the name in files only
        return "grouped_query_attention";
    }
    return snakeCase(layer.className == "Model" ? "Functional" : layer.className);
}

WeightPlace findWeights(const WeightFile& file)
{
    for (const char* group : {"model_weights", ""}) {
        if (file.texts(group, "layer_names")) {
            return {WeightLayout::Lists, group};
        }
    }
    for (const char* group : {"layers", "_layer_checkpoint_dependencies"}) {
        if (file.contains(group)) {
            return {WeightLayout::Tree, ""};
        }
    }
    return {};
}

WeightsByLayer readWeights(ModelConfig& model, const Dialect& dialect, const WeightFile& file, const WeightPlace& place,
                           std::vector<Diagnostic>& problems, const std::stop_token& stop)
{
    WeightReader reader(dialect, file, problems, stop);
    if (place.layout == WeightLayout::Lists) {
        reader.readLists(model, place.group);
    } else {
        reader.readTree(model, place.group);
    }
    return reader.take();
}

WeightsByLayer absentWeights(const ModelConfig& model, const Dialect& dialect)
{
    WeightsByLayer weights;
    addAbsent(model, dialect, weights);
    return weights;
}

} // namespace crosswalk::keras
