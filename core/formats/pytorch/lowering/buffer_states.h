#pragma once

#include "core/convert/lowering.h"
#include "core/formats/pytorch/program_state.h"

#include <span>
#include <vector>

namespace crosswalk::pytorch {

/// A written tensor that the user selected as an output is an input, whose default is the stored content, and an output
/// NAME/next; its values of the source are returned. Every run starts from the stored content of the others, which is a
/// warning.
ValueIds exportStates(Graph& graph, const ProgramState& state, std::vector<Diagnostic>& problems);

/// Makes these values of the source inputs of the lowered graph.
void addStateInputs(LoweredGraph& lowered, std::span<const ValueId> states);

} // namespace crosswalk::pytorch
