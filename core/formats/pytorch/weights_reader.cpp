#include "core/formats/pytorch/weights_reader.h"

#include "core/base/zip_archive.h"
#include "core/formats/file_kind.h"
#include "core/formats/pytorch/json_fields.h"
#include "core/formats/pytorch/legacy_files.h"
#include "core/formats/pytorch/model_facts.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crosswalk::pytorch {
namespace {

using ObjectKind = PickleObject::Kind;

constexpr std::size_t lengthSize = 8; ///< of the length of the JSON header of a safetensors file
constexpr std::string_view picklePath = "data.pkl";

std::uint64_t headerLength(std::span<const std::byte> bytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = lengthSize; i-- > 0;) {
        length = length << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return length;
}

bool startsAsSafetensors(const Probe& probe)
{
    const auto bytes = probe.bytes;
    if (probe.isFolder || bytes.size() <= lengthSize || bytes[lengthSize] != std::byte{'{'}) {
        return false;
    }
    const std::uint64_t length = headerLength(bytes);
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), // NOLINT: bytes as text
                                std::min<std::size_t>(bytes.size(), 4096));
    return length > 1 && length <= bytes.size() - lengthSize && head.find("\"dtype\"") != std::string_view::npos;
}

/// The folder of an archive of torch.save, "archive/"; nothing for any other.
std::optional<std::string> saveFolder(const std::vector<std::string>& members)
{
    std::optional<std::string> folder;
    for (const std::string& member : members) {
        const std::size_t slash = member.find('/');
        if (slash == std::string::npos) {
            continue;
        }
        if (member.substr(slash + 1).starts_with("code/")) {
            return std::nullopt; // TorchScript
        }
        if (member.substr(slash + 1) == picklePath) {
            folder = member.substr(0, slash + 1);
        }
    }
    return folder;
}

/// Adds tensors by their dotted names to a graph, a node for each module.
class WeightGraph {
public:
    void add(const std::string& name, Tensor tensor)
    {
        const std::size_t dot = name.rfind('.');
        const std::string module = dot == std::string::npos ? std::string() : name.substr(0, dot);
        const ValueId value = graph.addValue({.name = name,
                                              .type = TensorType{tensor.type(), shapeOf(tensor.dims())},
                                              .tensor = graph.addTensor(tensor),
                                              .role = Role::Parameter});
        const auto [entry, isNew] = m_nodes.try_emplace(module);
        if (isNew) {
            Node node;
            node.op = "nn.Module";
            node.name = module;
            std::replace(node.name.begin(), node.name.end(), '.', '/');
            entry->second = graph.addNode(std::move(node));
        }
        graph.node(entry->second).inputs.push_back(value);
    }

    Graph graph;
    ModelFacts facts;

private:
    std::map<std::string, NodeId> m_nodes;
};

/// The tensors at any depth of a pickle.
class PickledTensors {
public:
    PickledTensors(WeightGraph& graph, const FindTensor& find)
        : m_graph(graph)
        , m_find(find)
    {
    }

    void addAll(const PickleValue& value, const std::string& path, int depth = 0)
    {
        const PickleObject* object = objectIn(value);
        constexpr int deepest = 200;
        if (object == nullptr || depth > deepest) {
            return;
        }
        const std::string name = path.empty() ? "tensor" : path;
        if (auto tensor = m_find(value, name)) {
            if (m_names.insert(name).second) {
                m_graph.facts.devices.insert(deviceOf(value));
                m_graph.add(name, std::move(*tensor));
            }
            return;
        }
        if (!m_visited.insert(object).second) {
            return; // shared, or part of itself
        }
        if (object->kind == ObjectKind::Tuple || object->kind == ObjectKind::List) {
            for (std::size_t i = 0; i < object->items.size(); ++i) {
                addAll(object->items[i], joined(path, std::to_string(i)), depth + 1);
            }
        }
        for (const auto& [key, item] : entriesOf(value)) {
            addAll(item, joined(path, keyName(key)), depth + 1);
        }
        if (object->kind == ObjectKind::Call) {
            addAll(object->state, path, depth + 1);
        }
    }

private:
    /// A module keeps its parts in dictionaries of these names.
    static std::string joined(const std::string& path, const std::string& key)
    {
        if (key == "_parameters" || key == "_buffers" || key == "_modules") {
            return path;
        }
        return path.empty() ? key : path + "." + key;
    }

    static std::string keyName(const PickleValue& key)
    {
        if (const auto* text = std::get_if<std::string>(&key)) {
            return *text;
        }
        const auto* number = std::get_if<std::int64_t>(&key);
        return number != nullptr ? std::to_string(*number) : "?";
    }

    WeightGraph& m_graph;
    const FindTensor& m_find;
    std::set<std::string> m_names;
    std::set<const PickleObject*> m_visited;
};

/// The object of an archive of torch.save since PyTorch 1.6.
SavedObject readSavedArchive(const ModelSource& source, const std::string& folder)
{
    const auto bytes = source.open(folder + std::string(picklePath));
    SavedObject saved{.pickle = readPickle(bytes->bytes(), bytes->name()), .tensor = {}};
    saved.tensor = [&source, folder](const PickleValue& value, std::string_view name) {
        const OpenStorage open = [&](const std::string& key) {
            const std::string member = folder + "data/" + key;
            if (!source.contains(member)) {
                throw ModelError("damaged", fmt::format("the archive has no storage {}", member));
            }
            return source.open(member);
        };
        return tensorIn(value, open, name);
    };
    return saved;
}

