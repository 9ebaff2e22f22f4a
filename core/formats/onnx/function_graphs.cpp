#include "core/formats/onnx/function_graphs.h"

#include "core/formats/onnx/scope_reader.h"

#include <map>
#include <memory>
#include <string_view>

namespace crosswalk {
namespace {

using Defaults = std::map<std::string_view, const ::onnx::AttributeProto*>;

/// Gives attributes that refer to an attribute of the function its default value, or no type if it has none.
void setDefaults(google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, const Defaults& defaults)
{
    for (auto& node : nodes) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                setDefaults(*attribute.mutable_g()->mutable_node(), defaults);
            }
            for (auto& body : *attribute.mutable_graphs()) {
                setDefaults(*body.mutable_node(), defaults);
            }
            if (attribute.ref_attr_name().empty()) {
                continue;
            }
            const std::string name = attribute.name();
            const std::string reference = attribute.ref_attr_name();
            const auto value = defaults.find(reference);
            attribute = value != defaults.end() ? *value->second : ::onnx::AttributeProto();
            attribute.set_name(name);
            attribute.set_ref_attr_name(reference);
        }
    }
}

/// A function has no weights, and does not state types.
::onnx::GraphProto bodyOf(const ::onnx::FunctionProto& function)
{
    ::onnx::GraphProto graph;
    graph.set_name(function.name());
    for (const std::string& input : function.input()) {
        graph.add_input()->set_name(input);
    }
    for (const std::string& output : function.output()) {
        graph.add_output()->set_name(output);
    }
    *graph.mutable_node() = function.node();
    *graph.mutable_value_info() = function.value_info();
    Defaults defaults;
    for (const auto& attribute : function.attribute_proto()) {
        defaults.emplace(attribute.name(), &attribute);
    }
    setDefaults(*graph.mutable_node(), defaults);
    return graph;
}

std::string nameOf(const ::onnx::FunctionProto& function)
{
    std::string name = function.domain().empty() ? function.name() : function.domain() + "." + function.name();
    return function.overload().empty() ? name : name + ":" + function.overload();
}

} // namespace

void addFunctions(Graph& graph, const ::onnx::ModelProto& model)
{
    for (const auto& function : model.functions()) {
        const auto proto = std::make_shared<const ::onnx::GraphProto>(bodyOf(function));
        ProtoScope source(proto, *proto, nullptr);
        Graph body = ScopeReader(source, nullptr, nullptr).read();
        body.opsets = importedOpsets(function);
        graph.functions.push_back(
            {nameOf(function), graph.addSubgraph(std::make_shared<const Graph>(std::move(body)))});
    }
}

} // namespace crosswalk
