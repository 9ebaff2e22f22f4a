#include "core/rewrite/rename_ports.h"

#include "core/base/diagnostic.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"

#include <fmt/format.h>
#include <unordered_set>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;

void rename(std::string& name, const Renames& renames)
{
    if (const auto found = renames.find(name); found != renames.end()) {
        name = found->second;
    }
}

} // namespace

void renameValues(GraphProto& graph, const Renames& renames)
{
    for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
        for (auto& info : *infos) {
            rename(*info.mutable_name(), renames);
        }
    }
    for (auto& stored : *graph.mutable_initializer()) {
        rename(*stored.mutable_name(), renames);
    }
    for (auto& stored : *graph.mutable_sparse_initializer()) {
        rename(*stored.mutable_values()->mutable_name(), renames);
    }
    for (auto& annotation : *graph.mutable_quantization_annotation()) {
        rename(*annotation.mutable_tensor_name(), renames);
    }
    for (auto& node : *graph.mutable_node()) {
        for (auto& input : *node.mutable_input()) {
            rename(input, renames);
        }
        for (auto& output : *node.mutable_output()) {
            rename(output, renames);
        }
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                // Names are unique, so a body refers to the same value.
                renameValues(*attribute.mutable_g(), renames);
            }
            for (auto& body : *attribute.mutable_graphs()) {
                renameValues(body, renames);
            }
        }
    }
}

void renamePorts(OnnxModel& model, const Renames& renames)
{
    if (renames.empty()) {
        return;
    }
    GraphProto& graph = *model.proto->mutable_graph();
    std::unordered_set<std::string> ports;
    for (const auto* infos : {&graph.input(), &graph.output()}) {
        for (const auto& info : *infos) {
            ports.insert(info.name());
        }
    }
    std::unordered_set<std::string> names;
    collectValueNames(graph, names);
    for (const auto& [from, to] : renames) {
        if (!ports.contains(from)) {
            throw ModelError("unknown-value", fmt::format("--rename: the model has no input or output '{}'", from));
        }
        names.erase(from);
    }
    for (const auto& [from, to] : renames) {
        if (to.empty() || !names.insert(to).second) {
            throw ModelError("taken-name",
                             to.empty()
                                 ? fmt::format("the new name of {} is empty", from)
                                 : fmt::format("{} cannot be renamed to {}: another value has that name", from, to));
        }
    }
    renameValues(graph, renames);
}

} // namespace crosswalk
