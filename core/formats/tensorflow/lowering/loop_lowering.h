#pragma once

#include "core/formats/tensorflow/lowering/model_lowering.h"

namespace crosswalk::tensorflow {

/// Builds a `While` from the initial values of its variables and functions that lower its condition and its body.
class LoopLowering {
public:
    using Variables = std::vector<Lowered>;

    LoopLowering(ModelLowering& model, Region& region, NodeId node);

    /// Returns the values of the variables after the loop.
    Variables lower(const Variables& initial,
                    const std::function<Lowered(TargetScope& target, const Variables& variables)>& condition,
                    const std::function<Variables(TargetScope& target, const Variables& variables)>& body);

private:
    Lowered variableIn(TargetScope& target, std::size_t index, const Lowered& initial);
    bool isInvariant(std::size_t index) const;
    Lowered startOfCounter(const Lowered& index) const;
    bool isCounter(const Lowered& index) const;
    bool fills(const Lowered& truth, const Lowered& size) const;
    void checkList(std::size_t index) const;
    bool isOnlyElement(const Lowered& written) const;
    std::string nameAfterLoop(std::size_t index) const;
    Lowered lastRow(const Lowered& rows);
    Lowered rowsOf(const Lowered& written, const Lowered& stacked);

    ModelLowering& m_model;
    Region& m_region;
    NodeId m_node;
    TargetScope m_condition;
    TargetScope m_body;
    Variables m_initial;
    Variables m_inCondition;
    Variables m_inBody;
    Variables m_next;
};

} // namespace crosswalk::tensorflow
