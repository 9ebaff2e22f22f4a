#include "core/rewrite/scan_over_batch.h"

#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/provenance.h"
#include "core/rewrite/rename_ports.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

/// The opset that introduced Scan in its current form.
constexpr int firstScan = 9;

class BatchScanner {
public:
    BatchScanner(OnnxModel& model, const BatchAxes& axes, const std::string& batch)
        : m_graph(*model.proto->mutable_graph())
        , m_axes(axes)
        , m_batch(batch)
        , m_opset(opsetOf(model))
    {
        collectValueNames(m_graph, m_names);
        for (const NodeProto& node : m_graph.node()) {
            m_made.insert(node.output().begin(), node.output().end());
        }
    }

    BatchScan run()
    {
        if (m_opset < firstScan) {
            report(Severity::Error, "each-sample",
                   fmt::format("opset {} has no Scan operator to run the model on each sample", m_opset),
                   fmt::format("use --opset {} or later", std::max(firstScan, oldestOpset)));
            return std::move(m_result);
        }
        planOutputs();
        if (hasErrors(m_result.problems)) {
            return std::move(m_result);
        }
        GraphProto body;
        body.set_name("sample");
        body.mutable_node()->Swap(m_graph.mutable_node());
        body.mutable_value_info()->Swap(m_graph.mutable_value_info());
        renameValues(body, innerNames());
        NodeProto scan;
        scan.set_op_type("Scan");
        scan.set_name("each_sample");
        copySources(body, scan);
        takeInputs(body, scan);
        giveOutputs(body, scan);
        addGraph(scan, std::move(body));
        *m_graph.add_node() = std::move(scan);
        m_result.isChanged = true;
        return std::move(m_result);
    }

private:
    /// An output that nodes compute, and its batch axis.
    struct Output {
        ValueInfoProto* info;
        TensorType type; ///< of one sample
        std::size_t axis = 0;
        bool isNewAxis = false;
    };

    void report(Severity severity, Code code, std::string message, std::string hint = {})
    {
        m_result.problems.push_back(
            {.severity = severity, .code = code, .message = std::move(message), .hint = std::move(hint)});
    }

