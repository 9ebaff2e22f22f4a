#pragma once

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/program_state.h"
#include "core/graph/graph.h"

#include <map>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

/// Attribute of a node that was an in-place operator: the result keeps the element type of `self`.
constexpr std::string_view inPlace = "in_place";
/// Attribute of a node that wrote its result to a given tensor, such as aten::add with `out`: the argument. The result
/// has its element type.
constexpr std::string_view writtenArgument = "written_argument";

/// Replaces in-place operators, such as aten::add_ and aten::add with `out`, by those that return a new tensor.
/// Whatever reads the memory afterwards, by the same name, as a view or as the base of one, reads the new elements: a
/// write to a view becomes a write to its base, and views are computed anew from the base when they are read.
///
/// The same holds in bodies of branches and loops. A branch returns what it writes to its operands as further results;
/// a body of a loop that writes to one is a problem.
///
/// A read of memory that may or may not have been written (aten::reshape returns a view or a copy) is a problem of the
/// node that writes, and so is a write that cannot be passed on to the base. Of `contiguous` tensors, it is a view.
///
/// What the program returns is read at its end, other outputs where they are computed.
///
/// Nodes and values keep their indices; new ones follow, which need not be in topological order. They have
/// Node::origins. Returns the stored tensors that are written, each with its content after a run.
std::map<ValueId, ValueId> functionalize(Graph& graph, const ProgramState& state, std::vector<Diagnostic>& problems);

} // namespace crosswalk::pytorch
