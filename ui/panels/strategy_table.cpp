#include "ui/panels/strategy_table.h"

#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/wrapped_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <cmath>

namespace crosswalk::ui {
namespace {

enum Column { NameColumn, ExactColumn, NodesColumn, WorkColumn, TimeColumn, ColumnCount };

constexpr int strategyIndent = 24;  ///< of the cost below a radio button's label
constexpr int narrowestTable = 140; ///< pixels: a radio button, and a few words per line below it

QLabel* tableCell(const QString& text, bool isMuted, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("muted", isMuted);
    return label;
}

QString timeText(double seconds)
{
    return seconds < 1e-3 ? StrategyTable::tr("%L1 \u00b5s").arg(std::lround(seconds * 1e6)) : secondsText(seconds);
}

} // namespace

StrategyTable::StrategyTable(const std::vector<Row>& rows, Strategy current, QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_measure(new QPushButton(tr("Measure the times"), this))
{
    setObjectName(QStringLiteral("strategyTable"));
    setAttribute(Qt::WA_StyledBackground);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(NameColumn, 1);
    const QString heads[] = {tr("Strategy"), tr("Result"), tr("Nodes"), tr("Work"), tr("Time")};
    const QString tips[] = {{},
                            tr("Whether the export computes the same function"),
                            tr("ONNX nodes in place of this node"),
                            tr("Multiply-adds of these nodes, with symbolic sizes of 1"),
                            tr("Measured with ONNX Runtime, in this model")};
    for (int column = 0; column < ColumnCount; ++column) {
        auto* head = tableCell(heads[column], true, this);
        head->setToolTip(tips[column]);
        m_grid->addWidget(head, 0, column, column >= NodesColumn ? Qt::AlignRight : Qt::AlignLeft);
        m_heads.push_back(head);
    }
    for (const Row& row : rows) {
        const int line = m_grid->rowCount();
        const auto name = strategyName(row.strategy);
        auto* radio = new QRadioButton(strategyWord(name), this);
        radio->setObjectName(QStringLiteral("strategy-") + fromUtf8(name));
        radio->setChecked(row.strategy == current);
        connect(radio, &QRadioButton::clicked, this, [this, strategy = row.strategy] { emit chosen(strategy); });
        m_grid->addWidget(radio, line, NameColumn);
        const QString result = row.isExact ? tr("exact") : tr("approximate");
        m_grid->addWidget(tableCell(result, false, this), line, ExactColumn);
        Cells cells{tableCell({}, false, this), tableCell({}, false, this), tableCell({}, false, this),
                    new WrappedLabel(QStringLiteral("strategyNumbers-") + fromUtf8(name), this)};
        cells.numbers->setContentsMargins(strategyIndent, 0, 0, 0);
        cells.numbers->hide();
        m_grid->addWidget(cells.numbers, line + 1, 0, 1, ColumnCount);
        cells.nodes->setObjectName(QStringLiteral("strategyNodes-") + fromUtf8(name));
        cells.work->setObjectName(QStringLiteral("strategyWork-") + fromUtf8(name));
        cells.time->setObjectName(QStringLiteral("strategyTime-") + fromUtf8(name));
        m_grid->addWidget(cells.nodes, line, NodesColumn, Qt::AlignRight);
        m_grid->addWidget(cells.work, line, WorkColumn, Qt::AlignRight);
        m_grid->addWidget(cells.time, line, TimeColumn, Qt::AlignRight);
        m_cells.push_back(cells);
        radio->setAccessibleDescription(QStringLiteral("%1: %2").arg(result, row.costs.join(QStringLiteral("; "))));
        if (!row.costs.isEmpty()) {
            auto* cost = new WrappedLabel(QStringLiteral("strategyCost"), this);
            cost->setText(row.costs.join(QStringLiteral("; ")));
            cost->setProperty("muted", true);
            cost->setContentsMargins(strategyIndent, 0, 0, 4);
            m_grid->addWidget(cost, line + 2, 0, 1, ColumnCount);
        }
    }
    m_measure->setObjectName(QStringLiteral("strategyMeasure"));
    connect(m_measure, &QPushButton::clicked, this, &StrategyTable::measureRequested);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(4);
    layout->addLayout(m_grid);
    layout->addWidget(m_measure, 0, Qt::AlignLeft);
    setCosts({}, false);
}

QSize StrategyTable::minimumSizeHint() const
{
    return {narrowestTable, QWidget::minimumSizeHint().height()};
}

void StrategyTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

int StrategyTable::widthOfColumns() const
{
    const QMargins margins = layout() != nullptr ? layout()->contentsMargins() : QMargins();
    int sum = margins.left() + margins.right() + (ColumnCount - 1) * m_grid->horizontalSpacing();
    for (int column = 0; column < ColumnCount; ++column) {
        int widest = 0;
        for (int line = 0; line < m_grid->rowCount(); ++line) {
            const auto* item = m_grid->itemAtPosition(line, column);
            const auto* widget = item != nullptr ? item->widget() : nullptr;
            if (widget != nullptr && qobject_cast<const WrappedLabel*>(widget) == nullptr) {
                widest = std::max(widest, widget->sizeHint().width());
            }
        }
        sum += widest;
    }
    return sum;
}

void StrategyTable::arrange()
{
    const bool isWide = width() >= widthOfColumns();
    for (std::size_t column = NodesColumn; column < m_heads.size(); ++column) {
        m_heads[column]->setVisible(isWide);
    }
    for (const Cells& cells : m_cells) {
        for (auto* cell : {cells.nodes, cells.work, cells.time}) {
            cell->setVisible(isWide);
        }
        cells.numbers->setVisible(!isWide && !cells.numbers->text().isEmpty());
    }
}

void StrategyTable::setTitle(const QString& title)
{
    auto* label = new WrappedLabel(QStringLiteral("strategyNode"), this);
    label->setText(breakable(title));
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, label);
}

void StrategyTable::setMeasurable(bool measurable)
{
    m_measure->setVisible(measurable);
}

void StrategyTable::addButton(QPushButton* button)
{
    static_cast<QVBoxLayout*>(layout())->addWidget(button, 0, Qt::AlignLeft);
}

void StrategyTable::setCosts(const std::vector<StrategyCost>& costs, bool isMeasuring)
{
    const QString unknown(QChar(0x2013));
    const StrategyCost none;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const StrategyCost& cost = i < costs.size() ? costs[i] : none;
        m_cells[i].nodes->setText(cost.nodes ? QString::number(*cost.nodes) : unknown);
        m_cells[i].work->setText(cost.multiplyAdds ? countText(static_cast<std::uint64_t>(*cost.multiplyAdds))
                                                   : unknown);
        m_cells[i].time->setText(cost.seconds ? timeText(*cost.seconds) : unknown);
        QStringList numbers;
        if (cost.nodes) {
            const auto nodes = static_cast<int>(*cost.nodes);
            numbers.append(counted(nodes, tr("1 node"), tr("%Ln nodes", nullptr, nodes)));
        }
        if (cost.multiplyAdds) {
            numbers.append(tr("%1 multiply-adds").arg(m_cells[i].work->text()));
        }
        if (cost.seconds) {
            numbers.append(m_cells[i].time->text());
        }
        m_cells[i].numbers->setText(numbers.join(QStringLiteral(", ")));
    }
    arrange();
    m_measure->setEnabled(!costs.empty() && !isMeasuring);
    m_measure->setText(isMeasuring ? tr("Measuring\u2026") : tr("Measure the times"));
}

} // namespace crosswalk::ui
