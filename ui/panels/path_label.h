#pragma once

#include <QLabel>

#include <vector>

namespace crosswalk::ui {

/// The way to a nested graph on one line. Names that do not fit are elided, the longest first; the tool tip then shows
/// them all.
class PathLabel final : public QLabel {
    Q_OBJECT
public:
    struct Step {
        QString name;
        QString link = {}; ///< for linkActivated; empty for plain text
        bool isBold = false;
        bool isAlternative = false; ///< to the step before it, not further into the graph
    };

    explicit PathLabel(QWidget* parent = nullptr);

    void setSteps(std::vector<Step> steps);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showSteps();

    std::vector<Step> m_steps;
};

} // namespace crosswalk::ui
