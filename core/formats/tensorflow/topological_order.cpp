#include "core/formats/tensorflow/topological_order.h"

namespace crosswalk::tensorflow {

NodeOrder topologicalOrder(std::span<const Dependencies> dependencies, const std::vector<bool>& isBackEdge)
{
    struct Frame {
        std::uint32_t node;
        std::size_t next; ///< next dependency to visit
    };
    NodeOrder order;
    order.nodes.reserve(dependencies.size());
    std::vector<bool> seen(dependencies.size());
    std::vector<Frame> stack;
    const auto visit = [&](std::uint32_t node) {
        if (!seen[node]) {
            seen[node] = true;
            stack.push_back({node, 0});
        }
    };
    for (std::uint32_t root = 0; root < dependencies.size(); ++root) {
        visit(root);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.next == dependencies[frame.node].size()) {
                order.nodes.push_back(frame.node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t dependency = dependencies[frame.node][frame.next++];
            if (!isBackEdge[dependency]) {
                visit(dependency);
            }
        }
    }
    std::vector<std::uint32_t> position(dependencies.size());
    for (std::uint32_t i = 0; i < order.nodes.size(); ++i) {
        position[order.nodes[i]] = i;
    }
    for (std::uint32_t node = 0; node < dependencies.size() && !order.hasCycles; ++node) {
        for (const std::uint32_t dependency : dependencies[node]) {
            order.hasCycles = order.hasCycles || position[dependency] >= position[node];
        }
    }
    return order;
}

} // namespace crosswalk::tensorflow
