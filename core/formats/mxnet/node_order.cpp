#include "core/formats/mxnet/node_order.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

bool isSorted(const SymbolGraph& graph)
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto inputs = graph.nodes[i].inputs.of(graph.inputs);
        if (std::any_of(inputs.begin(), inputs.end(), [i](SymbolEntry entry) { return entry.node >= i; })) {
            return false;
        }
    }
    return true;
}

std::vector<std::uint32_t> inFileOrder(const SymbolGraph& graph)
{
    std::vector<bool> needed(graph.nodes.size());
    for (const SymbolEntry head : graph.heads) {
        needed[head.node] = true;
    }
    std::size_t count = 0;
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        if (needed[i]) {
            ++count;
            for (const SymbolEntry entry : graph.nodes[i].inputs.of(graph.inputs)) {
                needed[entry.node] = true;
            }
        }
    }
    std::vector<std::uint32_t> order;
    order.reserve(count);
    for (std::uint32_t i = 0; i < needed.size(); ++i) {
        if (needed[i]) {
            order.push_back(i);
        }
    }
    return order;
}

/// Depth first from the outputs, inputs before the node. Uses an explicit stack: a file may be one long chain.
class Walk {
public:
    explicit Walk(const SymbolGraph& graph)
        : m_graph(graph)
        , m_states(graph.nodes.size(), State::New)
    {
    }

    std::vector<std::uint32_t> order()
    {
        for (const SymbolEntry head : m_graph.heads) {
            enter(head.node);
            while (!m_stack.empty()) {
                step();
            }
        }
        return std::move(m_order);
    }

private:
    enum class State : std::uint8_t { New, Open, Done };
    struct Frame {
        std::uint32_t node;
        std::uint32_t nextInput;
    };

    void enter(std::uint32_t node)
    {
        if (m_states[node] == State::New) {
            m_states[node] = State::Open;
            m_stack.push_back({node, 0});
        } else if (m_states[node] == State::Open) {
            throw ModelError("damaged", fmt::format("the graph has a cycle: node {} '{}' depends on itself", node,
                                                    m_graph.nodes[node].name.substr(0, 80)));
        }
    }

    void step()
    {
        Frame& frame = m_stack.back();
        const auto inputs = m_graph.nodes[frame.node].inputs.of(m_graph.inputs);
        if (frame.nextInput < inputs.size()) {
            enter(inputs[frame.nextInput++].node);
            return;
        }
        m_states[frame.node] = State::Done;
        m_order.push_back(frame.node);
        m_stack.pop_back();
    }

    const SymbolGraph& m_graph;
    std::vector<State> m_states;
    std::vector<Frame> m_stack;
    std::vector<std::uint32_t> m_order;
};

} // namespace

std::vector<std::uint32_t> neededNodes(const SymbolGraph& graph)
{
    return isSorted(graph) ? inFileOrder(graph) : Walk(graph).order();
}

} // namespace crosswalk::mxnet
