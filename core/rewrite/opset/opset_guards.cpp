#include "core/rewrite/opset/opset_guards.h"

#include "core/onnx/node.h"
#include "core/onnx/schema.h"
#include "core/onnx/tensor_record.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

const ::onnx::TensorProto* storedInput(const NodeProto& node, const GraphProto& graph, int input)
{
    if (input < node.input_size()) {
        for (const auto& stored : graph.initializer()) {
            if (stored.name() == node.input(input)) {
                return &stored;
            }
        }
    }
    return nullptr;
}

/// Opset 6 laid the slopes along axis 1, opset 7 lays them along the last axis: the same for a single one only.
bool hasManySlopes(const NodeProto& node, const GraphProto& graph)
{
    const auto* slope = storedInput(node, graph, 1);
    return slope == nullptr || std::any_of(slope->dims().begin(), slope->dims().end(), [](auto d) { return d != 1; });
}

/// Below opset 13 all axes from `axis` on were taken together: the same on the last axis only. What the rank is need
/// not be known, so only an axis counted from the end is sure to be the last.
bool isPerhapsNotLast(const NodeProto& node, const GraphProto& /*graph*/)
{
    return intAttribute(node, "axis", 1) != -1;
}

/// Rows of the padding taken from the other side came with opset 19.
bool wraps(const NodeProto& node, const GraphProto& /*graph*/)
{
    const auto* mode = findAttribute(node, "mode");
    return mode != nullptr && mode->s() == "wrap";
}

/// "Reduce nothing" for want of axes cannot be said below; the converter makes it "reduce everything".
bool mayReduceNothing(const NodeProto& node, const GraphProto& /*graph*/)
{
    return intAttribute(node, "noop_with_empty_axes", 0) != 0;
}

/// Which element is the nearest when an image shrinks was nowhere said in opset 10.
bool shrinksToNearest(const NodeProto& node, const GraphProto& graph)
{
    const auto* mode = findAttribute(node, "mode");
    if (mode != nullptr && mode->s() != "nearest") {
        return false;
    }
    const auto* scales = storedInput(node, graph, 1);
    if (scales == nullptr || !scales->has_raw_data()) {
        return true;
    }
    const auto values = tensorOf(nullptr, *scales).toDoubles();
    return std::any_of(values.begin(), values.end(), [](double scale) { return scale < 1; });
}

struct Guard {
    std::string_view op;
    int from; ///< the step between two opsets where it goes wrong
    int to;
    bool (*isWrong)(const NodeProto& node, const GraphProto& graph);
    std::string_view why;
};

constexpr std::string_view oneAxis = "the axes that it takes together cannot be told to be the last one";
constexpr std::string_view noAxes = "it may reduce nothing, which older opsets cannot say";

constexpr auto guards = std::to_array<Guard>({
    {"PRelu", 6, 7, hasManySlopes, "its slopes lie along another axis from opset 7 on"},
    {"Resize", 10, 11, shrinksToNearest, "which elements it takes when it shrinks was not said in opset 10"},
    {"Hardmax", 12, 13, isPerhapsNotLast, oneAxis},
    {"Pad", 19, 18, wraps, "mode = wrap came with opset 19"},
    {"ReduceSum", 13, 12, mayReduceNothing, noAxes},
    {"ReduceL1", 18, 17, mayReduceNothing, noAxes},
    {"ReduceL2", 18, 17, mayReduceNothing, noAxes},
    {"ReduceLogSum", 18, 17, mayReduceNothing, noAxes},
    {"ReduceLogSumExp", 18, 17, mayReduceNothing, noAxes},
    {"ReduceMax", 18, 17, mayReduceNothing, noAxes},
    {"ReduceMean", 18, 17, mayReduceNothing, noAxes},
    {"ReduceMin", 18, 17, mayReduceNothing, noAxes},
    {"ReduceProd", 18, 17, mayReduceNothing, noAxes},
    {"ReduceSumSquare", 18, 17, mayReduceNothing, noAxes},
});

/// Whether the way from one opset to another takes the step.
bool takesStep(const Guard& guard, int from, int to)
{
    return guard.from < guard.to ? from <= guard.from && to >= guard.to : from >= guard.from && to <= guard.to;
}

/// Operators that are younger than the opset.
std::optional<OpsetFault> findYounger(const NodeProto& node, int from, int to)
{
    const bool isOnnx = node.domain().empty() || node.domain() == "ai.onnx";
    const auto* schema = isOnnx && to < from ? ::onnx::OpSchemaRegistry::Schema(node.op_type(), from, "") : nullptr;
    if (schema == nullptr || ::onnx::OpSchemaRegistry::Schema(node.op_type(), to, "") != nullptr ||
        hasOlderForm(node)) {
        return std::nullopt;
    }
    return OpsetFault{&node, fmt::format("it came with opset {}", schema->SinceVersion())};
}

std::optional<OpsetFault> findIn(const GraphProto& graph, int from, int to)
{
    for (const NodeProto& node : graph.node()) {
        for (const Guard& guard : guards) {
            if (guard.op == node.op_type() && takesStep(guard, from, to) && guard.isWrong(node, graph)) {
                return OpsetFault{&node, std::string(guard.why)};
            }
        }
        if (auto fault = findYounger(node, from, to)) {
            return fault;
        }
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                if (auto fault = findIn(attribute.g(), from, to)) {
                    return fault;
                }
            }
        }
    }
    return std::nullopt;
}

void setText(NodeProto& node, const char* name, const char* value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::STRING);
    attribute->set_s(value);
}

} // namespace

bool hasOlderForm(const NodeProto& node)
{
    constexpr auto rewritten = std::to_array<std::string_view>({"GreaterOrEqual", "HardSwish", "LessOrEqual"});
    return std::ranges::find(rewritten, node.op_type()) != rewritten.end();
}

std::optional<OpsetFault> findOpsetFault(const ::onnx::ModelProto& whole, int from, int to)
{
    return findIn(whole.graph(), from, to);
}

void repairAfterOpsetChange(GraphProto& graph, int from, int to)
{
    for (NodeProto& node : *graph.mutable_node()) {
        // Upsample, and Resize of opset 10, count pixels from their corners. Opset 11 can say so, and means their
        // centres when nothing is said: which is what the converter leaves.
        if (node.op_type() == "Resize" && from <= 10 && to >= 11 &&
            findAttribute(node, "coordinate_transformation_mode") == nullptr) {
            setText(node, "coordinate_transformation_mode", "asymmetric");
            setText(node, "nearest_mode", "floor");
        }
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                repairAfterOpsetChange(*attribute.mutable_g(), from, to);
            }
        }
    }
}

} // namespace crosswalk
