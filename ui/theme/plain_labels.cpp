#include "ui/theme/plain_labels.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace crosswalk::ui {
namespace {

/// Qt polishes each widget before it first measures or shows it. Tool tips and the texts of message boxes are labels.
class PlainLabels final : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Polish) {
            auto* label = qobject_cast<QLabel*>(watched);
            if (label != nullptr && label->textFormat() == Qt::AutoText) {
                label->setTextFormat(Qt::PlainText);
            }
        }
        return false;
    }
};

} // namespace

void showPlainLabels()
{
    qApp->installEventFilter(new PlainLabels(qApp));
}

} // namespace crosswalk::ui
