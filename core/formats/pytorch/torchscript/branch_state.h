#pragma once

#include "core/formats/pytorch/torchscript/script_value.h"

#include <cstdint>
#include <memory>
#include <set>

namespace crosswalk::pytorch {

/// Indices of tensors of a heap.
using Cells = std::set<std::uint32_t>;

/// Whether one result of a node holds the value: a tensor, a number or a computed list.
bool isLeaf(const ScriptValue& value);

/// Refuses in-place changes of shape in a branch or a loop body for views and for tensors that have views: the merged
/// state keeps one view of each. If no memory is shared, the change only replaces the elements of the tensor.
void expectSameView(const TensorCell& before, const ScriptHeap& after, std::uint32_t tensor);

/// The tensors whose memory a tensor may share.
Cells memoryOf(const ScriptHeap& heap, std::uint32_t tensor);

/// Those of them that existed before a body: those below `count`.
Cells sharedBefore(const ScriptHeap& heap, std::uint32_t tensor, std::uint32_t count);

/// Null for no cells.
std::shared_ptr<const Cells> sharedCells(Cells cells);

} // namespace crosswalk::pytorch
