#pragma once

#include "core/graph/graph.h"

namespace crosswalk::mxnet {

/// Sets the role of every input from the slots that it reaches: Data if any use takes it as data, Label if all uses are
/// labels of loss heads (which inference drops), else Parameter. A weight stays a weight through operators that only
/// move it, and into the bodies of loops. Nothing else about the inputs changes.
void assignInputRoles(Graph& graph);

} // namespace crosswalk::mxnet
