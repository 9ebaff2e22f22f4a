#include "core/onnx/structure_check.h"

#include "core/onnx/proto.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace crosswalk {
namespace {

using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;

using Name = std::tuple<std::string_view, std::string_view, std::string_view>;

class StructureCheck {
public:
    explicit StructureCheck(const ::onnx::ModelProto& model)
        : m_model(model)
    {
        for (const FunctionProto& function : model.functions()) {
            m_functions.emplace(Name(function.domain(), function.name(), function.overload()), &function);
        }
    }

    std::optional<std::string> error()
    {
        for (const FunctionProto& function : m_model.functions()) {
            expectOutputs(function);
            search(function.node());
        }
        search(m_model.graph().node());
        return m_error;
    }

private:
    using Nodes = ::google::protobuf::RepeatedPtrField<NodeProto>;

    /// Keeps the first.
    void fail(std::string why)
    {
        if (!m_error) {
            m_error = std::move(why);
        }
    }

    void search(const Nodes& nodes)
    {
        for (const NodeProto& node : nodes) {
            const auto called = m_functions.find(Name(node.domain(), node.op_type(), node.overload()));
            if (called != m_functions.end()) {
                expectCall(node, *called->second);
            } else if (node.domain().empty() && node.op_type() == "Scan") {
                expectScan(node);
            }
            for (const AttributeProto& attribute : node.attribute()) {
                search(attribute.g().node());
                for (const auto& graph : attribute.graphs()) {
                    search(graph.node());
                }
            }
        }
    }

    void expectOutputs(const FunctionProto& function)
    {
        std::set<std::string_view> computed;
        for (const NodeProto& node : function.node()) {
            computed.insert(node.output().begin(), node.output().end());
        }
        for (const std::string& output : function.output()) {
            if (!computed.contains(output)) {
                fail(fmt::format("no node of function {} computes its output {}", function.name(), output));
            }
        }
    }

    /// As messages name a node.
    static std::string textOf(const NodeProto& node)
    {
        return node.name().empty() ? fmt::format("a node that calls {}", node.op_type()) : "node " + node.name();
    }

    void expectCall(const NodeProto& node, const FunctionProto& function)
    {
        if (node.input_size() > function.input_size() || node.output_size() > function.output_size()) {
            fail(fmt::format("{} has {} inputs and {} outputs, but function {} declares {} and {}", textOf(node),
                             node.input_size(), node.output_size(), function.name(), function.input_size(),
                             function.output_size()));
        }
        std::map<std::string_view, AttributeProto::AttributeType> given;
        for (const AttributeProto& attribute : node.attribute()) {
            given[attribute.name()] = attribute.type();
        }
        for (const NodeProto& inner : function.node()) {
            for (const AttributeProto& attribute : inner.attribute()) {
                const auto found = given.find(attribute.ref_attr_name());
                if (!attribute.ref_attr_name().empty() && found != given.end() && found->second != attribute.type()) {
                    fail(fmt::format("{} gives attribute {} of function {} another type than {} takes", textOf(node),
                                     attribute.ref_attr_name(), function.name(), inner.op_type()));
                }
            }
        }
    }

    /// The number of scanned inputs, and a direction or axis for each scanned value where the node lists any.
    void expectScan(const NodeProto& node)
    {
        std::int64_t scanned = 0;
        for (const AttributeProto& attribute : node.attribute()) {
            scanned = attribute.name() == "num_scan_inputs" ? attribute.i() : scanned;
        }
        if (scanned < 1 || scanned > node.input_size()) {
            fail(fmt::format("Scan node {} has {} inputs, of which it scans {}", node.name(), node.input_size(),
                             scanned));
            return;
        }
        for (const AttributeProto& attribute : node.attribute()) {
            const bool isOfInputs =
                attribute.name() == "scan_input_directions" || attribute.name() == "scan_input_axes";
            if (isOfInputs && attribute.ints_size() != scanned) {
                fail(fmt::format("Scan node {} scans {} inputs, but {} has {} numbers", node.name(), scanned,
                                 attribute.name(), attribute.ints_size()));
            }
        }
    }

    const ::onnx::ModelProto& m_model;
    std::map<Name, const FunctionProto*> m_functions;
    std::optional<std::string> m_error;
};

} // namespace

std::optional<std::string> structureError(const ::onnx::ModelProto& model)
{
    return StructureCheck(model).error();
}

} // namespace crosswalk
