#include "core/rewrite/opset/expand_functions.h"

#include "core/base/diagnostic.h"
#include "core/base/unique_names.h"
#include "core/onnx/node.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/opset/opset_guards.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/inliner/inliner.h>
#include <onnx/shape_inference/implementation.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <utility>

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

/// Whether a node of a body, at any depth, has one of the operators.
bool hasInBodies(const ::onnx::NodeProto& node, const std::set<std::string>& operators)
{
    const auto hasAny = [&](const ::onnx::GraphProto& body) {
        return std::ranges::any_of(body.node(), [&](const ::onnx::NodeProto& inner) {
            return (inner.domain().empty() && operators.contains(inner.op_type())) || hasInBodies(inner, operators);
        });
    };
    return std::ranges::any_of(node.attribute(), [&](const ::onnx::AttributeProto& attribute) {
        return (attribute.has_g() && hasAny(attribute.g())) || std::ranges::any_of(attribute.graphs(), hasAny);
    });
}

/// Replaces each of the operators by its function body.
void inlineFunctions(::onnx::ModelProto& model, const std::set<std::string>& operators)
{
    ::onnx::inliner::FunctionIdVector ids;
    for (const std::string& op : operators) {
        ids.emplace_back("", op);
    }
    const auto chosen = ::onnx::inliner::FunctionIdSet::Create(std::move(ids));
    ::onnx::inliner::InlineSelectedFunctions(model, *chosen, &schemas());
}

/// Expands the nodes of a graph one by one. onnx's inliner infers the whole model again for each node whose function
/// body depends on its input types, so that each node gets a model of its own.
class Expansion {
public:
    Expansion(::onnx::ModelProto& model, int from, int to)
        : m_model(model)
        , m_graph(*model.mutable_graph())
        , m_from(from)
        , m_to(to)
    {
        ::onnx::shape_inference::InferShapes(model, &schemas());
        const auto addTypes = [this](const auto& infos) {
            for (const auto& info : infos) {
                m_types.try_emplace(info.name(), info.type());
                m_names.take(info.name());
            }
        };
        addTypes(m_graph.value_info());
        addTypes(m_graph.input());
        addTypes(m_graph.output());
        for (const auto& stored : m_graph.initializer()) {
            auto& type = m_types.try_emplace(stored.name()).first->second;
            toProto(
                {static_cast<ElementType>(stored.data_type()), shapeOf({stored.dims().begin(), stored.dims().end()})},
                type);
            m_names.take(stored.name());
        }
        takeNames(m_graph);
    }

    /// Expands the nodes with one of the operators, and what their bodies consist of. Returns the operators that were
    /// expanded.
    std::set<std::string> run(const std::set<std::string>& operators)
    {
        std::set<std::string> all = operators;
        google::protobuf::RepeatedPtrField<::onnx::NodeProto> before;
        before.Swap(m_graph.mutable_node());
        for (auto& node : before) {
            if (node.domain().empty() && operators.contains(node.op_type())) {
                expand(node, all);
            } else {
                inferOutputs(node);
                *m_graph.add_node() = std::move(node);
            }
        }
        return all;
    }

private:
    using Renamed = std::unordered_map<std::string, std::string>;

