#pragma once

#include "core/convert/lowering.h"

#include <string_view>

namespace crosswalk::tensorflow {

inline constexpr std::string_view loweringError = "lowering_error";
inline constexpr std::string_view behindGap = "behind_gap";
/// Of nodes that read the rows of a list to join its elements.
inline constexpr std::string_view joinsElements = "joins_elements";
/// Of a TensorScatter that writes rows of a variable: its updates may be a scalar.
inline constexpr std::string_view updatesRows = "updates_rows";

/// Lowers a graph of TensorFlow:
///
/// - function calls are inlined;
/// - the loops and branches of TensorFlow 1 (Enter, Merge, Switch, NextIteration, Exit) and the functional ones of
///   TensorFlow 2 become nodes `While` and `If` with bodies;
/// - placeholders become inputs; constants and variables become stored values;
/// - TensorArrays and TensorLists become tensors that have the elements as rows;
/// - nodes that only pass a value on or check it at run time are removed, and so are nodes that no output needs.
///
/// A `While` has the inputs: loop variables, then `condition_captures` values that only the condition reads, then those
/// that only the body reads. Its condition takes the variables and its captures and returns a bool; its body takes the
/// variables and its captures and returns the next variables, then `stacked_outputs` values whose rows are the node's
/// further outputs. An `If` has the inputs: condition, then `then_captures` values, then those of the other side.
///
/// A list that a loop writes once in each iteration, in order, becomes a stacked output. The rows of other lists are
/// variables of the loop, whose numbers the attribute `list_variables` lists; `list_outputs` lists the outputs of an
/// `If` that are rows of lists. `joined_outputs` lists the stacked outputs that are only joined: their rows may differ
/// in size, and one row may have the elements of all. `joined_variables` lists the variables whose rows are joined,
/// too, and must have one size. A list without elements has a tensor of shape [0] as rows unless the model declares the
/// shape of its elements.
///
/// A node that cannot be lowered stays, without inputs, with the reason in its attribute `lowering_error`. A list
/// operator that reads the list of such a node also stays, marked by its attribute `behind_gap`. Throws ModelError
/// "damaged" for recursive functions and for control flow that TensorFlow does not write.
LoweredGraph lower(const Graph& graph, const ConvertOptions& options);

} // namespace crosswalk::tensorflow
