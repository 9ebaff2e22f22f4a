#include "core/rewrite/opset/equivalent_nodes.h"

#include "core/onnx/proto_reads.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/opset/node_replacement.h"

#include <array>
#include <string_view>

namespace crosswalk {
namespace {

using Equivalent = bool (*)(NodeReplacement&);

struct Row {
    std::string_view op; ///< empty: any
    Equivalent equivalent;
};

constexpr auto equivalents = std::to_array<Row>({
    {"AveragePool", dilatedAveragePool},
    {"BitCast", bitCastOfIntegers},
    {"BitShift", signedShift},
    {"BitwiseAnd", bitwiseOperator},
    {"BitwiseNot", bitwiseOperator},
    {"BitwiseOr", bitwiseOperator},
    {"BitwiseXor", bitwiseOperator},
    {"CumProd", cumulativeProduct},
    {"DFT", transformAlongComputedAxis},
    {"Mod", floatModulo},
    {"Pad", padOfAllAxes},
    {"Resize", resizeOfAllAxes},
    {"SpaceToDepth", spaceToDepthByColumns},
    {"Split", splitBySizes},
    {"TensorScatter", scatteredSequence},
    {"", reductionOfNoAxes},
    {"", storedOperand},
    {"", reductionOverComputedAxes},
    {"", withCasts},
});

class Replacing {
public:
    Replacing(::onnx::ModelProto& model, int from, int to)
        : m_names(usedValueNames(model.graph()))
        , m_from(from)
        , m_to(to)
    {
    }

    bool replaceIn(::onnx::GraphProto& graph, KnownValues* outer)
    {
        KnownValues values(graph, outer);
        std::vector<std::vector<::onnx::NodeProto>> replacements(static_cast<std::size_t>(graph.node_size()));
        bool inBodies = false;
        bool here = false;
        for (int i = 0; i < graph.node_size(); ++i) {
            auto& node = *graph.mutable_node(i);
            for (auto& attribute : *node.mutable_attribute()) {
                inBodies = (attribute.has_g() && replaceIn(*attribute.mutable_g(), &values)) || inBodies;
            }
            if (node.domain().empty()) {
                auto& made = replacements[static_cast<std::size_t>(i)];
                made = replacementOf(node, values);
                here = here || !made.empty();
            }
        }
        if (here) {
            ::google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
            for (int i = 0; i < graph.node_size(); ++i) {
                auto& made = replacements[static_cast<std::size_t>(i)];
                if (made.empty()) {
                    nodes.Add()->Swap(graph.mutable_node(i));
                }
                for (auto& node : made) {
                    nodes.Add()->Swap(&node);
                }
            }
            graph.mutable_node()->Swap(&nodes);
        }
        return here || inBodies;
    }

private:
    std::vector<::onnx::NodeProto> replacementOf(const ::onnx::NodeProto& node, KnownValues& values)
    {
        for (const Row& row : equivalents) {
            if (row.op.empty() || row.op == node.op_type()) {
                NodeReplacement replacement(node, values, m_names, m_from, m_to);
                if (row.equivalent(replacement)) {
                    return replacement.take();
                }
            }
        }
        return {};
    }

    UniqueNames m_names;
    int m_from;
    int m_to;
};

} // namespace

void useEquivalentNodes(::onnx::ModelProto& model, int from, int to)
{
    ::onnx::shape_inference::InferShapes(model, &schemas());
    constexpr int mostRounds = 4; // an equivalent may need another one: its types, its axes
    for (int round = 0; round < mostRounds && to < from; ++round) {
        if (!Replacing(model, from, to).replaceIn(*model.mutable_graph(), nullptr)) {
            return;
        }
        ::onnx::shape_inference::InferShapes(model, &schemas());
    }
}

} // namespace crosswalk
