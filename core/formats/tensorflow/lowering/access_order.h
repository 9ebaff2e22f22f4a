#pragma once

#include "core/formats/tensorflow/lowering/region.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crosswalk::tensorflow {

/// The order in which TensorFlow runs the nodes of a scope that read and write one variable. Accesses are named by
/// their index.
class AccessOrder {
public:
    /// Refers to both arguments.
    AccessOrder(const SourceScope& scope, const std::vector<Access>& accesses);

    /// Whether two accesses never run together: on different sides of a branch.
    bool areExclusive(std::size_t a, std::size_t b) const;
    /// Whether an access always runs before another one, in a loop in each iteration.
    bool isBefore(std::size_t first, std::size_t second) const;
    /// Whether one of two accesses of a loop may run before the other one of the iteration before: the iterations of a
    /// loop of TensorFlow 1 run as soon as their inputs are known.
    bool mayOverlap(std::size_t a, std::size_t b) const;

private:
    std::uint32_t frameOf(std::size_t access) const { return m_scope.flow.frameOf[m_accesses[access].node.index]; }
    bool isParallel(std::uint32_t frame) const;
    bool isOutputRead(const Node& node) const;
    bool dependsOnItself(NodeId id) const;

    const SourceScope& m_scope;
    const std::vector<Access>& m_accesses;
    std::vector<std::vector<bool>> m_before;            ///< by access: the nodes that run before it, in any iteration
    std::vector<std::vector<bool>> m_beforeInIteration; ///< by access in a loop: those that do in the same iteration
};

} // namespace crosswalk::tensorflow
