#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <array>

class QMenu;

namespace crosswalk::ui {

class ColourLegend;
class GraphPanes;
class NodeFilter;

/// What the colours of boxes represent, and their legend in the first pane that is shown.
class ColourController final : public Controller {
    Q_OBJECT
public:
    ColourController(const WindowParts& parts, GraphPanes& panes, NodeFilter& filter);

    QMenu& menu() { return *m_menu; }

signals:
    /// The latency was not measured because there is no ONNX Runtime.
    void runtimeMissing(const crosswalk::Diagnostic& problem);

private:
    void addColourings();
    void addLegend();
    bool isPossible(Colouring colouring) const;
    void choose(Colouring colouring);
    void toggleLegend();
    void showLegend();
    void reportLatency(const Result<LatencyReport>& result);

    GraphPanes& m_panes;
    NodeFilter& m_filter;
    QMenu* m_menu;
    std::array<ColourLegend*, 2> m_legends{}; ///< by side
    bool m_categoriesExplained = false;       ///< whether the legend of the categories is shown
};

} // namespace crosswalk::ui
