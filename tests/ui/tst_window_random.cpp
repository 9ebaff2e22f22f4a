// Random actions: commands, clicks, keys, resizing and other models, in any order. CROSSWALK_RANDOM_ACTIONS sets their
// number, CROSSWALK_RANDOM_SEED the seed; a failure prints both.

#include "tests/support/gui_probe.h"
#include "tests/ui/driven_window.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QMenu>

#include <random>
#include <unistd.h>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

// Seconds of the GUI thread's CPU for one event.
constexpr double limit = 0.200 * probeSlowdown;

int numberFrom(const char* variable, int otherwise)
{
    bool isSet = false;
    const int number = qEnvironmentVariableIntValue(variable, &isSet);
    return isSet ? number : otherwise;
}

/// Of this process, in bytes.
std::size_t residentMemory()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    return file.readAll().split(' ').value(1).toULongLong() * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Takes the place of the desktop, so that no browser and no file manager starts.
class IgnoredLinks : public QObject {
    Q_OBJECT
public slots:
    void ignore(const QUrl& /*url*/) {}
};

class RandomUser {
public:
    RandomUser(DrivenWindow& driven, QStringList models, unsigned seed)
        : m_driven(driven)
        , m_models(std::move(models))
        , m_random(seed)
    {
    }

    /// What was done, for the message of a failure.
    QString act()
    {
        closeFileDialogs();
        switch (below(12)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return command();
        case 4:
        case 5:
            return click();
        case 6:
            return key();
        case 7:
            return turnWheel();
        case 8:
            return resize();
        case 9:
            return open();
        case 10:
            return closeDialogs();
        default:
            QTest::qWait(static_cast<int>(below(30)));
            return QStringLiteral("wait");
        }
    }

private:
    std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random); }

    template <typename List>
    const auto& oneOf(const List& list)
    {
        return list[static_cast<decltype(list.size())>(below(static_cast<std::size_t>(list.size())))];
    }

    QString command()
    {
        QList<QAction*> enabled;
        for (QAction* action : m_driven.window.findChildren<QAction*>()) {
            if (action->isEnabled() && !action->isSeparator() && action->menu() == nullptr &&
                action->menuRole() != QAction::QuitRole && action->objectName() != QStringLiteral("fileQuit")) {
                enabled.append(action);
            }
        }
        if (enabled.isEmpty()) {
            return QStringLiteral("no command");
        }
        QAction* const action = oneOf(enabled);
        const QString name = QStringLiteral("command %1 %2").arg(action->objectName(), action->text());
        action->trigger();
        return name;
    }

    /// The widgets that could be clicked: those of the active popup or dialog, otherwise of the window.
    QWidgetList widgets()
    {
        QWidget* root = QApplication::activePopupWidget();
        root = root != nullptr ? root : QApplication::activeModalWidget();
        root = root != nullptr ? root : &m_driven.window;
        QWidgetList visible{root};
        for (QWidget* widget : root->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && widget->width() > 0 && widget->height() > 0) {
                visible.append(widget);
            }
        }
        return visible;
    }

    QString click()
    {
        QWidget* const widget = oneOf(widgets());
        const QPoint place(static_cast<int>(below(static_cast<std::size_t>(std::max(1, widget->width())))),
                           static_cast<int>(below(static_cast<std::size_t>(std::max(1, widget->height())))));
        const QString name =
            QStringLiteral("click %1 %2").arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
        if (below(8) == 0) {
            QTest::mouseDClick(widget, Qt::LeftButton, {}, place);
        } else {
            QTest::mouseClick(widget, below(6) == 0 ? Qt::RightButton : Qt::LeftButton, {}, place);
        }
        return name;
    }

    QString key()
    {
        static const QList<Qt::Key> keys{Qt::Key_Escape, Qt::Key_Return, Qt::Key_Tab,    Qt::Key_Backtab, Qt::Key_Up,
                                         Qt::Key_Down,   Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Home,    Qt::Key_End,
                                         Qt::Key_Space,  Qt::Key_Delete, Qt::Key_PageUp, Qt::Key_Plus,    Qt::Key_F,
                                         Qt::Key_1,      Qt::Key_Comma,  Qt::Key_Z,      Qt::Key_Y,       Qt::Key_P};
        static const QList<Qt::KeyboardModifiers> modifiers{Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                            Qt::ControlModifier, Qt::AltModifier};
        QWidget* target = QApplication::focusWidget();
        target = target != nullptr ? target : &m_driven.window;
        const Qt::Key key = oneOf(keys);
        QTest::keyClick(target, key, oneOf(modifiers));
        return QStringLiteral("key %1").arg(key);
    }

    QString turnWheel()
    {
        const Side side = below(2) == 0 ? Side::Source : Side::Target;
        auto* canvas = m_driven.window.canvas(side);
        if (canvas == nullptr || !canvas->isVisible()) {
            return QStringLiteral("no canvas");
        }
        const QPointF place(canvas->width() / 2.0, canvas->height() / 2.0);
        QWheelEvent event(place, canvas->mapToGlobal(place), {}, {0, below(2) == 0 ? 120 : -120}, Qt::NoButton,
                          below(2) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas, &event);
        return QStringLiteral("wheel");
    }

    QString resize()
    {
        m_driven.window.resize(static_cast<int>(700 + below(1900)), static_cast<int>(500 + below(1000)));
        return QStringLiteral("resize");
    }

    QString open()
    {
        const QString model = oneOf(m_models);
        m_driven.window.openModel(model);
        return QStringLiteral("open %1").arg(model);
    }

    /// Their file names would lead anywhere.
    static void closeFileDialogs()
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* dialog = qobject_cast<QFileDialog*>(widget); dialog != nullptr && dialog->isVisible()) {
                dialog->reject();
            }
        }
    }

    static QString closeDialogs()
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* dialog = qobject_cast<QDialog*>(widget); dialog != nullptr && dialog->isVisible()) {
                dialog->reject();
            } else if (auto* menu = qobject_cast<QMenu*>(widget); menu != nullptr && menu->isVisible()) {
                menu->close();
            }
        }
        return QStringLiteral("close dialogs");
    }

    DrivenWindow& m_driven;
    QStringList m_models;
    std::mt19937 m_random;
};

} // namespace

