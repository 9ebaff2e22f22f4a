// ONNX requires nodes in topological order, but some files violate this.

#include "core/base/diagnostic.h"
#include "core/formats/onnx/scope_reader.h"
#include "core/graph/reads.h"

#include <fmt/format.h>
#include <functional>
#include <queue>

namespace crosswalk {

bool ScopeReader::isSorted(const std::vector<Node>& nodes) const
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        bool isBehind = true;
        forEachRead(m_graph, nodes[i],
                    [&](ValueId value) { isBehind = isBehind && m_makers[value.index] < static_cast<int>(i); });
        if (!isBehind) {
            return false;
        }
    }
    return true;
}

std::vector<int> ScopeReader::sorted(const std::vector<Node>& nodes) const
{
    std::vector<std::vector<int>> readers(nodes.size());
    std::vector<int> missing(nodes.size(), 0); // producers that are not yet in the order
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        forEachRead(m_graph, nodes[i], [&](ValueId value) {
            if (const int maker = m_makers[value.index]; maker >= 0) {
                readers[static_cast<std::size_t>(maker)].push_back(static_cast<int>(i));
                ++missing[i];
            }
        });
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (missing[i] == 0) {
            ready.push(static_cast<int>(i));
        }
    }
    std::vector<int> order;
    order.reserve(nodes.size());
    while (!ready.empty()) {
        const int node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const int reader : readers[static_cast<std::size_t>(node)]) {
            if (--missing[static_cast<std::size_t>(reader)] == 0) {
                ready.push(reader);
            }
        }
    }
    if (order.size() < nodes.size()) {
        failAtCycle(nodes, missing);
    }
    return order;
}

void ScopeReader::failAtCycle(const std::vector<Node>& nodes, const std::vector<int>& missing) const
{
    // Every remaining node waits for another remaining one, so following these dependencies must reach a cycle.
    const auto waitsFor = [&](int node) {
        ValueId found;
        forEachRead(m_graph, nodes[static_cast<std::size_t>(node)], [&](ValueId value) {
            const int maker = m_makers[value.index];
            if (!found && maker >= 0 && missing[static_cast<std::size_t>(maker)] > 0) {
                found = value;
            }
        });
        return found;
    };
    std::vector<bool> isSeen(nodes.size(), false);
    int node = 0;
    while (missing[static_cast<std::size_t>(node)] == 0) {
        ++node;
    }
    while (!isSeen[static_cast<std::size_t>(node)]) {
        isSeen[static_cast<std::size_t>(node)] = true;
        node = m_makers[waitsFor(node).index];
    }
    fail(node, fmt::format("it depends on its own result, through value {}", m_graph.value(waitsFor(node)).name));
}

} // namespace crosswalk
