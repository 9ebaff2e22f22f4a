#pragma once

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::tensorflow {

/// Builds a `While` from the initial values of its variables and functions that lower its condition and its body.
class LoopLowering {
public:
    using Variables = std::vector<Lowered>;

    LoopLowering(ModelLowering& model, Region& region, NodeId node);

    /// Returns the values of the variables after the loop.
    Variables lower(const Variables& initial, const LoopCondition& condition, const LoopBody& body);

private:
    Lowered sizeOfCarried(std::size_t index) const;
    Lowered carriedRows(Region& region, std::size_t index, const Lowered& list) const;
    Lowered lowerStep(const LoopCondition& condition, const LoopBody& body);
    bool carryLists(const Lowered& truth);
    Lowered variableIn(TargetScope& target, std::size_t index, const Lowered& initial);
    bool isInvariant(std::size_t index) const;
    Lowered outerOf(const Lowered& inStep) const;
    Lowered startOfCounter(const Lowered& index) const;
    std::optional<std::int64_t> unfilled(const Lowered& truth, const Lowered& size) const;
    bool fills(const Lowered& truth, std::size_t index) const;
    bool beginsWritten(std::size_t index) const;
    std::optional<std::size_t> countdownOf(const Lowered& index) const;
    bool runsToZero(const Lowered& truth, std::size_t variable, const Lowered& size) const;
    bool writesBackwards(const Lowered& truth, std::size_t index) const;
    bool isRead(std::size_t index) const;
    bool isCollected(const Lowered& truth, std::size_t index) const;
    bool isOnlyElement(const Lowered& written) const;
    std::string nameAfterLoop(std::size_t index) const;
    Lowered lastRow(const Lowered& rows);
    Lowered rowsOf(std::size_t index, const Lowered& stacked);
    Lowered withFirst(std::size_t index, const Lowered& rows, bool isBefore);
    Lowered reversedRows(std::size_t index, const Lowered& stacked);

    ModelLowering& m_model;
    Region& m_region;
    NodeId m_node;
    TargetScope m_condition;
    TargetScope m_body;
    Variables m_initial;
    Variables m_inCondition;
    Variables m_inBody;
    Variables m_next;
    std::vector<bool> m_isCarried; ///< of lists: whether their elements are the rows of a variable
    std::vector<bool> m_isResized; ///< of carried lists: whether the steps change the number of elements
};

} // namespace crosswalk::tensorflow