    void planOutputs()
    {
        for (auto& info : *m_graph.mutable_output()) {
            if (!m_made.contains(info.name())) {
                continue; // an input or weight passed through unchanged
            }
            TensorType type = fromProto(info.type());
            if (!info.type().has_tensor_type() || !type.shape || type.element == ElementType::Undefined) {
                report(Severity::Error, "each-sample",
                       fmt::format(
                           "the rank of output {} is unknown, so the results of the samples cannot be concatenated",
                           info.name()));
                continue;
            }
            const Shape& shape = *type.shape;
            const std::size_t wanted = m_axes.begin()->second;
            const auto isSingle = [&](std::size_t axis) { return axis < shape.size() && shape[axis] == Dim(1); };
            const auto first = static_cast<std::size_t>(std::find(shape.begin(), shape.end(), Dim(1)) - shape.begin());
            Output output{&info, type, isSingle(wanted) ? wanted : first};
            if (output.axis == shape.size()) {
                output.axis = 0;
                output.isNewAxis = true;
                report(
                    Severity::Note, "new-axis",
                    fmt::format("output {} has no axis of length 1: a batch axis is inserted in front", info.name()));
            }
            if (std::any_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim.isUnknown(); })) {
                report(Severity::Warning, "varying-size",
                       fmt::format(
                           "the shape {} of output {} may differ between samples; the runtime then reports an error",
                           toString(shape), info.name()));
            }
            m_outputs.push_back(std::move(output));
        }
        if (m_outputs.empty()) {
            report(Severity::Error, "each-sample",
                   "no output is computed by a node, so there is nothing to run on each sample");
        }
    }

    /// Copies the provenance of the body's nodes to the Scan.
    static void copySources(const GraphProto& body, NodeProto& scan)
    {
        nlohmann::json all = nlohmann::json::array();
        std::unordered_set<std::string> seen;
        for (const NodeProto& node : body.node()) {
            for (const auto& entry : node.metadata_props()) {
                const auto list =
                    entry.key() == sourceKey ? nlohmann::json::parse(entry.value(), nullptr, false) : nlohmann::json();
                for (const auto& source : list.is_array() ? list : nlohmann::json::array()) {
                    if (source.is_string() && seen.insert(source.get<std::string>()).second) {
                        all.push_back(source);
                    }
                }
            }
        }
        if (!all.empty()) {
            auto* entry = scan.add_metadata_props();
            entry->set_key(sourceKey);
            entry->set_value(all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
    }

    std::string uniqueName(std::string wanted)
    {
        while (!m_names.insert(wanted).second) {
            wanted += '_';
        }
        return wanted;
    }

    /// New names for the model's inputs and outputs inside the body, because names must be unique across bodies.
    Renames innerNames()
    {
        for (const auto& [input, axis] : m_axes) {
            m_inner[input] = uniqueName(input + "_sample");
        }
        for (const Output& output : m_outputs) {
            m_inner[output.info->name()] = uniqueName(output.info->name() + "_sample");
        }
        return m_inner;
    }

    static void addGraph(NodeProto& node, GraphProto body)
    {
        auto* attribute = node.add_attribute();
        attribute->set_name("body");
        attribute->set_type(::onnx::AttributeProto::GRAPH);
        *attribute->mutable_g() = std::move(body);
    }

    /// Appends a Squeeze or Unsqueeze of one axis.
    void addReshaping(GraphProto& body, const char* op, const std::string& from, const std::string& to,
                      std::size_t axis)
    {
        const Ints axes{static_cast<std::int64_t>(axis)};
        NodeProto node;
        node.set_op_type(op);
        node.set_name(uniqueName(to + '_' + op));
        node.add_input(from);
        node.add_output(to);
        if (m_opset < firstAxesInput) {
            addInts(node, "axes", axes);
        } else {
            auto& constant = *body.add_node();
            constant.set_op_type("Constant");
            constant.set_name(uniqueName(to + "_axes"));
            constant.add_output(constant.name());
            addInts(constant, "value_ints", axes);
            node.add_input(constant.name());
        }
        *body.add_node() = std::move(node);
    }

    static void addPort(google::protobuf::RepeatedPtrField<ValueInfoProto>& ports, const std::string& name,
                        const TensorType& type)
    {
        auto& info = *ports.Add();
        info.set_name(name);
        toProto(type, *info.mutable_type());
    }

    static TensorType withoutAxis(const TensorType& type, std::size_t axis)
    {
        Shape shape = type.shape.value();
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
        return {type.element, std::move(shape)};
    }

    void takeInputs(GraphProto& body, NodeProto& scan)
    {
        GraphProto all; // producers of the samples precede their consumers
        Ints axes;
        for (auto& info : *m_graph.mutable_input()) {
            const auto sampled = m_axes.find(info.name());
            if (sampled == m_axes.end()) {
                continue;
            }
            const std::size_t axis = sampled->second;
            TensorType type = fromProto(info.type());
            assert(type.shape && axis < type.shape->size() && (*type.shape)[axis] == Dim(1));
            const std::string slice = uniqueName(info.name() + "_slice");
            addPort(*body.mutable_input(), slice, withoutAxis(type, axis));
            addReshaping(all, "Unsqueeze", slice, m_inner.at(info.name()), axis);
            scan.add_input(info.name());
            axes.push_back(static_cast<std::int64_t>(axis));
            (*type.shape)[axis] = Dim(m_batch);
            toProto(type, *info.mutable_type());
            for (auto& output : *m_graph.mutable_output()) {
                if (output.name() == info.name()) {
                    *output.mutable_type() = info.type(); // an input passed through unchanged
                }
            }
            m_result.ports[info.name()] = std::move(type);
        }
        assert(axes.size() == m_axes.size());
        for (auto& node : *body.mutable_node()) {
            *all.add_node() = std::move(node);
        }
        body.mutable_node()->Swap(all.mutable_node());
        addInt(scan, "num_scan_inputs", static_cast<std::int64_t>(axes.size()));
        addInts(scan, "scan_input_axes", axes);
    }

    void giveOutputs(GraphProto& body, NodeProto& scan)
    {
        Ints axes;
        for (Output& output : m_outputs) {
            const std::string& name = output.info->name();
            std::string inner = m_inner.at(name);
            if (!output.isNewAxis) {
                const std::string slice = uniqueName(name + "_slice");
                addReshaping(body, "Squeeze", inner, slice, output.axis);
                inner = slice;
                output.type = withoutAxis(output.type, output.axis);
            }
            addPort(*body.mutable_output(), inner, output.type);
            scan.add_output(name);
            axes.push_back(static_cast<std::int64_t>(output.axis));
            Shape& shape = *output.type.shape;
            shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(output.axis), Dim(m_batch));
            toProto(output.type, *output.info->mutable_type());
            m_result.ports[name] = output.type;
        }
        addInts(scan, "scan_output_axes", axes);
    }

    GraphProto& m_graph;
    const BatchAxes& m_axes;
    const std::string& m_batch;
    int m_opset;
    std::unordered_set<std::string> m_names;
    std::unordered_set<std::string> m_made;
    std::vector<Output> m_outputs;
    Renames m_inner;
    BatchScan m_result;
};

} // namespace

BatchScan scanOverBatch(OnnxModel& model, const BatchAxes& axes, const std::string& batch)
{
    assert(!axes.empty());
    return BatchScanner(model, axes, batch).run();
}

bool isScanOverBatch(const OnnxModel& model)
{
    const GraphProto& graph = model.proto->graph();
    if (graph.node_size() != 1 || graph.node(0).op_type() != "Scan") {
        return false;
    }
    const auto* scanned = findAttribute(graph.node(0), "num_scan_inputs");
    return scanned != nullptr && scanned->i() == graph.node(0).input_size();
}

} // namespace crosswalk
