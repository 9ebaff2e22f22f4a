#include "ui/panels/name_elision.h"

namespace crosswalk::ui {

QString elidedName(const QFontMetrics& metrics, const QString& name, int width)
{
    if (metrics.horizontalAdvance(name) <= width) {
        return name;
    }
    const QString end = metrics.elidedText(name, Qt::ElideLeft, width * 3 / 4); // with the ellipsis
    QString beginning = name.left(name.size() - end.size() + 1);
    while (!beginning.isEmpty() && metrics.horizontalAdvance(beginning + end) > width) {
        beginning.chop(1);
    }
    return beginning + end;
}

} // namespace crosswalk::ui
