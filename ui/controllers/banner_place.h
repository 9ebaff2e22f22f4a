#pragma once

#include "ui/controllers/controller.h"

class QRect;

namespace crosswalk::ui {

class Banner;
class GraphPanes;

/// Keeps the banner and the graphs below it apart: the legend, the overview and nodes that are scrolled to stand beside
/// it, and it appears where no selected node is.
class BannerPlace final : public Controller {
    Q_OBJECT
public:
    BannerPlace(const WindowParts& parts, GraphPanes& panes);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Whether a selected node is in this area of the banner's parent.
    bool isSelectedIn(const QRect& area) const;
    void adjustMargins();

    Banner& m_banner;
    GraphPanes& m_panes;
};

} // namespace crosswalk::ui
