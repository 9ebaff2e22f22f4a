#include "ui/models/difference_details.h"

#include "ui/document/comparison.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

namespace crosswalk::ui {
namespace {

/// The differences of a node and its counterpart; null if it has no counterpart.
const std::vector<Difference>* differencesOf(const ModelDiff& diff, Side side, NodeId node)
{
    const auto& matches = side == Side::Source ? diff.match.ofFirst : diff.match.ofSecond;
    if (!node || node.index >= matches.size() || !matches[node.index]) {
        return nullptr;
    }
    return &diff.differences[side == Side::Source ? node.index : matches[node.index].index];
}

} // namespace

DetailSection differenceSection(const DocumentView& document, Side side, std::uint32_t box)
{
    DetailSection section{Words::tr("Differences"), {}};
    const auto& converted = document.converted();
    if (!converted || !converted->diff) {
        return section;
    }
    const auto* differences = differencesOf(*converted->diff, side, document.side(side)->box(box).node);
    if (differences == nullptr) {
        return section;
    }
    for (const Difference& difference : *differences) {
        Detail detail{differingText(difference), changeText(difference)};
        detail.toolTip = QStringLiteral("%1   %2").arg(detail.name, detail.value);
        detail.emphasised = true;
        section.details.push_back(std::move(detail));
    }
    return section;
}

QString changeSentence(const ModelDiff& diff, Side side, NodeId node)
{
    const auto* differences = differencesOf(diff, side, node);
    if (differences == nullptr) {
        return side == Side::Source ? Words::tr("Removed: the other model has no such node.")
                                    : Words::tr("Added: the first model has no such node.");
    }
    const int count = static_cast<int>(differences->size());
    return count == 0
               ? Words::tr("The same in both models.")
               : counted(count, Words::tr("1 property changed."), Words::tr("%Ln properties changed.", nullptr, count));
}

DetailSection comparisonSummary(const ModelDiff& diff)
{
    DetailSection section{Words::tr("Comparison"), {}};
    const std::pair<Change, QString> rows[] = {{Change::Same, Words::tr("The same")},
                                               {Change::Changed, Words::tr("Changed")},
                                               {Change::Removed, Words::tr("Removed")},
                                               {Change::Added, Words::tr("Added")}};
    for (const auto& [change, name] : rows) {
        section.details.push_back({name, QStringLiteral("%L1").arg(diff.count(change))});
    }
    return section;
}

} // namespace crosswalk::ui
