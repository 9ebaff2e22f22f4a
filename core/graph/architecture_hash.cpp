#include "core/graph/architecture_hash.h"

#include "core/graph/attribute_text.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_type.h"

#include <limits>

namespace crosswalk {
namespace {

class Hasher {
public:
    std::uint64_t result() const { return m_hash; }

    void add(const Graph& graph)
    {
        addCount(graph.inputs.size());
        for (const ValueId input : graph.inputs) {
            addValue(graph, input);
        }
        addCount(graph.nodeCount());
        for (const Node& node : graph.nodes()) {
            addNode(graph, node);
        }
        addCount(graph.outputs.size());
        for (const ValueId output : graph.outputs) {
            addCount(output.index);
        }
        addCount(graph.functions.size());
        for (const Graph::Function& function : graph.functions) {
            addText(function.name);
            add(graph.subgraph(function.body));
        }
    }

private:
    /// FNV-1a, see http://www.isthe.com/chongo/tech/comp/fnv.
    void addByte(std::uint8_t byte)
    {
        constexpr std::uint64_t prime = 1099511628211U;
        m_hash = (m_hash ^ byte) * prime;
    }
    void addCount(std::uint64_t count)
    {
        for (unsigned shift = 0; shift < 64; shift += 8) {
            addByte(static_cast<std::uint8_t>(count >> shift));
        }
    }
    void addText(std::string_view text)
    {
        addCount(text.size());
        for (const char c : text) {
            addByte(static_cast<std::uint8_t>(c));
        }
    }

    void addValue(const Graph& graph, ValueId id)
    {
        addCount(id.index);
        if (id == ValueId{}) {
            return; // an absent optional input
        }
        const Value& value = graph.value(id);
        if (const Tensor* tensor = graph.tensorOf(id)) {
            addText(toString(TensorType{tensor->type(), shapeOf(tensor->dims())}));
        } else if (value.producer == NodeId{}) {
            addText(toString(value.type));
        }
    }

    void addNode(const Graph& graph, const Node& node)
    {
        addText(node.domain);
        addText(node.op);
        addCount(node.inputs.size());
        for (const ValueId input : node.inputs) {
            addValue(graph, input);
        }
        addCount(node.controlInputs.size());
        for (const NodeId input : node.controlInputs) {
            addCount(input.index);
        }
        addCount(node.outputs.size());
        addCount(node.attributes.size());
        for (const Attribute& attribute : node.attributes) {
            addText(attribute.name);
            addText(attributeText(attribute, graph, everything));
            if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
                add(graph.subgraph(*body));
            } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
                for (const SubgraphId each : *bodies) {
                    add(graph.subgraph(each));
                }
            }
        }
    }

    static constexpr AttributeTextStyle everything{.mostItems = std::numeric_limits<std::size_t>::max(),
                                                   .longestText = std::numeric_limits<std::size_t>::max(),
                                                   .tensorTypes = true};
    std::uint64_t m_hash = 14695981039346656037U; ///< the offset basis of FNV-1a
};

} // namespace

std::uint64_t architectureHash(const Graph& graph)
{
    Hasher hasher;
    hasher.add(graph);
    return hasher.result();
}

} // namespace crosswalk
