#include "core/convert/kernel_notes.h"

#include "core/convert/source_names.h"
#include "core/graph/attributes.h"
#include "core/onnx/experimental_operators.h"
#include "core/onnx/missing_kernels.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/transposed_products.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace crosswalk {
namespace {

/// Whether an index along the axis selects more than one element.
bool gathersRows(const std::optional<Shape>& shape, std::int64_t axis)
{
    if (!shape) {
        return false; // unknown
    }
    const auto rank = static_cast<std::int64_t>(shape->size());
    const std::int64_t after = (axis < 0 ? axis + rank : axis) + 1;
    return after > 0 && after <= rank &&
           std::any_of(shape->begin() + after, shape->end(), [](const Dim& dim) { return dim != Dim(1); });
}

/// Removes the entries with these keys.
template <typename Table>
std::vector<typename Table::node_type> extracted(Table& table, const std::unordered_set<std::string_view>& keys)
{
    std::vector<typename Table::node_type> entries;
    for (const std::string_view key : keys) {
        if (auto entry = table.extract(key)) {
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

/// Replaces the entries with these keys by what extracted() removed.
template <typename Table>
void restore(Table& table, const std::unordered_set<std::string_view>& keys,
             std::vector<typename Table::node_type> entries)
{
    for (const std::string_view key : keys) {
        table.erase(key);
    }
    for (auto& entry : entries) {
        table.insert(std::move(entry));
    }
}

class KernelSearch {
public:
    KernelSearch(const Graph& source, Conversion& conversion)
        : m_graph(source)
        , m_conversion(conversion)
        , m_opset(conversion.opset)
    {
    }

    void run()
    {
        reportVersions();
        if (m_conversion.model.parts() != nullptr) {
            searchSource();
            return;
        }
        const auto& graph = m_conversion.model.whole().proto->graph();
        addTypes(graph);
        addInferred();
        for (int i = 0; i < graph.node_size(); ++i) {
            const auto& sources = m_conversion.sources;
            const auto place = static_cast<std::size_t>(i);
            m_source = place < sources.size() && !sources[place].empty() ? std::optional(sources[place].front())
                                                                         : std::nullopt;
            search(graph.node(i));
        }
    }

private:
    /// Files of a newer release of ONNX, which conversions do not write.
    void reportVersions()
    {
        const ::onnx::ModelProto& model = m_conversion.model.frame();
        const auto expect = [&](std::string_view what, std::int64_t version, std::int64_t newest,
                                std::string hint = {}) {
            if (version > newest) {
                m_conversion.problems.push_back(
                    {.severity = Severity::Warning,
                     .code = "newer-version",
                     .message = fmt::format("{} {} is newer than {}, the newest that ONNX Runtime {} loads", what,
                                            version, newest, testedRuntime),
                     .hint = std::move(hint)});
            }
        };
        expect("IR version", model.ir_version(), newestRunIrVersion);
        for (const auto& import : model.opset_import()) {
            if (isOnnxDomain(import.domain())) {
                expect("opset", import.version(), newestOpset,
                       fmt::format("convert the model with --opset {}", newestOpset));
            } else if (import.domain() == "ai.onnx.ml") {
                expect("ai.onnx.ml", import.version(), domainVersion(import.domain(), newestOpset));
            }
        }
    }

    /// The nodes of a model that stays in its file are those of the source.
    void searchSource()
    {
        for (const ValueId output : m_graph.outputs) {
            m_outputs.insert(m_graph.value(output).name);
        }
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const Node& node = m_graph.node(NodeId{i});
            m_source = NodeId{i};
            const auto typeOfOperand = [&](int operand) {
                const ValueIds& values = operand < 0 ? node.outputs : node.inputs;
                const auto place = static_cast<std::size_t>(std::max(operand, 0));
                const ValueId value = place < values.size() ? values[place] : ValueId();
                return value ? m_conversion.valueTypes[value.index].element : ElementType::Undefined;
            };
            const auto gathersRows = [&] {
                return crosswalk::gathersRows(m_conversion.valueTypes[node.inputs[0].index].shape,
                                              intOf(node, "axis", 0));
            };
            check(node.op, node.domain, node.name, typeOfOperand, gathersRows);
            if (node.domain.empty() && !node.outputs.empty() && m_products.isPart(node.op)) {
                const auto* order = attributeOf<Ints>(node, "perm");
                const std::string_view result = m_graph.value(node.outputs[0]).name;
                reportProduct(node.name, m_products.add(node.op, operandsOf(node), result, m_outputs.contains(result),
                                                        order != nullptr ? std::optional(*order) : std::nullopt));
            }
        }
    }

    std::vector<TransposedProducts::Operand> operandsOf(const Node& node) const
    {
        std::vector<TransposedProducts::Operand> operands;
        for (const ValueId id : node.inputs) {
            if (id) {
                const Value& value = m_graph.value(id);
                operands.push_back({value.name, m_conversion.valueTypes[id.index], bool(value.tensor)});
            }
        }
        return operands;
    }

    std::vector<TransposedProducts::Operand> operandsOf(const ::onnx::NodeProto& node)
    {
        std::vector<TransposedProducts::Operand> operands;
        for (int i = 0; i < node.input_size(); ++i) {
            const auto weight = m_weights.find(node.input(i));
            const bool isStored = weight != m_weights.end();
            auto shape = isStored ? std::optional(crosswalk::shapeOf(
                                        Ints(weight->second->dims().begin(), weight->second->dims().end())))
                                  : shapeOf(node.input(i));
            operands.push_back({node.input(i), {typeOf(node, i), std::move(shape)}, isStored});
        }
        return operands;
    }

    /// Conversions avoid such products, but files contain them.
    void reportProduct(const std::string& name, const std::optional<TransposedProducts::Finding>& found)
    {
        if (!found) {
            return;
        }
        const std::string_view operand = found->transposed == 0 ? "first" : "second";
        report("MatMul", name, ElementType::Undefined,
               found->fault == ProductFault::Crashes
                   ? fmt::format("ONNX Runtime {} crashes when it loads this product, because its {} operand is "
                                 "transposed and cast",
                                 testedRuntime, operand)
                   : fmt::format("ONNX Runtime {} computes this product as if its {} operand were not transposed",
                                 testedRuntime, operand),
               "--optimize replaces it by an equal product that ONNX Runtime computes");
    }

    /// An ONNX source rarely declares the types of intermediate values.
    void addInferred()
    {
        for (std::size_t i = 0; i < m_conversion.valueNames.size(); ++i) {
            if (!m_conversion.valueNames[i].empty()) {
                m_types.emplace(m_conversion.valueNames[i], m_conversion.valueTypes[i].element);
            }
        }
    }

    void addTypes(const ::onnx::GraphProto& graph)
    {
        for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()}) {
            for (const auto& value : *values) {
                m_types[value.name()] = static_cast<ElementType>(value.type().tensor_type().elem_type());
            }
        }
        for (const auto& output : graph.output()) {
            m_outputs.insert(output.name());
        }
        for (const auto& weight : graph.initializer()) {
            m_types[weight.name()] = static_cast<ElementType>(weight.data_type());
            m_weights[weight.name()] = &weight;
        }
    }

    /// As far as the conversion knows it.
    std::optional<Shape> shapeOf(const std::string& name)
    {
        if (m_values.empty()) { // takes time, and few models need it
            for (std::size_t i = 0; i < m_conversion.valueNames.size(); ++i) {
                if (!m_conversion.valueNames[i].empty()) {
                    m_values.emplace(m_conversion.valueNames[i], i);
                }
            }
        }
        const auto found = m_values.find(name);
        return found != m_values.end() ? m_conversion.valueTypes[found->second].shape : std::nullopt;
    }

    ElementType typeOf(const ::onnx::NodeProto& node, int operand) const
    {
        const auto& names = operand < 0 ? node.output() : node.input();
        const int place = std::max(operand, 0);
        const auto found = place < names.size() ? m_types.find(names[place]) : m_types.end();
        return found != m_types.end() ? found->second : ElementType::Undefined;
    }

    void search(const ::onnx::NodeProto& node)
    {
        const auto gathersRows = [&] {
            const auto axis = std::ranges::find(node.attribute(), "axis", &::onnx::AttributeProto::name);
            return crosswalk::gathersRows(shapeOf(node.input(0)), axis != node.attribute().end() ? axis->i() : 0);
        };
        check(
            node.op_type(), node.domain(), node.name(), [&](int operand) { return typeOf(node, operand); },
            gathersRows);
        if (node.domain().empty() && node.output_size() > 0 && m_products.isPart(node.op_type())) {
            const auto order = std::ranges::find(node.attribute(), "perm", &::onnx::AttributeProto::name);
            reportProduct(node.name(),
                          m_products.add(node.op_type(), operandsOf(node), node.output(0),
                                         m_outputs.contains(node.output(0)),
                                         order != node.attribute().end()
                                             ? std::optional(Ints(order->ints().begin(), order->ints().end()))
                                             : std::nullopt));
        }
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                searchBody(attribute.g());
            }
        }
    }

    /// Other bodies, and the graph after this node, can have values of the same names.
    void searchBody(const ::onnx::GraphProto& body)
    {
        const std::unordered_set<std::string_view> own = ownValues(body);
        auto types = extracted(m_types, own);
        auto weights = extracted(m_weights, own);
        TransposedProducts products = std::exchange(m_products, {});
        addTypes(body);
        for (const auto& inner : body.node()) {
            search(inner);
        }
        m_products = std::move(products);
        restore(m_types, own, std::move(types));
        restore(m_weights, own, std::move(weights));
    }

    void check(const std::string& op, const std::string& domain, const std::string& name,
               const std::function<ElementType(int operand)>& typeOfOperand, const std::function<bool()>& gathersRows)
    {
        if (isExperimental(op, domain)) {
            if (!runsExperimental(op, m_opset)) {
                report(op, name, ElementType::Undefined,
                       fmt::format("{} was an experimental operator of ONNX's first releases: ONNX Runtime {} does not "
                                   "implement it for opset {} and cannot run the model",
                                   op, testedRuntime, m_opset));
            }
        } else if (domain.empty()) {
            if (const auto type = typeWithoutKernel(op, m_opset, typeOfOperand)) {
                report(op, name, *type,
                       fmt::format("ONNX Runtime {} does not implement {} of opset {} for {} and cannot run the model",
                                   testedRuntime, op, m_opset, elementTypeName(*type)));
            } else if (op == "Gather" && typeOfOperand(0) == ElementType::String && gathersRows()) {
                report(op, name, ElementType::String,
                       fmt::format("Gather in ONNX Runtime {} copies only the first string of each row that it selects "
                                   "and leaves the others empty",
                                   testedRuntime));
            }
        }
    }

    void report(const std::string& op, const std::string& name, ElementType type, std::string message,
                std::string hint = {})
    {
        if (!m_reported.emplace(m_source.value_or(NodeId{}), op, type).second) {
            return;
        }
        Diagnostic problem{
            .severity = Severity::Warning, .code = "no-kernel", .message = std::move(message), .hint = std::move(hint)};
        if (m_source) {
            if (!m_names) { // takes time, and most models have no such node
                m_names.emplace(m_graph);
            }
            m_names->locate(problem, {{}, *m_source});
        } else {
            problem.node = name;
        }
        m_conversion.problems.push_back(std::move(problem));
    }

    const Graph& m_graph;
    std::optional<SourceNames> m_names;
    Conversion& m_conversion;
    int m_opset;
    std::optional<NodeId> m_source;                            ///< of the current node
    std::unordered_map<std::string_view, ElementType> m_types; ///< by value
    std::unordered_map<std::string_view, const ::onnx::TensorProto*> m_weights;
    std::unordered_map<std::string_view, std::size_t> m_values; ///< the places of the source's values; empty until read
    std::unordered_set<std::string_view> m_outputs;             ///< of the graphs of the model
    TransposedProducts m_products;                              ///< of the current graph
    std::set<std::tuple<NodeId, std::string, ElementType>> m_reported;
};

} // namespace

void addKernelNotes(const Graph& source, Conversion& conversion)
{
    KernelSearch(source, conversion).run();
}

} // namespace crosswalk