class TestWindowRandom : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        for (const char* scheme : {"file", "http", "https"}) {
            QDesktopServices::setUrlHandler(QLatin1String(scheme), &m_links, "ignore");
        }
    }

    void cleanupTestCase()
    {
        for (const char* scheme : {"file", "http", "https"}) {
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
        }
    }

    /// No crash, no event that takes long, and no memory that grows in the second half.
    void anyOrderOfActionsIsSurvived()
    {
        const int count = numberFrom("CROSSWALK_RANDOM_ACTIONS", 400);
        const auto seed = static_cast<unsigned>(numberFrom("CROSSWALK_RANDOM_SEED", 1));
        TemporaryFiles files;
        QStringList models;
        for (const char* name : {"digits_crnn", "keyword_lstmp", "request_bilstm"}) {
            const QString source = QFileInfo(exampleModel(name)).absolutePath();
            const QString folder = QString::fromStdString(files.path(name).string());
            QDir().mkpath(folder);
            for (const QString& entry : QDir(source).entryList(QDir::Files)) {
                QFile::copy(source + QLatin1Char('/') + entry, folder + QLatin1Char('/') + entry);
            }
            models.append(folder + QStringLiteral("/model-symbol.json"));
        }
        models.append(QString::fromStdString(files.write("broken.onnx", "no model").string()));
        models.append(QString::fromStdString(files.path("export.onnx").string()));
        {
            DrivenWindow driven;
            QVERIFY(driven.open(models[0]));
            driven.document().exporter().exportTo(files.path("export.onnx"));
            QVERIFY(driven.settle());
            QVERIFY(QFile::exists(models.back()));
        }
        QVERIFY(QDir::setCurrent(QFileInfo(models[0]).absolutePath()));

        DrivenWindow driven;
        RandomUser user(driven, models, seed);
        std::size_t half = 0;
        for (int i = 0; i < count; ++i) {
            probe().reset();
            const QString done = user.act();
            QCoreApplication::processEvents();
            if (qEnvironmentVariableIsSet("CROSSWALK_RANDOM_VERBOSE")) {
                qInfo("%d %s", i, qPrintable(done));
            }
            QVERIFY2(probe().longest() < limit, qPrintable(QStringLiteral("seed %1, action %2 (%3): %4 ms in %5")
                                                               .arg(seed)
                                                               .arg(i)
                                                               .arg(done)
                                                               .arg(probe().longest() * 1000)
                                                               .arg(QLatin1String(probe().culprit()))));
            if (i == count / 2) {
                QVERIFY(driven.settle());
                half = residentMemory();
            }
        }
        QVERIFY(driven.settle());
        constexpr int longRun = 5000; // in shorter runs, the second half still fills caches
        if (count >= longRun) {
            const std::size_t end = residentMemory();
            QVERIFY2(end < half + half / 4, qPrintable(QStringLiteral("seed %1: %2 MB after half, %3 MB at the end")
                                                           .arg(seed)
                                                           .arg(half >> 20U)
                                                           .arg(end >> 20U)));
        }
    }

private:
    IgnoredLinks m_links;
};

int main(int argc, char** argv)
{
    ProbedApplication application(argc, argv);
    TestWindowRandom test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_window_random.moc"
