#pragma once

#include "ui/canvas/same_boxes.h"
#include "ui/document/graph_side.h"
#include "ui/jobs/job_runner.h"

#include <QSizeF>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::ui {

class Selection;

/// The drawn graphs of both sides: which groups are open, and in which direction the graphs flow. Groups are opened and
/// closed in the background; `changed` is emitted when the drawing is ready.
class GroupFolding final : public QObject {
    Q_OBJECT
public:
    GroupFolding(Selection& selection, QObject* parent);

    JobRunner& job(Side side) { return side == Side::Source ? m_sourceJob : m_targetJob; }
    const DrawnSide& shown(Side side) const { return m_shown[static_cast<std::size_t>(side)]; }
    /// By side.
    const std::array<DrawnSide, 2>& shown() const { return m_shown; }
    /// Maps boxes of the side's previous graph to the current one.
    const SameBoxes& sameAsBefore(Side side) const { return m_same[static_cast<std::size_t>(side)]; }

    /// Opens a closed group or closes an open one. Then selects its contents, or the first node of them.
    void toggleGroup(Side side, std::uint32_t group);
    void setAllOpen(Side side, bool open);
    /// Opens the groups that hide any of the boxes. Returns false if there are none.
    bool uncover(Side side, const std::vector<std::uint32_t>& boxes);
    /// The innermost open group that contains the whole selection.
    std::optional<std::uint32_t> groupAroundSelection() const;
    /// The closed group that contains the whole selection.
    std::optional<std::uint32_t> selectedGroup() const;
    /// Sets the flow direction of both sides, down or to the right.
    void setFlow(Flow flow);
    Flow flow() const { return m_flow; }
    /// The part of a graph that a pane shows at a readable scale, in scene coordinates: groups of a large graph are
    /// closed at first so that an overview fits. Empty: no limit.
    void setRoom(QSizeF room) { m_room = room; }
    QSizeF room() const { return m_room; }

    // For the document, which announces the change together with others:
    /// Replaces the graph that was built after `before`. Preserves groups that were toggled in the meantime.
    void show(Side side, DrawnSide next, const DrawnSide& before);
    /// Forgets groups whose drawing was cancelled.
    void forgetPending();

signals:
    /// The same graph with other groups open. `group` is the toggled group; empty if there are several.
    void changed(crosswalk::ui::Side side, std::optional<std::uint32_t> group);

private:
    void fold(Side side, OpenGroups open, std::optional<std::uint32_t> toggled,
              std::vector<std::uint32_t> selected = {});

    Selection& m_selection;
    JobRunner m_sourceJob;
    JobRunner m_targetJob;
    JobRunner m_retiring;                   ///< destroys unused drawings; nothing waits for it
    std::array<DrawnSide, 2> m_shown;       ///< by side
    std::array<SameBoxes, 2> m_same;        ///< by side
    std::array<OpenGroups, 2> m_wantedOpen; ///< by side; the drawing follows
    Flow m_flow = Flow::Down;
    QSizeF m_room;
};

} // namespace crosswalk::ui
