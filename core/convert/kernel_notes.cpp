#include "core/convert/kernel_notes.h"

#include "core/convert/source_names.h"
#include "core/onnx/experimental_operators.h"
#include "core/onnx/missing_kernels.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"

#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace crosswalk {
namespace {

class KernelSearch {
public:
    KernelSearch(const Graph& source, Conversion& conversion)
        : m_graph(source)
        , m_conversion(conversion)
        , m_opset(opsetOf(conversion.model.frame()))
    {
    }

    void run()
    {
        const auto& graph = m_conversion.model.whole().proto->graph();
        addTypes(graph);
        for (int i = 0; i < graph.node_size(); ++i) {
            const auto& sources = m_conversion.sources;
            const auto place = static_cast<std::size_t>(i);
            m_source = place < sources.size() && !sources[place].empty() ? std::optional(sources[place].front())
                                                                         : std::nullopt;
            search(graph.node(i));
        }
    }

private:
    void addTypes(const ::onnx::GraphProto& graph)
    {
        for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()}) {
            for (const auto& value : *values) {
                m_types[value.name()] = static_cast<ElementType>(value.type().tensor_type().elem_type());
            }
        }
        for (const auto& weight : graph.initializer()) {
            m_types[weight.name()] = static_cast<ElementType>(weight.data_type());
        }
    }

    ElementType typeOf(const ::onnx::NodeProto& node, int operand) const
    {
        const auto& names = operand < 0 ? node.output() : node.input();
        const int place = std::max(operand, 0);
        const auto found = place < names.size() ? m_types.find(names[place]) : m_types.end();
        return found != m_types.end() ? found->second : ElementType::Undefined;
    }

    /// The types of all graphs share one table: a body must not reuse the names of the graphs around it.
    void search(const ::onnx::NodeProto& node)
    {
        if (isExperimental(node)) {
            if (!runsExperimental(node.op_type(), m_opset)) {
                report(node, ElementType::Undefined,
                       fmt::format("{} was an experimental operator of ONNX's first releases: ONNX Runtime {} does not "
                                   "implement it for opset {} and cannot run the model",
                                   node.op_type(), testedRuntime, m_opset));
            }
        } else if (node.domain().empty()) {
            const auto type =
                typeWithoutKernel(node.op_type(), m_opset, [&](int operand) { return typeOf(node, operand); });
            if (type) {
                report(node, *type,
                       fmt::format("ONNX Runtime {} does not implement {} of opset {} for {} and cannot run the model",
                                   testedRuntime, node.op_type(), m_opset, elementTypeName(*type)));
            }
        }
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                addTypes(attribute.g());
                for (const auto& inner : attribute.g().node()) {
                    search(inner);
                }
            }
        }
    }

    void report(const ::onnx::NodeProto& node, ElementType type, std::string message)
    {
        if (!m_reported.emplace(m_source.value_or(NodeId{}), node.op_type(), type).second) {
            return;
        }
        Diagnostic problem{.severity = Severity::Warning, .code = "no-kernel", .message = std::move(message)};
        if (m_source) {
            if (!m_names) { // takes time, and most models have no such node
                m_names.emplace(m_graph);
            }
            m_names->locate(problem, {{}, *m_source});
        } else {
            problem.node = node.name();
        }
        m_conversion.problems.push_back(std::move(problem));
    }

    const Graph& m_graph;
    std::optional<SourceNames> m_names;
    Conversion& m_conversion;
    int m_opset;
    std::optional<NodeId> m_source;                            ///< of the current node
    std::unordered_map<std::string_view, ElementType> m_types; ///< by value
    std::set<std::tuple<NodeId, std::string, ElementType>> m_reported;
};

} // namespace

void addKernelNotes(const Graph& source, Conversion& conversion)
{
    KernelSearch(source, conversion).run();
}

} // namespace crosswalk