/// The qualified name of a pickled class, "mynet.Net"; empty for the classes of containers and tensors. Streams store
/// the classes of modules with their source.
std::string className(const PickleValue& root)
{
    const PickleObject* call = objectIn(root, ObjectKind::Call);
    const PickleObject* type = call != nullptr && !call->items.empty() ? objectIn(call->items[0]) : nullptr;
    if (type != nullptr && type->kind == ObjectKind::Persistent) {
        const PickleObject* entry = objectIn(type->items[0], ObjectKind::Tuple);
        type = entry != nullptr && entry->items.size() > 1 ? objectIn(entry->items[1]) : nullptr;
    }
    if (type == nullptr || type->kind != ObjectKind::Global || type->name.starts_with("collections ") ||
        type->name.starts_with("torch._utils ")) {
        return {};
    }
    std::string name = type->name;
    std::replace(name.begin(), name.end(), ' ', '.');
    return name;
}

Graph weightGraph(const SavedObject& saved)
{
    WeightGraph made;
    PickledTensors(made, saved.tensor).addAll(saved.pickle.root, {});
    if (!saved.pickle.globals.empty()) {
        made.graph.metadata["globals"] = fmt::format("{}", fmt::join(saved.pickle.globals, ", "));
    }
    if (std::string type = className(saved.pickle.root); !type.empty()) {
        made.graph.metadata["class"] = std::move(type);
    }
    made.graph.producer = "PyTorch (weights)";
    made.facts.addTo(made.graph);
    return std::move(made.graph);
}

ElementType safetensorsType(std::string_view name)
{
    using enum ElementType;
    static constexpr auto rows = std::to_array<std::pair<std::string_view, ElementType>>({
        {"F64", Float64},
        {"F32", Float32},
        {"F16", Float16},
        {"BF16", BFloat16},
        {"F8_E4M3", Float8E4M3FN},
        {"F8_E5M2", Float8E5M2},
        {"I64", Int64},
        {"I32", Int32},
        {"I16", Int16},
        {"I8", Int8},
        {"U64", UInt64},
        {"U32", UInt32},
        {"U16", UInt16},
        {"U8", UInt8},
        {"BOOL", Bool},
    });
    const auto* found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == name; });
    return found != rows.end() ? found->second : Undefined;
}

Graph readSafetensors(const SourceFile& file)
{
    const std::uint64_t length = headerLength(file.bytes());
    const std::uint64_t begin = lengthSize + length;
    const auto json = parseJson(*file.part(file.name(), lengthSize, length));
    WeightGraph made;
    for (const auto [key, value] : objectOf(json->root, "the header")) {
        const std::string name(key);
        const JsonObject entry = objectOf(value, name);
        if (name == "__metadata__") {
            for (const auto [label, text] : entry) {
                made.graph.metadata[std::string(label)] = std::string(textOf(text, label));
            }
            continue;
        }
        StridedView view;
        view.type = safetensorsType(textOf(field(entry, "dtype", name), name));
        if (view.type == ElementType::Undefined) {
            throw ModelError("damaged", fmt::format("tensor {} has the element type {}, which is not known", name,
                                                    textOf(field(entry, "dtype", name), name)));
        }
        for (const JsonValue size : arrayOf(field(entry, "shape", name), name)) {
            view.sizes.push_back(integerOf(size, name));
        }
        view.strides.resize(view.sizes.size(), 1);
        for (std::size_t i = view.sizes.size(); i-- > 1;) {
            if (__builtin_mul_overflow(view.strides[i], view.sizes[i], &view.strides[i - 1])) {
                throw ModelError("damaged", fmt::format("the shape of tensor {} overflows", name));
            }
        }
        Ints offsets;
        for (const JsonValue offset : arrayOf(field(entry, "data_offsets", name), name)) {
            offsets.push_back(integerOf(offset, name));
        }
        const bool isInside = offsets.size() == 2 && 0 <= offsets[0] && offsets[0] <= offsets[1] &&
                              static_cast<std::uint64_t>(offsets[1]) <= file.size() - begin;
        if (!isInside) {
            throw ModelError("damaged", fmt::format("the offsets of tensor {} leave the file", name));
        }
        made.add(name, stridedTensor(view,
                                     file.part(name, begin + static_cast<std::uint64_t>(offsets[0]),
                                               static_cast<std::uint64_t>(offsets[1] - offsets[0])),
                                     name));
    }
    made.graph.producer = "safetensors";
    return std::move(made.graph);
}

} // namespace

Match matchWeights(const Probe& probe)
{
    const bool isKnown = saveFolder(probe.members) || startsAsSafetensors(probe) ||
                         (!probe.isFolder && (isSavedStream(headOf(probe)) || isSavedTar(headOf(probe))));
    return isKnown ? Match::ByContent : Match::No;
}

LoadedModel readWeights(const ReadRequest& request, const ModelSource& source)
{
    const Probe probe(source);
    const auto folder = saveFolder(probe.members);
    Graph graph = folder                         ? weightGraph(readSavedArchive(source, *folder))
                  : isSavedStream(headOf(probe)) ? weightGraph(readSavedStream(source.main()))
                  : isSavedTar(headOf(probe))    ? weightGraph(readSavedTar(source.main()))
                                                 : readSafetensors(*source.main());
    graph.format = "pytorch";
    graph.budget = source.budget(0);
    LoadedModel model;
    model.path = request.model;
    model.graph = std::make_shared<const Graph>(std::move(graph));
    return model;
}

} // namespace crosswalk::pytorch
