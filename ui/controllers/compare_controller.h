#pragma once

#include "ui/controllers/controller.h"

namespace crosswalk::ui {

class GraphPanes;

/// Comparison of two models: choosing the second one, and stepping through the differences.
class CompareController final : public Controller {
    Q_OBJECT
public:
    CompareController(const WindowParts& parts, GraphPanes& panes);

private:
    void ask();
    void step(int direction);

    GraphPanes& m_panes;
};

} // namespace crosswalk::ui
