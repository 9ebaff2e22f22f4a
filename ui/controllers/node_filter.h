#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace crosswalk::ui {

/// Shows only the nodes of one entry of a legend: those of a verdict, an error level, a change, or a colour. Ends when
/// nothing is selected any more.
class NodeFilter final : public Controller {
    Q_OBJECT
public:
    /// The entry of nodes that are blocked by a gap. The other entries of marks are verdicts or error levels.
    static constexpr int blockedEntry = 100;

    explicit NodeFilter(const WindowParts& parts);

    bool isActive() const { return m_active.has_value(); }
    /// Whether the filter shows the nodes of this mark.
    bool isMark(int entry) const { return m_active && m_active->entry == entry; }
    /// The colour whose nodes the filter shows.
    std::optional<ColourNumber> colour() const;
    /// Shows only the nodes of a mark, or all nodes if that filter is active.
    void toggleMark(int entry);
    /// Shows only the boxes of a colour, or all nodes if that filter is active.
    void toggleColour(ColourNumber colour);
    /// The marks of a side; nodes that the filter hides are dimmed.
    std::shared_ptr<const SceneMarks> marks(Side side) const;

signals:
    void changed();
    /// The selection changed and has to be revealed.
    void revealRequested();

private:
    void selectMarked(int entry);

    struct Active {
        int entry;
        std::array<std::vector<std::uint32_t>, 2> boxes; ///< by side: the boxes that pass the filter
    };
    std::optional<Active> m_active;
};

} // namespace crosswalk::ui
