#include "core/rewrite/opset/expand_functions.h"

#include "core/base/diagnostic.h"
#include "core/onnx/node.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/opset/opset_guards.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/inliner/inliner.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

/// Since opset 21 the scale is per channel, before that it was per group.
bool changesMeaning(const ::onnx::NodeProto& node, int from, int to)
{
    constexpr int change = 21;
    return node.op_type() == "GroupNormalization" && from >= change && to < change;
}

/// ONNX Runtime has no kernel for it, and expands it only in models of the opset that introduced it.
bool needsOwnOpset(const ::onnx::NodeProto& node)
{
    return node.op_type() == "Swish";
}

bool needsExpansion(const ::onnx::NodeProto& node, int from, int to)
{
    const auto* schema = node.domain().empty() ? schemaOf(node.op_type(), from) : nullptr;
    const bool hasFunction = schema != nullptr && (schema->HasFunction() || schema->HasContextDependentFunction());
    return hasFunction && !isRandom(node.op_type()) && !hasOlderForm(node) &&
           (schemaOf(node.op_type(), to) == nullptr || changesMeaning(node, from, to) || needsOwnOpset(node));
}

/// The function body of Celu computes alpha * Elu(x / alpha), which is the operator only for a positive alpha.
bool hasOtherBody(const ::onnx::NodeProto& node)
{
    const auto* alpha = node.op_type() == "Celu" ? findAttribute(node, "alpha") : nullptr;
    return alpha != nullptr && !(alpha->f() > 0);
}

/// Adds the default values of absent attributes, because a function body may refer to any attribute.
void addDefaults(::onnx::NodeProto& node, int opset)
{
    const auto& schema = *schemaOf(node.op_type(), opset);
    if (!schema.HasFunction()) {
        return;
    }
    for (const auto& [name, attribute] : schema.attributes()) {
        if (attribute.default_value.has_name() && findAttribute(node, name) == nullptr) {
            *node.add_attribute() = attribute.default_value;
        }
    }
}

/// The operators to expand. Adds the defaults of their nodes' attributes.
std::set<std::string> operatorsToExpand(::onnx::GraphProto& graph, int from, int to)
{
    std::set<std::string> names;
    for (auto& node : *graph.mutable_node()) {
        if (needsExpansion(node, from, to)) {
            if (hasOtherBody(node)) {
                throw ModelError({.code = "opset-change",
                                  .message = fmt::format("{} cannot be converted to opset {}: its function body is "
                                                         "another function for alpha = {}",
                                                         node.op_type(), to, findAttribute(node, "alpha")->f()),
                                  .node = node.name(),
                                  .op = node.op_type()});
            }
            addDefaults(node, from);
            names.insert(node.op_type());
        }
    }
    return names;
}

/// Adds the types of initializers and of omitted inputs to value_info during its lifetime. onnx's inliner looks for
/// them only there.
class WeightTypes {
public:
    explicit WeightTypes(::onnx::GraphProto& graph)
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
        m_infos.Add(); // the type of omitted inputs: none
        m_names.insert("");
    }
    ~WeightTypes()
    {
        m_infos.erase(std::remove_if(m_infos.begin() + m_before, m_infos.end(),
                                     [this](const auto& info) { return m_names.contains(info.name()); }),
                      m_infos.end());
    }
    WeightTypes(const WeightTypes&) = delete;
    WeightTypes& operator=(const WeightTypes&) = delete;

private:
    google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& m_infos;
    int m_before;
    std::set<std::string> m_names;
};

} // namespace

void expandFunctions(::onnx::ModelProto& model, int from, int to)
{
    std::set<std::string> operators = operatorsToExpand(*model.mutable_graph(), from, to);
    if (operators.empty()) {
        return;
    }
    const WeightTypes weightTypes(*model.mutable_graph());
    std::set<std::string> before;
    while (!operators.empty()) {
        const auto chosen = [&] {
            ::onnx::inliner::FunctionIdVector ids;
            for (const std::string& op : operators) {
                ids.emplace_back("", op);
            }
            return ::onnx::inliner::FunctionIdSet::Create(std::move(ids));
        }();
        ::onnx::inliner::InlineSelectedFunctions(model, *chosen, &schemas());
        before.merge(operators);
        operators = operatorsToExpand(*model.mutable_graph(), from, to);
        // Operators that are still present have no function body for these attributes.
        std::erase_if(operators, [&](const std::string& op) { return before.contains(op); });
    }
}

} // namespace crosswalk
