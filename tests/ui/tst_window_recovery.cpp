// Edits that a crash interrupts are offered again.

#include "tests/support/paths.h"
#include "tests/ui/driven_window.h"

#include "ui/main_window/tabbed_window.h"

#include <QAbstractButton>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QProcess>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// Settings of the program in a temporary folder.
class Settings {
public:
    QString folder() const { return QString::fromStdString(m_files.path("crosswalk").string()); }
    QString home() const { return QFileInfo(folder()).absolutePath(); }
    /// The files with edits, and all.
    QStringList stored() const { return filesLike(QStringLiteral("*.ini")); }
    QStringList all() const { return filesLike(QStringLiteral("*")); }
    /// Stores edits as a crashed process leaves them.
    void leave(const QString& name, const std::vector<ModelState>& models, const QDateTime& time = {}) const
    {
        QVERIFY(QDir().mkpath(folder() + QStringLiteral("/recovery")));
        const QString file = QStringLiteral("%1/recovery/%2.ini").arg(folder(), name);
        {
            QSettings stored(file, QSettings::IniFormat);
            stored.beginWriteArray(QStringLiteral("models"));
            for (std::size_t i = 0; i < models.size(); ++i) {
                stored.setArrayIndex(static_cast<int>(i));
                writeState(stored, models[i]);
            }
            stored.endArray();
        }
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadWrite));
        QVERIFY(!time.isValid() || written.setFileTime(time, QFileDevice::FileModificationTime));
    }
    std::unique_ptr<QSettings> open() const
    {
        return std::make_unique<QSettings>(folder() + QStringLiteral("/crosswalk.conf"), QSettings::IniFormat);
    }

private:
    QStringList filesLike(const QString& pattern) const
    {
        return QDir(folder() + QStringLiteral("/recovery")).entryList({pattern}, QDir::Files);
    }

    TemporaryFiles m_files;
};

ModelState edited(const QString& model, int opset)
{
    return {model, {}, {.opset = opset}, {}};
}

/// Opens a model with other options in a process that is killed. Returns whether its edits were stored.
bool crash(const Settings& settings, const QStringList& arguments)
{
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), settings.home());
    program.setProcessEnvironment(environment);
    program.start(programFolder() + QStringLiteral("/crosswalk-gui"), arguments);
    const bool isStored = QTest::qWaitFor([&] { return !settings.stored().filter(QStringLiteral(".ini")).isEmpty(); },
                                          DrivenWindow::patience);
    program.kill();
    return program.waitForFinished(DrivenWindow::patience) && isStored;
}

QMessageBox* offer(const TabbedWindow& window)
{
    QCoreApplication::processEvents();
    return window.findChild<QMessageBox*>(QStringLiteral("recoveryDialog"));
}

void press(QMessageBox& dialog, const char* button)
{
    QTest::mouseClick(dialog.findChild<QAbstractButton*>(QLatin1String(button)), Qt::LeftButton);
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

bool waitUntilIdle(const TabbedWindow& window)
{
    return QTest::qWaitFor([&] { return window.current()->isIdle(); }, DrivenWindow::patience);
}

} // namespace

