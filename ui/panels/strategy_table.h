#pragma once

#include "ui/document/strategy_comparison.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;

namespace crosswalk::ui {

/// The strategies of a node with what they result in: one choice for the whole node. Where the columns have no room,
/// the numbers of a strategy are a line below it.
class StrategyTable final : public QWidget {
    Q_OBJECT
public:
    struct Row {
        Strategy strategy = Strategy::Exact;
        bool isExact = true;
        QStringList costs; ///< in words, without duplicates

        friend bool operator==(const Row&, const Row&) = default;
    };
    StrategyTable(const std::vector<Row>& rows, Strategy current, QWidget* parent);

    /// Shows the numbers, in the order of the rows; empty while they are unknown.
    void setCosts(const std::vector<StrategyCost>& costs, bool isMeasuring);
    /// Names the node, if it is not the selected one.
    void setTitle(const QString& title);
    /// Whether the times can be measured.
    void setMeasurable(bool measurable);
    /// Adds a button below the table.
    void addButton(QPushButton* button);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void chosen(crosswalk::Strategy strategy);
    void measureRequested();

private:
    struct Cells {
        QLabel* nodes;
        QLabel* work;
        QLabel* time;
        QLabel* numbers; ///< all of them, where the columns have no room
    };
    /// Shows the columns or the lines, by the width.
    void arrange();
    int widthOfColumns() const;

    std::vector<QLabel*> m_heads;
    std::vector<Cells> m_cells;
    QGridLayout* m_grid;
    QPushButton* m_measure;
};

} // namespace crosswalk::ui
