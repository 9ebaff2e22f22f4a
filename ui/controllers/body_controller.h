#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/bodies.h"
#include "ui/document/document.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace crosswalk::ui {

class DockController;
class GraphPanes;

/// Bodies of loops, scans and branches, in place of the graph and in tabs next to it.
class BodyController final : public Controller {
    Q_OBJECT
public:
    BodyController(const WindowParts& parts, GraphPanes& panes, DockController& docks);

    /// The side of the selected node and the path of its body; nothing if it has no body.
    std::optional<std::pair<Side, BodyPath>> selectedBody();
    void openSelectedHere();

private:
    void connectPane(Side side);
    void activate(Side side, std::uint32_t box);
    void openTab();
    /// Selects a node in a body of the source, and the counterpart of the enclosing node.
    void showInSource(const GraphPath& path, NodeId node);
    /// Shows the body in front in the outline and the properties.
    void showFront();

    GraphPanes& m_panes;
    DockController& m_docks;
};

} // namespace crosswalk::ui
