#include "core/rewrite/opset/body_axes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace crosswalk {
namespace {

/// Whether input 1 of the operator becomes an attribute between these opsets.
bool losesInput(std::string_view op, int from, int to)
{
    constexpr auto below13 = std::to_array<std::string_view>({"ReduceSum", "Split", "Squeeze", "Unsqueeze"});
    const bool isEarly = std::ranges::find(below13, op) != below13.end();
    return isEarly ? from >= 13 && to <= 12 : op.starts_with("Reduce") && from >= 18 && to <= 17;
}

void copyInto(::onnx::GraphProto& body, const ::onnx::GraphProto& outer, int from, int to)
{
    for (auto& node : *body.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                copyInto(*attribute.mutable_g(), outer, from, to);
            }
        }
        if (node.input_size() < 2 || node.input(1).empty() || !losesInput(node.op_type(), from, to)) {
            continue;
        }
        const auto stored = std::ranges::find(outer.initializer(), node.input(1), &::onnx::TensorProto::name);
        if (stored != outer.initializer().end()) {
            auto& own = *body.add_initializer();
            own = *stored;
            own.set_name(fmt::format("{}/{}", node.output(0), stored->name()));
            node.set_input(1, own.name());
        }
    }
}

} // namespace

void copyAxesIntoBodies(::onnx::GraphProto& graph, int from, int to)
{
    for (auto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                copyInto(*attribute.mutable_g(), graph, from, to);
                copyAxesIntoBodies(*attribute.mutable_g(), from, to);
            }
        }
    }
}

} // namespace crosswalk
