#include "core/rewrite/opset/expand_functions.h"

#include "core/base/diagnostic.h"
#include "core/base/unique_names.h"
#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/opset/opset_guards.h"
#include "core/rewrite/rename_ports.h"

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
#include <unordered_set>
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

/// Expands the nodes of a graph. onnx's inliner infers the whole model again for each node whose function body depends
/// on its input types. Each node is therefore expanded in a separate model.
class Expansion {
public:
    /// `model` must have the types of its weights (WeightTypes).
    Expansion(::onnx::ModelProto& model, int from, int to)
        : m_model(model)
        , m_graph(*model.mutable_graph())
        , m_from(from)
        , m_to(to)
        , m_names(usedValueNames(m_graph))
    {
        addInferred(model);
        for (const auto* infos : {&m_graph.input(), &m_graph.output()}) {
            for (const auto& info : *infos) {
                m_types.try_emplace(info.name(), info.type());
            }
        }
        for (const auto& node : m_graph.node()) {
            m_names.take(node.name());
        }
    }

    /// Expands the nodes with one of the operators, and what their bodies consist of. Returns the operators that were
    /// expanded.
    std::set<std::string> run(const std::set<std::string>& operators)
    {
        std::set<std::string> expanded = operators;
        google::protobuf::RepeatedPtrField<::onnx::NodeProto> before;
        before.Swap(m_graph.mutable_node());
        for (auto& node : before) {
            if (node.domain().empty() && operators.contains(node.op_type())) {
                expanded.merge(expand(node));
            } else {
                inferOutputs(node);
                *m_graph.add_node() = std::move(node);
            }
        }
        return expanded;
    }

private:
    /// A model of one node, with what is known of the types of its values.
    ::onnx::ModelProto modelOf(const ::onnx::NodeProto& node) const
    {
        ::onnx::ModelProto single;
        single.set_ir_version(m_model.ir_version());
        *single.mutable_opset_import() = m_model.opset_import();
        for (const auto* values : {&node.input(), &node.output()}) {
            for (const std::string& value : *values) {
                if (const auto type = m_types.find(value); type != m_types.end()) {
                    auto& info = *single.mutable_graph()->add_value_info();
                    info.set_name(value);
                    *info.mutable_type() = type->second;
                }
            }
        }
        *single.mutable_graph()->add_node() = node;
        return single;
    }

    bool areTyped(const google::protobuf::RepeatedPtrField<std::string>& values) const
    {
        return std::ranges::all_of(values, [this](const std::string& value) { return m_types.contains(value); });
    }

    void addInferred(::onnx::ModelProto& model)
    {
        ::onnx::shape_inference::InferShapes(model, &schemas());
        for (const auto& info : model.graph().value_info()) {
            m_types.try_emplace(info.name(), info.type());
        }
    }

    /// Adds the types of the outputs of a node that is not expanded, if they depend on what is: some operators with a
    /// function body have no type inference themselves.
    void inferOutputs(const ::onnx::NodeProto& node)
    {
        if (!hasBody(node) && !areTyped(node.output()) && areTyped(node.input())) {
            ::onnx::ModelProto single = modelOf(node);
            addInferred(single);
        }
    }

    /// Adds what a node consists of. Returns the operators that were expanded.
    std::set<std::string> expand(const ::onnx::NodeProto& node)
    {
        if (!areTyped(node.input())) {
            addInferred(m_model); // with what computes a shape
        }
        ::onnx::ModelProto single = modelOf(node);
        ::onnx::GraphProto& graph = *single.mutable_graph();
        const int own = graph.value_info_size();
        std::set<std::string> expanded;
        std::set<std::string> operators = operatorsToExpand(graph, m_from, m_to);
        while (!operators.empty()) {
            inlineFunctions(single, operators);
            expanded.merge(operators);
            operators = operatorsToExpand(graph, m_from, m_to);
            // Operators that are still present have no function body for these attributes.
            std::erase_if(operators, [&](const std::string& op) { return expanded.contains(op); });
        }
        if (expanded.contains("AffineGrid")) {
            squeezeRanges(graph);
        }
        if (!areTyped(node.output())) {
            addInferred(single);
        }
        renameNewValues(graph, node);
        for (auto& made : *graph.mutable_node()) {
            if (!made.name().empty()) {
                made.set_name(m_names.unique(made.name()));
            }
            *m_graph.add_node() = std::move(made);
        }
        for (int i = own; i < graph.value_info_size(); ++i) {
            *m_graph.add_value_info() = std::move(*graph.mutable_value_info(i));
        }
        return expanded;
    }

    /// The body of AffineGrid has ranges up to vectors of one element. ONNX Runtime refuses them where it infers their
    /// shapes, as for a stored size.
    static void squeezeRanges(::onnx::GraphProto& graph)
    {
        google::protobuf::RepeatedPtrField<::onnx::NodeProto> before;
        before.Swap(graph.mutable_node());
        for (auto& node : before) {
            if (node.op_type() == "Range") {
                std::string& end = *node.mutable_input(1);
                auto& squeeze = *graph.add_node();
                squeeze.set_op_type("Squeeze");
                squeeze.add_input(end);
                end += "_scalar";
                squeeze.add_output(end);
            }
            *graph.add_node() = std::move(node);
        }
    }

    /// Gives names that are unused in the model to the values that a function body adds to those of its node.
    void renameNewValues(::onnx::GraphProto& graph, const ::onnx::NodeProto& node)
    {
        std::unordered_set<std::string> names;
        collectValueNames(graph, names);
        names.erase("");
        for (const auto* values : {&node.input(), &node.output()}) {
            for (const std::string& value : *values) {
                names.erase(value);
            }
        }
        Renames renames;
        for (const std::string& name : std::set(names.begin(), names.end())) { // in an order that is always the same
            renames.emplace(name, m_names.unique(name));
        }
        renameValues(graph, renames);
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
    const WeightTypes weightTypes(*model.mutable_graph());
    const std::set<std::string> expanded = Expansion(model, from, to).run(operators);
    if (std::ranges::any_of(model.graph().node(),
                            [&](const ::onnx::NodeProto& node) { return hasInBodies(node, expanded); })) {
        inlineFunctions(model, expanded);
    }
}

} // namespace crosswalk
