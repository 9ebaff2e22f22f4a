#include "core/formats/mxnet/input_roles.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/operand_kinds.h"

namespace crosswalk::mxnet {
namespace {

// The uses of a value, as bits.
using Uses = std::uint8_t;
constexpr Uses asData = 1;
constexpr Uses asParameter = 2;
constexpr Uses asLabel = 4;

Uses usesOf(Role role)
{
    return role == Role::Parameter ? asParameter : role == Role::Label ? asLabel : asData;
}

Role roleOf(Uses uses)
{
    if ((uses & asData) != 0 || uses == 0) {
        return Role::Data;
    }
    return (uses & asParameter) != 0 ? Role::Parameter : Role::Label;
}

/// The source of a body's argument: input `outer` of the node.
void fromBody(const Graph& body, const Ints& places, bool placesAreOuter, std::size_t firstOuter,
              std::vector<Uses>& uses)
{
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto place = static_cast<std::size_t>(places[i]);
        const std::size_t outer = placesAreOuter ? place : firstOuter + i;
        const std::size_t inner = placesAreOuter ? i : place;
        if (places[i] >= 0 && outer < uses.size() && inner < body.inputs.size()) {
            uses[outer] |= usesOf(body.value(body.inputs[inner]).role);
        }
    }
}

/// Uses of the inputs of a loop or branch, from their roles in its bodies.
std::vector<Uses> bodyUses(const Graph& graph, const Node& node, const std::vector<SubgraphId>& bodies)
{
    std::vector<Uses> uses(node.inputs.size(), 0);
    const AttributeSpan attributes = node.attributes;
    const auto places = [&](std::string_view key) { return integers(attributes, key).value_or(Ints()); };
    const auto outerPlaces = [&](std::size_t body, std::string_view key) {
        if (body < bodies.size()) {
            fromBody(graph.subgraph(bodies[body]), places(key), true, 0, uses);
        }
    };
    if (node.op == "_foreach" && !bodies.empty()) {
        std::size_t first = 0;
        for (const auto* key : {"in_data_locs", "in_state_locs", "remain_locs"}) {
            fromBody(graph.subgraph(bodies[0]), places(key), false, first, uses);
            first += places(key).size();
        }
    } else if (node.op == "_while_loop") {
        outerPlaces(0, "cond_input_locs");
        outerPlaces(1, "func_input_locs");
    } else if (node.op == "_cond") {
        outerPlaces(0, "cond_input_locs");
        outerPlaces(1, "then_input_locs");
        outerPlaces(2, "else_input_locs");
    }
    for (Uses& use : uses) {
        use = use == 0 ? asData : use;
    }
    return uses;
}

Uses throughSlot(OperandKind kind, std::string_view op, Uses ofOutputs)
{
    // Inference does not compute nodes that only a label depends on.
    if (ofOutputs == asLabel || kind == OperandKind::Label) {
        return asLabel;
    }
    if (kind != OperandKind::Data) {
        return asParameter;
    }
    return ofOutputs == asParameter && passesWeightsOn(op) ? asParameter : asData;
}

} // namespace

void assignInputRoles(Graph& graph)
{
    std::vector<Uses> uses(graph.valueCount(), 0);
    for (const ValueId output : graph.outputs) {
        uses[output.index] |= asData;
    }
    for (auto index = static_cast<std::uint32_t>(graph.nodeCount()); index-- > 0;) {
        const Node& node = graph.node(NodeId{index});
        Uses ofOutputs = 0;
        for (const ValueId output : node.outputs) {
            ofOutputs |= uses[output.index];
        }
        if (const AttributeValue* bodies = node.attribute("subgraphs")) {
            const auto ofInputs = bodyUses(graph, node, std::get<std::vector<SubgraphId>>(*bodies));
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                uses[node.inputs[i].index] |= ofInputs[i];
            }
            continue;
        }
        const auto slots = inputOperands(node.op, node.attributes);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const OperandKind kind = i < slots.size() ? slots[i].kind : OperandKind::Data;
            uses[node.inputs[i].index] |= throughSlot(kind, node.op, ofOutputs);
        }
    }
    for (const ValueId input : graph.inputs) {
        graph.value(input).role = roleOf(uses[input.index]);
    }
}

} // namespace crosswalk::mxnet
