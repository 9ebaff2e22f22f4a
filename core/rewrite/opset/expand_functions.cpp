#include "core/rewrite/opset/expand_functions.h"

#include "core/onnx/node.h"
#include "core/onnx/schema.h"
#include "core/rewrite/opset/opset_guards.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/inliner/inliner.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <set>

namespace crosswalk {
namespace {

/// From opset 21 on there is a scale a channel, before there was one a group.
bool changesMeaning(const ::onnx::NodeProto& node, int from, int to)
{
    constexpr int change = 21;
    return node.op_type() == "GroupNormalization" && from >= change && to < change;
}

/// Its axes are computed, where older reductions have them written down.
bool needsAxesInput(const ::onnx::NodeProto& node, int to)
{
    constexpr int axesAsInput = 18;
    return node.op_type() == "RMSNormalization" && to < axesAsInput;
}

bool isComposed(const ::onnx::NodeProto& node, int from, int to)
{
    const auto* schema = node.domain().empty() ? ::onnx::OpSchemaRegistry::Schema(node.op_type(), from, "") : nullptr;
    const bool hasForm = schema != nullptr && (schema->HasFunction() || schema->HasContextDependentFunction());
    return hasForm && !isRandom(node.op_type()) && !hasOlderForm(node) && !needsAxesInput(node, to) &&
           (::onnx::OpSchemaRegistry::Schema(node.op_type(), to, "") == nullptr || changesMeaning(node, from, to));
}

/// Says the values that attributes have where nothing is said: a composition that is the same for every node may refer
/// to any.
void stateDefaults(::onnx::NodeProto& node, int opset)
{
    const auto& schema = *::onnx::OpSchemaRegistry::Schema(node.op_type(), opset, "");
    if (!schema.HasFunction()) {
        return;
    }
    for (const auto& [name, attribute] : schema.attributes()) {
        if (attribute.default_value.has_name() && findAttribute(node, name) == nullptr) {
            *node.add_attribute() = attribute.default_value;
        }
    }
}

/// The operators that are to be composed. Their nodes are made ready for it.
std::set<std::string> composedOperators(::onnx::GraphProto& graph, int from, int to)
{
    std::set<std::string> names;
    for (auto& node : *graph.mutable_node()) {
        if (isComposed(node, from, to)) {
            stateDefaults(node, from);
            names.insert(node.op_type());
        }
    }
    return names;
}

/// While it stands the types of stored values are stated too: onnx's inliner looks for them there alone.
class StatedWeights {
public:
    explicit StatedWeights(::onnx::GraphProto& graph)
        : m_infos(*graph.mutable_value_info())
        , m_before(graph.value_info_size())
    {
        for (const auto& stored : graph.initializer()) {
            auto& info = *m_infos.Add();
            info.set_name(stored.name());
            toProto(
                {static_cast<ElementType>(stored.data_type()), shapeOf({stored.dims().begin(), stored.dims().end()})},
                *info.mutable_type());
            m_names.insert(stored.name());
        }
    }
    ~StatedWeights()
    {
        m_infos.erase(std::remove_if(m_infos.begin() + m_before, m_infos.end(),
                                     [this](const auto& info) { return m_names.contains(info.name()); }),
                      m_infos.end());
    }
    StatedWeights(const StatedWeights&) = delete;
    StatedWeights& operator=(const StatedWeights&) = delete;

private:
    google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& m_infos;
    int m_before;
    std::set<std::string> m_names;
};

} // namespace

void expandFunctions(::onnx::ModelProto& whole, int from, int to)
{
    std::set<std::string> younger = composedOperators(*whole.mutable_graph(), from, to);
    if (younger.empty()) {
        return;
    }
    const StatedWeights stated(*whole.mutable_graph());
    std::set<std::string> before;
    while (!younger.empty()) {
        const auto chosen = [&] {
            ::onnx::inliner::FunctionIdVector ids;
            for (const std::string& op : younger) {
                ids.emplace_back("", op);
            }
            return ::onnx::inliner::FunctionIdSet::Create(std::move(ids));
        }();
        ::onnx::inliner::InlineSelectedFunctions(whole, *chosen, ::onnx::OpSchemaRegistry::Instance());
        before.merge(younger);
        younger = composedOperators(*whole.mutable_graph(), from, to);
        // What still stands there has no composition as it is used.
        std::erase_if(younger, [&](const std::string& op) { return before.contains(op); });
    }
}

} // namespace crosswalk
