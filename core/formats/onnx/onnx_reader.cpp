#include "core/formats/onnx/onnx_reader.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx/function_graphs.h"
#include "core/formats/onnx/original_file.h"
#include "core/formats/onnx/scope_reader.h"
#include "core/onnx/load.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace crosswalk {
namespace {

Graph read(ScopeSource& source, const ::onnx::ModelProto& proto, ScopeOrders* orders)
{
    Graph graph = ScopeReader(source, nullptr, orders).read();
    graph.producer = proto.producer_name();
    graph.version = proto.producer_version();
    graph.irVersion = proto.ir_version();
    graph.opsets = importedOpsets(proto);
    addFunctions(graph, proto);
    for (const auto& entry : proto.metadata_props()) {
        graph.metadata[entry.key()] = entry.value();
    }
    return graph;
}

/// Only pointers move: what refers to a node's content stays valid.
void reorder(::onnx::GraphProto& proto, const std::vector<int>& order)
{
    google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
    std::vector<::onnx::NodeProto*> all(order.size());
    proto.mutable_node()->ExtractSubrange(0, proto.node_size(), all.data());
    for (const int index : order) {
        nodes.AddAllocated(all[static_cast<std::size_t>(index)]);
    }
    proto.mutable_node()->Swap(&nodes);
}

} // namespace

Graph graphOf(const OnnxModel& model)
{
    ProtoScope source(model.proto, model.proto->graph(), &model.weights);
    return read(source, *model.proto, nullptr);
}

Graph graphOf(const Conversion& conversion)
{
    Graph graph = graphOf(conversion.model.whole());
    std::unordered_map<std::string_view, const TensorType*> known;
    for (std::size_t i = 0; i < conversion.valueNames.size(); ++i) {
        known.emplace(conversion.valueNames[i], &conversion.valueTypes[i]);
    }
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        Value& value = graph.value(ValueId{i});
        const auto found = known.find(value.name);
        if (!value.tensor && !value.type.shape && found != known.end()) {
            value.type = *found->second;
        }
    }
    return graph;
}

Graph typedSource(const Graph& source, const Conversion& conversion)
{
    assert(conversion.keepsGraph);
    Graph graph = source;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        Value& value = graph.value(ValueId{i});
        if (!value.tensor && conversion.valueTypes[i].element != ElementType::Undefined) {
            value.type = conversion.valueTypes[i];
        }
    }
    return graph;
}

Graph graphOfFile(const ModelSource& source)
{
    FileIndex index(source);
    const Budget budget = source.budget(source.main()->bytes().size());
    budget.expectNodes(index.nodes().size());
    FileParts parts(source, index);
    FileScope scope(parts);
    ScopeOrders orders;
    Graph graph = read(scope, index.frame(), &orders);
    graph.budget = budget;
    graph.original = std::make_shared<const OriginalFile>(source.detached(), std::move(index), orders.empty());
    return graph;
}

OnnxModel modelOf(const Graph& graph)
{
    const auto original = originalFileOf(graph);
    OnnxModel model = loadOnnx(*original->source);
    if (!original->isSorted) {
        ProtoScope source(model.proto, model.proto->graph(), &model.weights);
        ScopeOrders orders;
        read(source, *model.proto, &orders);
        for (const auto& [proto, order] : orders) {
            reorder(const_cast<::onnx::GraphProto&>(*proto), order); // part of `model`, which is ours
        }
    }
    if (static_cast<std::size_t>(model.proto->graph().node_size()) != graph.nodeCount()) {
        throw ModelError("unreadable", "the file has changed since it was opened", "open it again");
    }
    return model;
}

Match matchOnnx(const Probe& probe)
{
    constexpr std::size_t sniffed = 4096;
    if (looksLikeOnnx(probe.bytes.first(std::min(probe.bytes.size(), sniffed)))) {
        return Match::ByContent;
    }
    return probe.fileName.ends_with(".onnx") && !probe.bytes.empty() ? Match::ByName : Match::No;
}

LoadedModel readOnnx(const ReadRequest& request, const ModelSource& source)
{
    LoadedModel loaded;
    loaded.path = request.model;
    loaded.graph = std::make_shared<const Graph>(graphOfFile(source));
    if (!request.weights.empty()) {
        loaded.problems.push_back(
            {.severity = Severity::Warning,
             .code = "unused-weights",
             .message = "an ONNX file refers to its weights itself: " + request.weights.string() + " is not read"});
    }
    return loaded;
}

} // namespace crosswalk
