#pragma once

#include "ui/document/document_view.h"
#include "ui/models/details_model.h"

#include <string>

namespace crosswalk::ui {

/// The attributes of a node: those in the file, marked if a problem concerns them, then the operator's defaults for
/// those that are missing in the file.
DetailSection attributeDetails(const DocumentView& document, const GraphSide& side, const Node& node,
                               const std::string& label);

} // namespace crosswalk::ui
