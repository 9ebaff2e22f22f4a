#pragma once

#include "core/compare/model_diff.h"
#include "ui/document/graph_side.h"

#include <array>

namespace crosswalk::ui {

struct ConvertedModel;

/// Another model beside the open one, in the place of its conversion: what is the same node is linked as a node is with
/// what became of it. `before` is what is drawn now, by side. Null when stopped.
std::shared_ptr<ConvertedModel> compareSides(const std::array<DrawnSide, 2>& before, std::shared_ptr<const Graph> other,
                                             std::stop_token stop);

/// The finding of a node that only the second model has: its node index is of that one.
inline constexpr Code addedNode = "added-node";

/// The mark that a change is shown with, those of verdicts: changed as what is approximate, removed as what is missing,
/// added as what is more than there was.
Verdict markOf(Change change);

/// "0.5 -> 0.25".
QString changeText(const Difference& difference);
/// "attribute alpha: 0.5 -> 0.25".
QString differenceText(const Difference& difference);

} // namespace crosswalk::ui
