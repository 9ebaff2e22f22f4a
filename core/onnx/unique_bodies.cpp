#include "core/onnx/unique_bodies.h"

#include "core/base/unique_names.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

class BodyRenaming {
public:
    explicit BodyRenaming(UniqueNames used)
        : m_used(std::move(used))
    {
    }

    void renameBodies(NodeProto& node)
    {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                renameBody(*attribute.mutable_g());
            }
            for (auto& body : *attribute.mutable_graphs()) {
                renameBody(body);
            }
        }
    }

private:
    void renameBody(GraphProto& body)
    {
        std::vector<std::pair<std::string, std::string>> around; // the values around that the body's own ones hide
        for (const std::string_view own : ownValues(body)) {
            if (!own.empty()) {
                std::string name(own);
                std::string& current = m_current[name];
                around.emplace_back(name, std::exchange(current, m_used.unique(name)));
            }
        }
        for (auto* infos : {body.mutable_input(), body.mutable_output(), body.mutable_value_info()}) {
            for (auto& info : *infos) {
                rename(*info.mutable_name());
            }
        }
        for (auto& stored : *body.mutable_initializer()) {
            rename(*stored.mutable_name());
        }
        for (auto& stored : *body.mutable_sparse_initializer()) {
            rename(*stored.mutable_values()->mutable_name());
        }
        for (NodeProto& node : *body.mutable_node()) {
            for (auto* names : {node.mutable_input(), node.mutable_output()}) {
                for (std::string& name : *names) {
                    rename(name);
                }
            }
            renameBodies(node);
        }
        for (auto& [name, outer] : around) {
            m_current[name] = std::move(outer);
        }
    }

    void rename(std::string& name) const
    {
        if (const auto found = m_current.find(name); found != m_current.end() && !found->second.empty()) {
            name = found->second;
        }
    }

    UniqueNames m_used;
    std::unordered_map<std::string, std::string> m_current; ///< new names of the values of the open bodies, else empty
};

/// `graph` is a graph or a function.
void renameAll(auto& graph, UniqueNames used)
{
    BodyRenaming renaming(std::move(used));
    for (NodeProto& node : *graph.mutable_node()) {
        renaming.renameBodies(node);
    }
}

} // namespace

void makeBodiesUnique(NodeProto& node)
{
    UniqueNames used;
    forEachCapture(node, [&used](const std::string& name) { used.take(name); });
    BodyRenaming(std::move(used)).renameBodies(node);
}

void makeBodiesUnique(::onnx::FunctionProto& function)
{
    UniqueNames used;
    for (const std::string& input : function.input()) {
        used.take(input);
    }
    for (const NodeProto& node : function.node()) {
        for (const std::string& output : node.output()) {
            used.take(output);
        }
    }
    renameAll(function, std::move(used));
}

void makeBodiesUnique(::onnx::ModelProto& model)
{
    UniqueNames used;
    for (const std::string_view name : ownValues(model.graph())) {
        used.take(std::string(name));
    }
    renameAll(*model.mutable_graph(), std::move(used));
    for (auto& function : *model.mutable_functions()) {
        makeBodiesUnique(function);
    }
}

} // namespace crosswalk
