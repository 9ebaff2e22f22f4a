#pragma once

#include "core/graph/graph.h"

namespace crosswalk::mxnet {

/// Sets the role of every input from the slots that it reaches: Data where any use takes it as data, Label where all
/// uses are labels of loss heads (which inference drops), else Parameter. A weight stays one through operators that
/// only move it, and into the bodies of loops. Inputs are left as they are otherwise.
void assignInputRoles(Graph& graph);

} // namespace crosswalk::mxnet
