#include "core/rewrite/opset/opset_guards.h"

#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/schemas.h"
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

/// Opset 6 aligns the slopes with axis 1, opset 7 with the last axis. Both are equal only for a single slope.
bool hasManySlopes(const NodeProto& node, const GraphProto& graph)
{
    const auto* slope = storedInput(node, graph, 1);
    return slope == nullptr || std::any_of(slope->dims().begin(), slope->dims().end(), [](auto d) { return d != 1; });
}

/// Below opset 13 all axes from `axis` on are flattened, which makes no difference only for the last axis. The rank may
/// be unknown, so only -1 is certainly the last axis.
bool isPerhapsNotLast(const NodeProto& node, const GraphProto& /*graph*/)
{
    return intAttribute(node, "axis", 1) != -1;
}

/// Opset 19 introduced mode = wrap.
bool wraps(const NodeProto& node, const GraphProto& /*graph*/)
{
    const auto* mode = findAttribute(node, "mode");
    return mode != nullptr && mode->s() == "wrap";
}

/// Older opsets have no noop_with_empty_axes; the converter would reduce all axes instead.
bool mayReduceNothing(const NodeProto& node, const GraphProto& /*graph*/)
{
    return intAttribute(node, "noop_with_empty_axes", 0) != 0;
}

/// Opset 10 does not define the nearest element for downsampling.
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

bool always(const NodeProto& /*node*/, const GraphProto& /*graph*/)
{
    return true;
}

struct Guard {
    std::string_view op;
    int from; ///< the problem occurs between opsets `from` and `to`
    int to;
    bool (*isWrong)(const NodeProto& node, const GraphProto& graph);
    std::string_view why;
};

constexpr std::string_view oneAxis = "its axis is not known to be the last one";
constexpr std::string_view noAxes = "noop_with_empty_axes is not supported there";

constexpr auto guards = std::to_array<Guard>({
    {"PRelu", 6, 7, hasManySlopes, "its slopes apply to another axis since opset 7"},
    {"Resize", 10, 11, shrinksToNearest, "opset 10 does not define the nearest element for downsampling"},
    {"Hardmax", 12, 13, isPerhapsNotLast, oneAxis},
    {"Pad", 19, 18, wraps, "mode = wrap requires opset 19"},
    {"Scan", 8, 9, always, "its inputs have an axis of batches before opset 9"},
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

/// Whether a conversion between two opsets includes the guard's step.
bool includesStep(const Guard& guard, int from, int to)
{
    return guard.from < guard.to ? from <= guard.from && to >= guard.to : from >= guard.from && to <= guard.to;
}

/// Finds operators that opset `to` does not have.
std::optional<OpsetProblem> findUnsupported(const NodeProto& node, int from, int to)
{
    const bool isOnnx = isOnnxDomain(node.domain());
    const auto* schema = isOnnx && to < from ? schemaOf(node.op_type(), from) : nullptr;
    if (schema == nullptr || schemaOf(node.op_type(), to) != nullptr || hasOlderForm(node)) {
        return std::nullopt;
    }
    return OpsetProblem{&node, fmt::format("it requires opset {}", schema->SinceVersion())};
}

std::optional<OpsetProblem> findIn(const GraphProto& graph, int from, int to)
{
    for (const NodeProto& node : graph.node()) {
        for (const Guard& guard : guards) {
            if (guard.op == node.op_type() && includesStep(guard, from, to) && guard.isWrong(node, graph)) {
                return OpsetProblem{&node, std::string(guard.why)};
            }
        }
        if (auto problem = findUnsupported(node, from, to)) {
            return problem;
        }
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                if (auto problem = findIn(attribute.g(), from, to)) {
                    return problem;
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

std::optional<OpsetProblem> findOpsetProblem(const ::onnx::ModelProto& model, int from, int to)
{
    return findIn(model.graph(), from, to);
}

void repairAfterOpsetChange(GraphProto& graph, int from, int to)
{
    for (NodeProto& node : *graph.mutable_node()) {
        // Upsample and Resize of opset 10 use asymmetric coordinates. In opset 11 the default is half_pixel, and the
        // converter does not add the attribute.
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
