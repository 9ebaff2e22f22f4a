#pragma once

#include "core/layout/folding.h"
#include "ui/canvas/occupancy.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace crosswalk::ui {

/// Sorts indices and removes repeated ones.
void makeUnique(std::vector<std::uint32_t>& indices);

/// A laid-out scene with the data needed to paint it. Built in the background, then shared and immutable. If groups are
/// closed, its boxes differ from those of the whole scene: these are called "drawn boxes", the others "boxes".
struct DrawnScene {
    /// A scene in which all groups are open.
    explicit DrawnScene(Scene laidOut, Flow flow = Flow::Down);
    explicit DrawnScene(std::shared_ptr<const Scene> laidOut, Flow flow = Flow::Down);
    DrawnScene(FoldedScene laidOut, std::shared_ptr<const SceneGroups> groupsOfWhole);
    DrawnScene(const DrawnScene&) = delete;
    DrawnScene& operator=(const DrawnScene&) = delete;

    /// The drawn box that is or contains a box.
    std::uint32_t drawnAs(std::uint32_t box) const { return m_folded ? m_folded->drawnAs[box] : box; }
    /// Ascending, without duplicates.
    std::vector<std::uint32_t> drawnAs(const std::vector<std::uint32_t>& boxes) const;
    /// The boxes that drawn boxes represent, ascending.
    std::vector<std::uint32_t> membersOf(const std::vector<std::uint32_t>& drawn) const;
    /// The first box that a drawn box represents.
    std::uint32_t firstMember(std::uint32_t drawn) const;
    /// The closed group that a drawn box represents, if any.
    std::optional<std::uint32_t> groupOf(std::uint32_t drawn) const;
    /// Open groups, outer ones first.
    std::span<const GroupFrame> frames() const;
    /// The rectangle of a group, drawn as a box or as a frame; nothing if an enclosing group is closed.
    std::optional<QRectF> placeOf(std::uint32_t group) const;
    Flow flow() const { return m_flow; }
    /// The groups of the whole scene; null if no group is closed.
    const std::shared_ptr<const SceneGroups>& groups() const { return m_groups; }
    const LayoutMemo* memo() const { return m_folded ? m_folded->memo.get() : nullptr; }

private:
    std::shared_ptr<const FoldedScene> m_folded; ///< null if no group is closed
    std::shared_ptr<const SceneGroups> m_groups;
    std::shared_ptr<const Scene> m_scene;
    Flow m_flow;

public:
    const Scene& scene;
    SceneIndex index;
    Occupancy occupancy;
};

/// Badge of a box whose shape changed by the last edit. It is not a gap, so it has its own colour.
inline QString shapeBadge()
{
    return QCoreApplication::translate("crosswalk::ui::Words", "shape", "badge");
}

/// Results of a conversion for the boxes of a scene.
struct SceneMarks {
    std::vector<Verdict> verdicts;                         ///< by box; Exact if there is nothing to report
    std::unordered_map<std::uint32_t, QStringList> badges; ///< "clip", "proj"... of boxes with such gaps
    std::vector<std::uint32_t> alarms; ///< ascending, visible at every zoom: unsupported, approximate, differing
    std::vector<ErrorLevel> errors;    ///< by box; empty without a check
    std::vector<Tint> tints;           ///< by box: its colour in place of its category's; empty if not used
    std::vector<double> amounts; ///< by box: what the tints represent, to be added up for closed groups; may be empty
    std::vector<double> steps;   ///< of amounts: the smallest one of each of the `amountSteps` tints, ascending
    std::vector<bool> dimmed;    ///< by box: dimmed by a filter; empty without a filter
    std::vector<bool> blocked;   ///< by box: not converted only because of another one; empty if none is
    bool areChanges = false;     ///< the verdicts represent differences between two models

    bool isDimmed(std::uint32_t box) const { return box < dimmed.size() && dimmed[box]; }
    bool isBlocked(std::uint32_t box) const { return box < blocked.size() && blocked[box]; }
    /// Whether recorded tensors have confirmed the result of a box.
    bool isProven(std::uint32_t box) const
    {
        return box < errors.size() && errors[box] != ErrorLevel::NotCompared && errors[box] != ErrorLevel::Differs;
    }
};

/// The tint of an amount, by `SceneMarks::steps`. None for zero.
Tint tintOfAmount(double amount, std::span<const double> steps);

/// The cells of a scene seen from afar, in the colours of the marks; null if these are the colours of the categories.
std::shared_ptr<const Occupancy> cellsOf(const DrawnScene& drawn, const SceneMarks* marks);

/// Adds the badges of a box to those of a scope or a group, which are sorted and unique.
void addBadges(QStringList& list, const QStringList& badges);

/// Maps the marks of boxes to drawn boxes: a closed group has the alarms and badges of its contents.
std::shared_ptr<const SceneMarks> marksAsDrawn(const std::shared_ptr<const SceneMarks>& marks, const DrawnScene& drawn);

/// The title bar of a frame, in scene coordinates; a click there closes the group.
QRectF titlePlace(const GroupFrame& frame);

} // namespace crosswalk::ui
