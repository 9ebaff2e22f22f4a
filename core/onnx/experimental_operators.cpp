#include "core/onnx/experimental_operators.h"

#include "core/onnx/schema.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

using Nodes = ::google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

constexpr const char* domainOfRenamed = "crosswalk.experimental";

const ::onnx::NodeProto* find(const Nodes& nodes)
{
    for (const auto& node : nodes) {
        if (isExperimental(node.op_type(), node.domain())) {
            return &node;
        }
        for (const auto& attribute : node.attribute()) {
            const auto* found = find(attribute.g().node());
            for (auto graph = attribute.graphs().begin(); found == nullptr && graph != attribute.graphs().end();
                 ++graph) {
                found = find(graph->node());
            }
            if (found != nullptr) {
                return found;
            }
        }
    }
    return nullptr;
}

void rename(Nodes& nodes)
{
    for (auto& node : nodes) {
        if (isExperimental(node.op_type(), node.domain())) {
            node.set_domain(domainOfRenamed);
        }
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                rename(*attribute.mutable_g()->mutable_node());
            }
            for (auto& graph : *attribute.mutable_graphs()) {
                rename(*graph.mutable_node());
            }
        }
    }
}

/// `scope` is a model or a function.
template <typename Scope>
void importRenamed(Scope& scope)
{
    auto& import = *scope.add_opset_import();
    import.set_domain(domainOfRenamed);
    import.set_version(1);
}

} // namespace

bool isExperimental(const std::string& op, const std::string& domain)
{
    ::onnx::NodeProto node;
    node.set_op_type(op);
    node.set_domain(domain);
    return ::onnx::checker::check_is_experimental_op(node);
}

bool runsExperimental(std::string_view op, int opset)
{
    constexpr int firstWithout = 10;
    constexpr std::array<std::string_view, 7> kept{
        "Affine", "Crop", "DynamicSlice", "ImageScaler", "ParametricSoftplus", "Scale", "ScaledTanh"};
    return opset < firstWithout && std::ranges::find(kept, op) != kept.end();
}

const ::onnx::NodeProto* findExperimental(const ::onnx::ModelProto& model)
{
    const auto* found = find(model.graph().node());
    for (auto function = model.functions().begin(); found == nullptr && function != model.functions().end();
         ++function) {
        found = find(function->node());
    }
    return found;
}

void renameExperimental(::onnx::ModelProto& model)
{
    rename(*model.mutable_graph()->mutable_node());
    importRenamed(model);
    for (auto& function : *model.mutable_functions()) {
        rename(*function.mutable_node());
        importRenamed(function);
    }
}

} // namespace crosswalk
