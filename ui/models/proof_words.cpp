#include "ui/models/proof_words.h"

#include "ui/document/verifier.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QLocale>

#include <algorithm>

namespace crosswalk::ui {
namespace {

QString number(double value, int digits = 3)
{
    return QLocale().toString(value, 'g', digits);
}

/// The source node whose verification a box shows: its own, or the worst of those it was converted from.
NodeId provenNode(const DocumentView& document, Side side, std::uint32_t box)
{
    const auto& converted = document.converted();
    const NodeId node = document.side(side)->box(box).node;
    if (!converted || !node || side == Side::Source) {
        return converted ? node : NodeId();
    }
    const auto& sources = converted->conversion.sources;
    if (node.index >= sources.size() || sources[node.index].empty()) {
        return {};
    }
    const auto& of = sources[node.index];
    const auto& check = document.verifier().check();
    return !check ? of.front() : *std::max_element(of.begin(), of.end(), [&](NodeId a, NodeId b) {
        return check->proofs[a.index] < check->proofs[b.index];
    });
}

/// "17 of 320 values, largest difference 0.3 (1.3 instead of 1)".
QString differenceText(const Comparison& found)
{
    // Different shapes, types and strings have no magnitudes.
    return found.differing == 0 || found.isText ? displayText(found.why)
                                                : Words::tr("%1, largest difference %2 (%3 instead of %4)")
                                                      .arg(displayText(found.why), number(found.maxAbsolute),
                                                           number(found.got, 6), number(found.wanted, 6));
}

/// The reference of the comparison.
QString reference(const NodeCheck& check)
{
    return check.isOriginal ? Words::tr("the original") : Words::tr("the recorded tensors");
}

QString nodeName(const DocumentView& document, NodeId node)
{
    return displayText(document.side(Side::Source)->names.of(node));
}

} // namespace

std::optional<Proof> proofOf(const DocumentView& document, Side side, std::uint32_t box)
{
    const NodeId node = provenNode(document, side, box);
    if (!node || document.compared() != nullptr ||
        document.converted()->conversion.verdicts[node.index] == Verdict::Unsupported) {
        return std::nullopt;
    }
    return document.verifier().check() ? document.verifier().check()->proofs[node.index] : Proof::NotChecked;
}

QString proofSentence(const DocumentView& document, Side side, std::uint32_t box)
{
    const auto proof = proofOf(document, side, box);
    if (!proof) {
        return {};
    }
    if (!document.verifier().check()) {
        return document.isOnnx() ? Words::tr("Not yet checked against the original.")
                                 : Words::tr("Not yet checked on recorded tensors.");
    }
    const NodeCheck& check = *document.verifier().check();
    const NodeId node = provenNode(document, side, box);
    if (*proof == Proof::NotChecked) {
        return check.isOriginal ? Words::tr("Not checked: none of its values can be compared.")
                                : Words::tr("Not checked: none of its values was recorded.");
    }
    const Comparison& worst = check.values[*check.worst[node.index]].comparison;
    if (*proof == Proof::Proven) {
        const QString what = check.isOriginal ? Words::tr("Matches the original on %1").arg(inputsText(check))
                                              : Words::tr("Matches the recorded tensors");
        return Words::tr("%1: %L2 values, largest difference %3.")
            .arg(what)
            .arg(worst.elements)
            .arg(number(worst.maxAbsolute));
    }
    return check.firstDifference == node
               ? Words::tr("The first to differ from %1: %2.").arg(reference(check), differenceText(worst))
               : Words::tr("Differs from %1: %2. The first difference is at %3.")
                     .arg(reference(check), differenceText(worst),
                          breakable(nodeName(document, *check.firstDifference)));
}

QString errorLevelName(ErrorLevel level, std::ptrdiff_t count)
{
    switch (level) {
    case ErrorLevel::NotCompared:
        return Words::tr("not compared");
    case ErrorLevel::Same:
        return Words::tr("identical");
    case ErrorLevel::Tiny:
        return Words::tr("agree to 1e-5");
    case ErrorLevel::Tolerated:
        return Words::tr("within tolerance");
    case ErrorLevel::Differs:
        return count == 1 ? Words::tr("differs") : Words::tr("differ");
    }
    return {};
}

QString inputsText(const NodeCheck& check)
{
    if (!check.isOriginal) {
        return Words::tr("recorded tensors");
    }
    if (check.times == std::vector<std::int64_t>{1}) {
        return Words::tr("random inputs");
    }
    QString times;
    for (std::size_t i = 0; i < check.times.size(); ++i) {
        times += (i == 0                       ? QString()
                  : i + 1 < check.times.size() ? Words::tr(", ")
                                               : Words::tr(" and ")) +
                 QStringLiteral("%L1").arg(check.times[i]);
    }
    return Words::tr("random inputs, %1 batches at once").arg(times);
}

QString checkSentence(const DocumentView& document, const NodeCheck& check)
{
    if (check.firstDifference) {
        const Comparison& worst = check.values[*check.worst[check.firstDifference->index]].comparison;
        const auto proven = static_cast<int>(check.count(Proof::Proven));
        const QString others = proven == 0 ? QString()
                                           : counted(proven, Words::tr(" 1 other node matches."),
                                                     Words::tr(" %Ln other nodes match.", nullptr, proven));
        return Words::tr("%1 is the first to differ from %2: %3.%4")
            .arg(nodeName(document, *check.firstDifference), reference(check), differenceText(worst), others);
    }
    const auto& outputs = check.outputs.outputs;
    const auto differs = std::find_if(outputs.begin(), outputs.end(), [](const Comparison& c) { return !c.equal; });
    if (differs != outputs.end()) {
        return Words::tr("Output %1 differs from %2: %3.")
            .arg(displayText(differs->name), reference(check), differenceText(*differs));
    }
    if (!check.limit.empty()) {
        return Words::tr(
                   "Agrees with the original for one batch at a time. Several batches at once cannot be compared: %1.")
            .arg(displayText(check.limit));
    }
    if (check.innerProblem) {
        return Words::tr("The outputs agree; the inner tensors could not be compared: %1.")
            .arg(messageText(check.innerProblem->message));
    }
    return {};
}

} // namespace crosswalk::ui
