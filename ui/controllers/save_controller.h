#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/controllers/controller.h"

#include <filesystem>

namespace crosswalk::ui {

class GraphPanes;

/// Saves pictures, tables and reports of the displayed model.
class SaveController final : public Controller {
    Q_OBJECT
public:
    SaveController(const WindowParts& parts, GraphPanes& panes);

    void askLayers();

private:
    void askPicture(CanvasView::Part part);
    void askReport();
    void reportSaved(const std::filesystem::path& path);

    GraphPanes& m_panes;
};

} // namespace crosswalk::ui
