#include "core/onnx/proto_reads.h"

#include "core/onnx/proto.h"

namespace crosswalk {
namespace {

void readsOfBody(const ::onnx::GraphProto& body, const std::function<void(const std::string&)>& use)
{
    std::unordered_set<std::string> inside;
    for (const auto& input : body.input()) {
        inside.insert(input.name());
    }
    for (const auto& stored : body.initializer()) {
        inside.insert(stored.name());
    }
    const auto fromOutside = [&](const std::string& name) {
        if (!inside.contains(name)) {
            use(name);
        }
    };
    for (const auto& inner : body.node()) {
        forEachRead(inner, fromOutside);
        inside.insert(inner.output().begin(), inner.output().end());
    }
    for (const auto& output : body.output()) {
        fromOutside(output.name());
    }
}

} // namespace

void forEachRead(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use)
{
    for (const std::string& input : node.input()) {
        if (!input.empty()) {
            use(input);
        }
    }
    forEachCapture(node, use);
}

void forEachCapture(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use)
{
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) {
            readsOfBody(attribute.g(), use);
        }
        for (const auto& body : attribute.graphs()) {
            readsOfBody(body, use);
        }
    }
}

std::unordered_set<std::string> readValues(const ::onnx::GraphProto& graph)
{
    std::unordered_set<std::string> read;
    for (const auto& node : graph.node()) {
        forEachRead(node, [&](const std::string& name) { read.insert(name); });
    }
    for (const auto& output : graph.output()) {
        read.insert(output.name());
    }
    return read;
}

std::unordered_set<std::string_view> ownValues(const ::onnx::GraphProto& graph)
{
    std::unordered_set<std::string_view> names;
    for (const auto& input : graph.input()) {
        names.insert(input.name());
    }
    for (const auto& stored : graph.initializer()) {
        names.insert(stored.name());
    }
    for (const auto& stored : graph.sparse_initializer()) {
        names.insert(stored.values().name());
    }
    for (const auto& node : graph.node()) {
        names.insert(node.output().begin(), node.output().end());
    }
    return names;
}

void collectValueNames(const ::onnx::GraphProto& graph, std::unordered_set<std::string>& names)
{
    for (const std::string_view name : ownValues(graph)) {
        names.emplace(name);
    }
    for (const auto* infos : {&graph.output(), &graph.value_info()}) {
        for (const auto& info : *infos) {
            names.insert(info.name());
        }
    }
    for (const auto& node : graph.node()) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                collectValueNames(attribute.g(), names);
            }
            for (const auto& body : attribute.graphs()) {
                collectValueNames(body, names);
            }
        }
    }
}

UniqueNames usedValueNames(const ::onnx::GraphProto& graph)
{
    std::unordered_set<std::string> names;
    collectValueNames(graph, names);
    UniqueNames used;
    for (const std::string& name : names) {
        used.take(name);
    }
    return used;
}

} // namespace crosswalk
