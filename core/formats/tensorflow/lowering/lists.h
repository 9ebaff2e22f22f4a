#pragma once

#include "core/formats/tensorflow/lowering/target_scope.h"

#include <string>

namespace crosswalk::tensorflow {

/// Lists as values of lowering. No node represents them: what reads them reads their elements.
Lowered listOf(List list);
/// A list of the rows of a tensor, followed by zeros up to `size` if that is known.
Lowered stackedList(const Lowered& rows, const Lowered& size = {});
/// `list` with `value` in place of the element at an index.
Lowered written(const Lowered& list, const Lowered& index, const Lowered& value);
/// `list` with one more element.
Lowered appended(const Lowered& list, const Lowered& value);
/// Whether a tensor replaces a list that could not be lowered.
bool isGap(const Lowered& value);
/// Why a list could not be lowered, "node: reason"; empty if `value` does not replace one.
std::string describeGap(const Lowered& value);

} // namespace crosswalk::tensorflow
