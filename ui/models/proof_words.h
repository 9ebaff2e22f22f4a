#pragma once

#include "ui/document/document_view.h"

#include <cstdint>
#include <iosfwd>
#include <optional>

namespace crosswalk::ui {

/// Whether the conversion of a box was verified on recorded tensors, as a sentence; empty if there is nothing to
/// verify.
QString proofSentence(const DocumentView& document, Side side, std::uint32_t box);
/// The error level of a box; nothing if there is nothing to verify.
std::optional<Proof> proofOf(const DocumentView& document, Side side, std::uint32_t box);

/// "identical", "differs": an entry of the legend.
/// After a count: "2 differ".
QString errorLevelName(ErrorLevel level, std::ptrdiff_t count);
/// The inputs of a check: "recorded tensors", "random inputs, 1, 3 and 8 batches at once".
QString inputsText(const NodeCheck& check);
/// The result of a check: what agrees, or where the first difference is.
QString checkSentence(const DocumentView& document, const NodeCheck& check);

} // namespace crosswalk::ui
