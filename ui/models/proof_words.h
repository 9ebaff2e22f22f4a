#pragma once

#include "ui/document/document.h"

namespace crosswalk::ui {

/// Whether what became of a box is proven on recorded tensors, in one sentence; empty where there is nothing to prove.
QString proofSentence(const Document& document, Side side, std::uint32_t box);
/// What is known of it; nothing where there is nothing to prove.
std::optional<Proof> proofOf(const Document& document, Side side, std::uint32_t box);

/// "identical", "differs": an entry of the legend.
QString errorLevelName(ErrorLevel level);
/// What a model was run on: "recorded tensors", "made-up inputs, 1, 3 and 8 batches at once".
QString inputsText(const NodeCheck& check);
/// The outcome of a check as a whole: what agrees, or where the numbers part.
QString checkSentence(const Document& document, const NodeCheck& check);

} // namespace crosswalk::ui