    /// All names, also those inside bodies, which must not be equal to those around them.
    void takeNames(const ::onnx::GraphProto& graph)
    {
        for (const auto& input : graph.input()) {
            m_names.take(input.name());
        }
        for (const auto& stored : graph.initializer()) {
            m_names.take(stored.name());
        }
        for (const auto& node : graph.node()) {
            m_names.take(node.name());
            for (const auto* values : {&node.input(), &node.output()}) {
                for (const std::string& value : *values) {
                    m_names.take(value);
                }
            }
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) {
                    takeNames(attribute.g());
                }
            }
        }
    }

    /// A model of one node, with what is known of the types of its values.
    ::onnx::ModelProto modelOf(const ::onnx::NodeProto& node) const
    {
        ::onnx::ModelProto single;
        single.set_ir_version(m_model.ir_version());
        *single.mutable_opset_import() = m_model.opset_import();
        for (const auto* values : {&node.input(), &node.output()}) {
            for (const std::string& value : *values) {
                const auto type = m_types.find(value);
                if (value.empty() || type != m_types.end()) { // an omitted input has no type
                    auto& info = *single.mutable_graph()->add_value_info();
                    info.set_name(value);
                    *info.mutable_type() = value.empty() ? ::onnx::TypeProto() : type->second;
                }
            }
        }
        *single.mutable_graph()->add_node() = node;
        return single;
    }

    bool isTyped(const std::string& value) const { return value.empty() || m_types.contains(value); }

    /// Adds the types of the outputs of a node whose inputs depend on what is expanded: some operators that are
    /// expanded have no type inference themselves.
    void inferOutputs(const ::onnx::NodeProto& node)
    {
        const auto areTyped = [this](const auto& values) {
            return std::ranges::all_of(values, [this](const std::string& value) { return isTyped(value); });
        };
        if (!hasBody(node) && !areTyped(node.output()) && areTyped(node.input())) {
            ::onnx::ModelProto single = modelOf(node);
            addInferred(single);
        }
    }

    void addInferred(::onnx::ModelProto& single)
    {
        ::onnx::shape_inference::InferShapes(single, &schemas());
        for (const auto& info : single.graph().value_info()) {
            m_types.try_emplace(info.name(), info.type());
        }
    }

    void expand(const ::onnx::NodeProto& node, std::set<std::string>& all)
    {
        if (!std::ranges::all_of(node.input(), [this](const std::string& input) { return isTyped(input); })) {
            ::onnx::shape_inference::InferShapes(m_model, &schemas()); // with what computes a shape
            for (const auto& info : m_graph.value_info()) {
                m_types.try_emplace(info.name(), info.type());
            }
        }
        Renamed names{{"", ""}}; // the name of omitted inputs
        for (const auto* values : {&node.input(), &node.output()}) {
            for (const std::string& value : *values) {
                names.emplace(value, value);
            }
        }
        ::onnx::ModelProto single = modelOf(node);
        const int own = single.graph().value_info_size();
        std::set<std::string> done;
        for (std::set<std::string> operators = operatorsToExpand(*single.mutable_graph(), m_from, m_to);
             !operators.empty(); operators = operatorsToExpand(*single.mutable_graph(), m_from, m_to)) {
            inlineFunctions(single, operators);
            done.merge(operators);
            // Operators that are still present have no function body for these attributes.
            if (std::ranges::all_of(operatorsToExpand(*single.mutable_graph(), m_from, m_to),
                                    [&](const std::string& op) { return done.contains(op); })) {
                break;
            }
        }
        all.merge(done);
        if (!std::ranges::all_of(node.output(), [this](const std::string& output) { return isTyped(output); })) {
            addInferred(single);
        }
        rename(*single.mutable_graph(), names);
        for (auto& made : *single.mutable_graph()->mutable_node()) {
            *m_graph.add_node() = std::move(made);
        }
        for (int i = own; i < single.graph().value_info_size(); ++i) {
            *m_graph.add_value_info() = std::move(*single.mutable_graph()->mutable_value_info(i));
        }
    }

    /// The new name of what a function body computes.
    const std::string& renamed(const std::string& name, Renamed& names)
    {
        const auto [entry, isNew] = names.try_emplace(name);
        if (isNew) {
            entry->second = m_names.unique(name);
        }
        return entry->second;
    }

    void rename(::onnx::GraphProto& graph, Renamed& names)
    {
        const auto renameEach = [&](auto& named) {
            for (auto& each : named) {
                each.set_name(renamed(each.name(), names));
            }
        };
        renameEach(*graph.mutable_input());
        renameEach(*graph.mutable_initializer());
        for (auto& node : *graph.mutable_node()) {
            if (!node.name().empty()) {
                node.set_name(m_names.unique(node.name()));
            }
            for (auto* values : {node.mutable_input(), node.mutable_output()}) {
                for (std::string& value : *values) {
                    value = renamed(value, names);
                }
            }
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g()) {
                    rename(*attribute.mutable_g(), names);
                }
            }
        }
        renameEach(*graph.mutable_output());
        renameEach(*graph.mutable_value_info());
    }

    ::onnx::ModelProto& m_model;
    ::onnx::GraphProto& m_graph;
    int m_from;
    int m_to;
    std::unordered_map<std::string, ::onnx::TypeProto> m_types;
    UniqueNames m_names;
};

} // namespace

void expandFunctions(::onnx::ModelProto& model, int from, int to)
{
    const std::set<std::string> operators = operatorsToExpand(*model.mutable_graph(), from, to);
    if (operators.empty()) {
        return;
    }
    const std::set<std::string> expanded = Expansion(model, from, to).run(operators);
    if (std::ranges::any_of(model.graph().node(),
                            [&](const ::onnx::NodeProto& node) { return hasInBodies(node, expanded); })) {
        inlineFunctions(model, expanded);
    }
}

} // namespace crosswalk
