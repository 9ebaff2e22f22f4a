#include "ui/panels/path_label.h"

#include "ui/panels/name_elision.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QResizeEvent>

#include <algorithm>
#include <optional>

namespace crosswalk::ui {
namespace {

const QString furtherText = QStringLiteral(" \u203a ");
const QString alternativeText = QStringLiteral(" ");
constexpr qsizetype mostMeasured = 4000; ///< characters, more than fit on a screen

const QString& separatorBefore(const PathLabel::Step& step)
{
    return step.isAlternative ? alternativeText : furtherText;
}

/// The largest width per name at which names of these widths fit beside each other; nothing if they fit as they are.
std::optional<int> widthPerName(std::vector<int> widths, int available)
{
    std::ranges::sort(widths);
    auto left = static_cast<int>(widths.size());
    for (const int width : widths) {
        const int share = available / left--;
        if (width > share) {
            return std::max(share, 0);
        }
        available -= width;
    }
    return std::nullopt;
}

QString linkTo(const QString& target, const QString& text)
{
    return QStringLiteral("<a href=\"%1\" style=\"color: %2; text-decoration: none\">%3</a>")
        .arg(target, theme().link.name(), text);
}

} // namespace

PathLabel::PathLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    setMinimumWidth(1);
}

void PathLabel::setSteps(std::vector<Step> steps)
{
    m_steps = std::move(steps);
    showSteps();
}

void PathLabel::showSteps()
{
    const QFontMetrics plain = fontMetrics();
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics strong(bold);
    int available = contentsRect().width();
    std::vector<int> widths;
    QString whole;
    for (const Step& step : m_steps) {
        if (!widths.empty()) {
            const QString& separator = separatorBefore(step);
            whole += separator;
            available -= plain.horizontalAdvance(separator);
        }
        whole += step.name;
        widths.push_back((step.isBold ? strong : plain).horizontalAdvance(step.name.left(mostMeasured)));
    }
    const auto most = widthPerName(widths, available);
    QString text;
    for (const Step& step : m_steps) {
        if (!text.isEmpty()) {
            text += separatorBefore(step).toHtmlEscaped();
        }
        const QString shown = most ? elidedName(step.isBold ? strong : plain, step.name, *most) : step.name;
        const QString name = shown.toHtmlEscaped();
        text += step.isBold           ? QStringLiteral("<b>%1</b>").arg(name)
                : step.link.isEmpty() ? name
                                      : linkTo(step.link, name);
    }
    setText(text);
    setToolTip(most ? whole.toHtmlEscaped() : QString());
}

void PathLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        showSteps();
    }
}

void PathLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        showSteps(); // links use the theme's colours
    }
}

} // namespace crosswalk::ui
