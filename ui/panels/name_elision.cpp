#include "ui/panels/name_elision.h"

#include "ui/models/words.h"

#include <algorithm>

namespace crosswalk::ui {

QString elidedName(const QFontMetrics& metrics, const QString& name, int width)
{
    // Names of files can be long. More characters than two for each pixel do not fit, and are not measured.
    const qsizetype most = 2 * std::max(width, 0) + 1;
    if (name.size() <= most && metrics.horizontalAdvance(name) <= width) {
        return name;
    }
    const QString end = metrics.elidedText(endOf(name, most), Qt::ElideLeft, width * 3 / 4); // with the ellipsis
    const QString beginning = beginningOf(name, std::min(name.size() - end.size() + 1, most));
    qsizetype fitting = 0;
    for (qsizetype tooLong = beginning.size() + 1; fitting + 1 < tooLong;) {
        const qsizetype half = (fitting + tooLong) / 2;
        const bool fits = metrics.horizontalAdvance(beginning.left(half) + end) <= width;
        (fits ? fitting : tooLong) = half;
    }
    return beginningOf(beginning, fitting) + end;
}

} // namespace crosswalk::ui
