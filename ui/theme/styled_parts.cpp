#include "ui/theme/styled_parts.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QScopedValueRollback>
#include <QWidget>

#include <algorithm>
#include <cassert>
#include <vector>

namespace crosswalk::ui {
namespace {

class StyledParts final : public QObject {
public:
    StyledParts()
        : QObject(qApp)
    {
        qApp->installEventFilter(this);
    }

    void setSheet(const QString& sheet)
    {
        m_sheet = sheet;
        for (const QPointer<QWidget>& part : std::vector(m_parts)) {
            if (part && part->isVisible()) {
                restyle(*part);
            }
        }
    }

    void add(QWidget& part)
    {
        assert(!isPart(part));
        std::erase_if(m_parts, [](const QPointer<QWidget>& gone) { return gone.isNull(); });
        m_parts.emplace_back(&part);
        part.setStyleSheet(m_sheet);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::StyleChange) {
            return m_keepsSizes;
        }
        // Qt polishes a widget before it first measures or shows it.
        if (watched->isWidgetType() && (event->type() == QEvent::Polish || event->type() == QEvent::Show)) {
            auto& widget = static_cast<QWidget&>(*watched);
            if (isPart(widget)) {
                restyle(widget);
            } else if (event->type() == QEvent::Polish && widget.isWindow() && !isStyledByParts(widget)) {
                add(widget);
            }
        }
        return false;
    }

private:
    bool isPart(const QWidget& widget) const
    {
        return std::ranges::any_of(m_parts, [&](const QPointer<QWidget>& part) { return part == &widget; });
    }

    /// Whether it inherits the style sheet, or its parts have it.
    bool isStyledByParts(const QWidget& window) const
    {
        for (const QWidget* each = window.parentWidget(); each != nullptr; each = each->parentWidget()) {
            if (isPart(*each)) {
                return true;
            }
        }
        return std::ranges::any_of(m_parts,
                                   [&](const QPointer<QWidget>& part) { return part && window.isAncestorOf(part); });
    }

    /// Views and layouts recompute their geometry for a new style sheet, but only its colours are new.
    void restyle(QWidget& part)
    {
        if (part.styleSheet() != m_sheet) {
            const QScopedValueRollback keeps(m_keepsSizes, true);
            part.setStyleSheet(m_sheet);
        }
    }

    QString m_sheet;
    std::vector<QPointer<QWidget>> m_parts;
    bool m_keepsSizes = false;
};

StyledParts& styledParts()
{
    static QPointer<StyledParts> parts;
    if (parts.isNull()) {
        parts = new StyledParts; // belongs to the application
    }
    return *parts;
}

} // namespace

void setStyleSheet(const QString& sheet)
{
    styledParts().setSheet(sheet);
}

void styleApart(QWidget& part)
{
    styledParts().add(part);
}

} // namespace crosswalk::ui
