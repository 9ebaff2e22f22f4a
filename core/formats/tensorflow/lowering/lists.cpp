#include "core/formats/tensorflow/lowering/lists.h"

#include "core/formats/tensorflow/lowering/lower.h"
#include "core/graph/attributes.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace crosswalk::tensorflow {
namespace {

/// Deletes a list, then the lists before it that nothing else owns, without recursion: a model may write a list
/// thousands of times.
void deleteList(const List* list)
{
    std::shared_ptr<const List> before = list->before;
    delete list;
    while (before.use_count() == 1) {
        before = std::shared_ptr(before->before); // a copy, so that this call owns the next list as well
    }
}

} // namespace

Lowered listOf(List list)
{
    return {.kind = Lowered::Kind::List, .list = std::shared_ptr<const List>(new List(std::move(list)), deleteList)};
}

Lowered written(const Lowered& list, const Lowered& index, const Lowered& value)
{
    return listOf({.content = List::Content::Written,
                   .element = list.list->element,
                   .size = list.list->size,
                   .tensor = value,
                   .index = index,
                   .position = scalarOf(index),
                   .before = list.list});
}

Lowered appended(const Lowered& list, const Lowered& value)
{
    return listOf({.content = List::Content::Written,
                   .element = list.list->element,
                   .size = {},
                   .tensor = value,
                   .isAppended = true,
                   .before = list.list});
}

Lowered stackedList(const Lowered& rows, const Lowered& size)
{
    return listOf({.content = List::Content::Stacked,
                   .element = rows.scope->graph.value(rows.value).type.element,
                   .size = size,
                   .tensor = rows});
}

bool isGap(const Lowered& value)
{
    return !describeGap(value).empty();
}

std::string describeGap(const Lowered& value)
{
    const Node* node = producerOf(value);
    for (const std::string_view attribute : {loweringError, behindGap}) {
        if (const auto* why = node != nullptr ? attributeOf<std::string>(*node, attribute) : nullptr) {
            return fmt::format("{}: {}", node->name, *why);
        }
    }
    return {};
}

} // namespace crosswalk::tensorflow
