#pragma once

#include "ui/document/document.h"
#include "ui/models/details_model.h"

namespace crosswalk::ui {

/// What a box of one model and its counterpart in the other differ in, a line each; empty where nothing is compared.
DetailSection differenceSection(const Document& document, Side side, std::uint32_t box);

/// What the comparison says of a node: "Changed in 2 things."
QString changeSentence(const ModelDiff& diff, Side side, NodeId node);

/// How many nodes are the same, changed, removed, added.
DetailSection comparisonSummary(const ModelDiff& diff);

} // namespace crosswalk::ui
