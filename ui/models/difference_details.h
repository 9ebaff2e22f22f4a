#pragma once

#include "ui/document/document_view.h"
#include "ui/models/details_model.h"

#include <cstdint>

namespace crosswalk::ui {

/// The differences between a box and its counterpart, one per row; empty if no models are being compared.
DetailSection differenceSection(const DocumentView& document, Side side, std::uint32_t box);

/// The result of the comparison for a node: "2 properties changed."
QString changeSentence(const ModelDiff& diff, Side side, NodeId node);

/// The numbers of unchanged, changed, removed and added nodes.
DetailSection comparisonSummary(const ModelDiff& diff);

} // namespace crosswalk::ui