class TestWindowRecovery : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void editsOfACrashedProcessAreRestored()
    {
        const Settings settings;
        const QString model = exampleModel("request_bilstm");
        QVERIFY(crash(settings, {model, QStringLiteral("--shape"), QStringLiteral("data=10,N,16")}));
        TabbedWindow window(settings.open());
        window.show();
        window.openModel(model);
        QVERIFY(waitUntilIdle(window));
        QVERIFY(window.current()->document().options().shapes.empty());
        window.offerLeftEdits();
        auto* dialog = offer(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->informativeText().contains(QDir::toNativeSeparators(model)));
        {
            // Another window does not offer them a second time.
            TabbedWindow other(settings.open());
            other.offerLeftEdits();
            QVERIFY(offer(other) == nullptr);
        }
        QVERIFY(QDir().mkpath(artifactsFolder()));
        QVERIFY(dialog->grab().save(artifactsFolder() + QStringLiteral("/recovery.png")));
        press(*dialog, "restoreEdits");
        QVERIFY(waitUntilIdle(window));
        QCOMPARE(window.count(), 1);
        QVERIFY(window.current()->document().options().shapes.at("data") == (Shape{Dim(10), Dim("N"), Dim(16)}));
        // They belong to this window now, whose crash would not lose them either.
        QCOMPARE(settings.stored().size(), 1);
        window.close();
        QVERIFY(settings.all().isEmpty());
    }

    void discardedEditsAreNotOfferedAgain()
    {
        const Settings settings;
        QVERIFY(crash(settings, {exampleModel("digits_crnn"), QStringLiteral("--opset"), QStringLiteral("13")}));
        TabbedWindow window(settings.open());
        window.show();
        window.offerLeftEdits();
        auto* dialog = offer(window);
        QVERIFY(dialog != nullptr);
        QTest::keyClick(dialog, Qt::Key_Escape); // later
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        window.offerLeftEdits();
        dialog = offer(window);
        QVERIFY(dialog != nullptr);
        press(*dialog, "discardEdits");
        QVERIFY(window.current()->isVacant());
        QVERIFY(settings.all().isEmpty());
        window.offerLeftEdits();
        QVERIFY(offer(window) == nullptr);
    }

    void onlyEditedModelsAreStored()
    {
        const Settings settings;
        TabbedWindow window(settings.open());
        window.show();
        window.openModel(exampleModel("digits_crnn"));
        QVERIFY(waitUntilIdle(window));
        QVERIFY(settings.all().isEmpty());
        auto& document = window.current()->document();
        document.setOpset(13);
        QVERIFY(waitUntilIdle(window));
        QCOMPARE(settings.stored().size(), 1);
        TabbedWindow(settings.open()).offerLeftEdits(); // no process has ended
        QVERIFY(offer(window) == nullptr);
        document.undoStack()->undo();
        QVERIFY(waitUntilIdle(window));
        QVERIFY(settings.all().isEmpty());
        document.setOpset(13);
        QVERIFY(waitUntilIdle(window));
        QVERIFY(!settings.stored().isEmpty());
        window.closeTab(0);
        QVERIFY(settings.all().isEmpty());
    }

    void theNewestEditsOfAModelAreRestored()
    {
        const Settings settings;
        const QString model = exampleModel("digits_crnn");
        settings.leave(QStringLiteral("older"), {edited(model, 13), edited(exampleModel("keyword_lstmp"), 14)},
                       QDateTime::currentDateTime().addSecs(-60));
        settings.leave(QStringLiteral("newer"), {edited(model, 15)}, QDateTime::currentDateTime());
        TabbedWindow window(settings.open());
        window.show();
        window.offerLeftEdits();
        auto* dialog = offer(window);
        QVERIFY(dialog != nullptr);
        press(*dialog, "restoreEdits");
        QCOMPARE(window.count(), 2);
        window.showTab(0);
        QVERIFY(waitUntilIdle(window));
        QCOMPARE(window.current()->document().options().opset, std::optional<int>(15));
    }

    void editsOfModelsThatAreMissingAreKept()
    {
        const Settings settings;
        const TemporaryFiles files;
        const QString missing = QString::fromStdString(files.path("unmounted-symbol.json").string());
        settings.leave(QStringLiteral("all"), {edited(missing, 13)});
        settings.leave(QStringLiteral("some"), {edited(missing, 14), edited(exampleModel("digits_crnn"), 15)});
        {
            TabbedWindow window(settings.open());
            window.show();
            window.offerLeftEdits();
            auto* dialog = offer(window);
            QVERIFY(dialog != nullptr);
            QVERIFY(!dialog->informativeText().contains(QStringLiteral("unmounted")));
            press(*dialog, "discardEdits");
            QCOMPARE(settings.stored().size(), 2);
            window.offerLeftEdits();
            QVERIFY(offer(window) == nullptr);
            window.close();
        }
        files.write("unmounted-symbol.json", "{}");
        TabbedWindow window(settings.open());
        window.show();
        window.offerLeftEdits();
        auto* dialog = offer(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->informativeText().contains(QStringLiteral("unmounted")));
        press(*dialog, "discardEdits");
        QVERIFY(settings.all().isEmpty());
    }

    void aDamagedFileIsIgnored()
    {
        const Settings settings;
        QVERIFY(QDir().mkpath(settings.folder() + QStringLiteral("/recovery")));
        QFile file(settings.folder() + QStringLiteral("/recovery/damaged.ini"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[models]\nsize=2000000000\n1\\model=@ByteArray(\x01\n[[[");
        file.close();
        TabbedWindow window(settings.open());
        window.offerLeftEdits();
        QVERIFY(offer(window) == nullptr);
    }
};

QTEST_MAIN(TestWindowRecovery)
#include "tst_window_recovery.moc"
