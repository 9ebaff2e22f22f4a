#include "core/formats/pytorch/torchscript/branch_state.h"

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace crosswalk::pytorch {

bool isLeaf(const ScriptValue& value)
{
    return std::holds_alternative<TensorRef>(value) || std::holds_alternative<ComputedList>(value) ||
           numberKindOf(value).has_value();
}

void expectSameView(const TensorCell& before, const ScriptHeap& after, std::uint32_t tensor)
{
    const TensorCell& now = after.tensors[tensor];
    if (before.base == now.base && before.view == now.view) {
        return;
    }
    const bool isShared = before.base || std::ranges::any_of(after.tensors, [&](const TensorCell& other) {
                              return &other != &now && other.base == now.base;
                          });
    if (isShared) {
        Interpreter::unsupported(fmt::format("a branch or a loop changes the shape of tensor {} in place, which shares "
                                             "its memory; copy it with clone()",
                                             before.name));
    }
}

Cells memoryOf(const ScriptHeap& heap, std::uint32_t tensor)
{
    while (heap.tensors[tensor].base) {
        tensor = *heap.tensors[tensor].base;
    }
    Cells shared{tensor};
    if (heap.tensors[tensor].mayShare != nullptr) {
        shared.insert(heap.tensors[tensor].mayShare->begin(), heap.tensors[tensor].mayShare->end());
    }
    return shared;
}

Cells sharedBefore(const ScriptHeap& heap, std::uint32_t tensor, std::uint32_t count)
{
    Cells shared = memoryOf(heap, tensor);
    shared.erase(shared.lower_bound(count), shared.end());
    return shared;
}

std::shared_ptr<const Cells> sharedCells(Cells cells)
{
    return cells.empty() ? nullptr : std::make_shared<const Cells>(std::move(cells));
}

} // namespace crosswalk::pytorch
