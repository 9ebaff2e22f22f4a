#pragma once

#include "ui/document/colouring.h"

#include <QFrame>

#include <optional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace crosswalk::ui {

/// The legend of a colouring, in a corner of a canvas. A click on an entry filters the graphs.
class ColourLegend final : public QFrame {
    Q_OBJECT
public:
    explicit ColourLegend(QWidget* canvas);

    /// An empty list hides the legend.
    void setEntries(const QString& title, const std::vector<ColourEntry>& entries);
    /// Marks the entry by which the graphs are filtered.
    void setChosen(std::optional<ColourNumber> colour);

signals:
    void chosen(crosswalk::ui::ColourNumber colour);
    void closed();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void place();

    QString m_titleText;
    std::vector<ColourEntry> m_entries;
    std::optional<ColourNumber> m_chosen;
    QLabel* m_title;
    QVBoxLayout* m_rows;
};

} // namespace crosswalk::ui
