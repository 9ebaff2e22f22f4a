#pragma once

#include "core/compare/model_diff.h"
#include "ui/document/graph_side.h"

#include <array>
#include <memory>
#include <stop_token>

namespace crosswalk::ui {

struct ConvertedModel;

/// Shows another model in place of the conversion. Corresponding nodes are linked like a node and its conversion
/// result. `before` has the current drawings by side. Null if stopped.
std::shared_ptr<ConvertedModel> compareSides(const std::array<DrawnSide, 2>& before, std::shared_ptr<const Graph> other,
                                             std::stop_token stop);

/// The code of a diagnostic for a node that only the second model has; its node index refers to that model.
inline constexpr Code addedNode = "added-node";

/// The verdict whose mark represents a change: approximate for changed, unsupported for removed, decomposed for added
/// nodes.
Verdict markOf(Change change);

/// What differs, such as "attribute axis".
QString differingText(const Difference& difference);
/// "0.5 -> 0.25".
QString changeText(const Difference& difference);
/// "attribute alpha: 0.5 -> 0.25".
QString differenceText(const Difference& difference);

} // namespace crosswalk::ui
