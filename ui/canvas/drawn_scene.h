#pragma once

#include "core/layout/folding.h"
#include "ui/canvas/occupancy.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <unordered_map>

namespace crosswalk::ui {

/// A laid-out scene with what painting it needs. Built in the background, then shared and never changed. Where groups
/// are closed its boxes are not those of the whole scene: "drawn boxes" here, "boxes" there.
struct DrawnScene {
    /// A scene in which nothing is folded.
    explicit DrawnScene(Scene laidOut, Flow flow = Flow::Down);
    explicit DrawnScene(std::shared_ptr<const Scene> laidOut, Flow flow = Flow::Down);
    DrawnScene(FoldedScene laidOut, std::shared_ptr<const SceneGroups> groupsOfWhole);
    DrawnScene(const DrawnScene&) = delete;
    DrawnScene& operator=(const DrawnScene&) = delete;

    /// The drawn box that a box is or is in.
    std::uint32_t drawnAs(std::uint32_t box) const { return m_folded ? m_folded->drawnAs[box] : box; }
    /// Ascending, each once.
    std::vector<std::uint32_t> drawnAs(const std::vector<std::uint32_t>& boxes) const;
    /// Boxes that drawn boxes stand for, ascending.
    std::vector<std::uint32_t> membersOf(const std::vector<std::uint32_t>& drawn) const;
    /// The first of the boxes that a drawn box stands for.
    std::uint32_t firstMember(std::uint32_t drawn) const;
    /// The closed group that a drawn box is.
    std::optional<std::uint32_t> groupOf(std::uint32_t drawn) const;
    /// Open groups, outer ones first.
    std::span<const GroupFrame> frames() const;
    /// Where a group is drawn, be it as a box or as a frame; nothing where one around it is closed.
    std::optional<QRectF> placeOf(std::uint32_t group) const;
    Flow flow() const { return m_flow; }
    /// Of the whole scene; null where nothing is folded.
    const std::shared_ptr<const SceneGroups>& groups() const { return m_groups; }
    const LayoutMemo* memo() const { return m_folded ? m_folded->memo.get() : nullptr; }

private:
    std::shared_ptr<const FoldedScene> m_folded; ///< null where nothing is folded
    std::shared_ptr<const SceneGroups> m_groups;
    std::shared_ptr<const Scene> m_scene;
    Flow m_flow;

public:
    const Scene& scene;
    SceneIndex index;
    Occupancy occupancy;
};

/// Badge of a box whose shape is another since the last edit: no gap, so it has a colour of its own.
inline QString shapeBadge()
{
    return QCoreApplication::translate("crosswalk::ui::Words", "shape", "badge");
}

/// What a conversion says of the boxes of a scene.
struct SceneMarks {
    std::vector<Verdict> verdicts;                         ///< by box; Exact where there is nothing to say
    std::unordered_map<std::uint32_t, QStringList> badges; ///< "clip", "proj"... of boxes with such gaps
    std::vector<std::uint32_t> alarms; ///< ascending, seen at every zoom: unsupported, approximate, differing
    std::vector<ErrorLevel> errors;    ///< by box: tints them instead of their category; empty without
    std::vector<bool> dimmed;          ///< by box: steps back, for others are looked at; empty without
    bool areChanges = false;           ///< the verdicts stand for what two models differ in

    bool isDimmed(std::uint32_t box) const { return box < dimmed.size() && dimmed[box]; }
    /// Whether recorded tensors have shown that a box computes what it should.
    bool isProven(std::uint32_t box) const
    {
        return box < errors.size() && errors[box] != ErrorLevel::NotCompared && errors[box] != ErrorLevel::Differs;
    }
};

/// Adds badges to those of a scope or a group, which stay sorted and say each once.
void addBadges(QStringList& list, const QStringList& badges);

/// Marks of boxes as marks of what they are drawn as: a closed group has the alarms and badges of what is in it.
std::shared_ptr<const SceneMarks> marksAsDrawn(const std::shared_ptr<const SceneMarks>& marks, const DrawnScene& drawn);

/// The title of a frame, where a click closes it: in the scene.
QRectF titlePlace(const GroupFrame& frame);

} // namespace crosswalk::ui
