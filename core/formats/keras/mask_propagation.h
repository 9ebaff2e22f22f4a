#pragma once

#include "core/convert/lowering.h"

#include <string_view>
#include <vector>

namespace crosswalk::keras {

/// The attribute of a lowered node that names its last inputs, which are masks: "mask:0" is that of input 0.
inline constexpr std::string_view masksAttribute = "masks";

// The operators of masks in a lowered graph.
inline constexpr std::string_view maskOfIds = "mask.of_ids";       ///< x != 0
inline constexpr std::string_view maskOfValues = "mask.of_values"; ///< any feature of x != mask_value
inline constexpr std::string_view maskAnd = "mask.and";
inline constexpr std::string_view maskOr = "mask.or";
inline constexpr std::string_view maskJoin = "mask.join";    ///< one after the other along `axis` of the tensors
inline constexpr std::string_view maskOfAll = "mask.of_all"; ///< of all elements of x
inline constexpr std::string_view maskOfSteps =
    "mask.of_steps"; ///< whether any element of a step counts: the axes up to `time`

/// Makes the masks that Keras carries along with tensors explicit: as values that the layers which heed them read.
bool propagateMasks(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

} // namespace crosswalk::keras
