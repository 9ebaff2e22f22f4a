#pragma once

#include "ui/document/document.h"
#include "ui/models/details_model.h"

namespace crosswalk::ui {

/// The attributes of a node: what the file says, marked where a finding is about it, then what the operator assumes
/// for those that the file leaves out.
DetailSection attributeDetails(const Document& document, const GraphSide& side, const Node& node,
                               const std::string& label);

} // namespace crosswalk::ui
