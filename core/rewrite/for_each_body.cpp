#include "core/rewrite/for_each_body.h"

#include "core/onnx/proto.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {
namespace {

/// Adds the types that a body states, and restores those of the same names when it is destroyed.
class BodyTypes {
public:
    BodyTypes(ValueTypes& types, const ::onnx::GraphProto& body)
        : m_types(types)
    {
        for (const auto* infos : {&body.input(), &body.value_info(), &body.output()}) {
            for (const auto& info : *infos) {
                const auto [entry, isNew] = m_types.try_emplace(info.name());
                m_hidden.emplace_back(info.name(), isNew ? std::nullopt : std::optional(entry->second));
                entry->second = fromProto(info.type());
            }
        }
    }
    ~BodyTypes()
    {
        for (auto hidden = m_hidden.rbegin(); hidden != m_hidden.rend(); ++hidden) {
            if (hidden->second) {
                m_types[hidden->first] = *hidden->second;
            } else {
                m_types.erase(hidden->first);
            }
        }
    }
    BodyTypes(const BodyTypes&) = delete;
    BodyTypes& operator=(const BodyTypes&) = delete;

private:
    ValueTypes& m_types;
    std::vector<std::pair<std::string, std::optional<TensorType>>> m_hidden;
};

void visitBodies(RewrittenModel model, ::onnx::GraphProto& graph,
                 const std::function<void(const RewrittenModel& body)>& pass)
{
    for (auto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                model.body = attribute.mutable_g();
                const BodyTypes types(model.types, *model.body);
                pass(model);
                visitBodies(model, *attribute.mutable_g(), pass);
            }
        }
    }
}

} // namespace

void forEachBody(RewrittenModel model, const std::function<void(const RewrittenModel& body)>& pass)
{
    visitBodies(model, *model.model.proto->mutable_graph(), pass);
}

} // namespace crosswalk
