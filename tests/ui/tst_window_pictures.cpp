// Pictures and reports that a user saves.

#include "core/verify/runtime.h"
#include "tests/support/golden_texts.h"
#include "tests/support/paths.h"
#include "tests/ui/window_picture.h"

#include <QAction>
#include <QImage>
#include <QSignalSpy>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

QByteArray content(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Runs the command and gives its dialog the path; waits until the file is saved.
void save(DrivenWindow& driven, const char* command, const char* dialog, const std::filesystem::path& path)
{
    QSignalSpy saved(&driven.document().exporter(), &Exporter::saved);
    QVERIFY(driven.find<QAction>(command)->isEnabled());
    driven.find<QAction>(command)->trigger();
    driven.answerFileDialog(dialog, QString::fromStdString(path.string()));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, DrivenWindow::patience);
}

} // namespace

class TestWindowPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void wholeWindowsLookAsTheyDid_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(900, 600);
        QTest::newRow("large") << QSize(2560, 1440);
    }
    void wholeWindowsLookAsTheyDid()
    {
        QFETCH(QSize, size);
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_features_conv0_fwd");
        driven.find<QAction>("colourVerdict")->trigger();
        QVERIFY(driven.settle());
        const QString name = QString::fromUtf8(QTest::currentDataTag()) +
                             (driven.window.devicePixelRatio() > 1 ? QStringLiteral("_2x") : QString());
        for (const auto theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(theme);
            const QString file =
                QStringLiteral("%1/pictures/window_%2_%3.png")
                    .arg(dataFolder(), name,
                         theme == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
            const bool isAlike = isAsBefore(pictureOf(driven), file, artifactsFolder());
            applyTheme(ThemeChoice::Light);
            QVERIFY(isAlike);
        }
    }

    void theGraphIsSavedInEachFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("PNG") << QStringLiteral("g.png") << QByteArray("\x89PNG");
        QTest::newRow("SVG") << QStringLiteral("g.svg") << QByteArray("<?xml");
        QTest::newRow("PDF") << QStringLiteral("g.pdf") << QByteArray("%PDF");
    }
    void theGraphIsSavedInEachFormat()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, start);
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        const auto path = files.path(name.toStdString().c_str());
        save(driven, "filePicture", "pictureDialog", path);
        QVERIFY(content(path).startsWith(start));
        QVERIFY(content(path).size() > 1000);
        QCOMPARE(driven.text("statusMessage"), QStringLiteral("Saved ") + name);
    }

    void aPictureOfTheSelectionContainsOnlyTheSelection()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(!driven.find<QAction>("filePictureOfSelection")->isEnabled());
        const auto whole = files.path("whole.png");
        save(driven, "filePicture", "pictureDialog", whole);
        driven.clickNode(Side::Source, std::uint32_t{5});
        const auto part = files.path("part.png");
        save(driven, "filePictureOfSelection", "pictureDialog", part);
        const QImage large(QString::fromStdString(whole.string()));
        const QImage small(QString::fromStdString(part.string()));
        QVERIFY(!small.isNull() && 4 * small.height() < large.height());
        const auto box = driven.window.canvas(Side::Source)->selection().front();
        const QSizeF drawn = driven.window.canvas(Side::Source)->drawnScene()->index.box(box).size();
        QVERIFY(small.width() > 2 * drawn.width() && small.width() < 2 * drawn.width() + 200);
    }

    void aPictureOfAnEmptyPaneIsOfTheSource()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QSignalSpy opened(&driven.document(), &Document::opened);
        int dialogs = 0;
        connect(&driven.document(), &Document::sideChanged, &driven.window, [&](Side side) {
            if (side == Side::Target && driven.document().converted() == nullptr) {
                driven.window.canvas(Side::Target)->setFocus();
                driven.find<QAction>("filePicture")->trigger(); // before the other model is converted
                auto* dialog = driven.window.findChild<QDialog*>(QStringLiteral("pictureDialog"));
                dialogs += dialog != nullptr && dialog->windowTitle().contains(QStringLiteral("source")) ? 1 : 0;
            }
        });
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(dialogs, 1);
    }

    void theReportHasPicturesProblemsAndNumbers()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        const auto path = files.path("report.html");
        save(driven, "fileReport", "reportDialog", path);
        QVERIFY(content(path).contains("<svg"));
        QVERIFY(content(path).contains("matches the recorded outputs"));
    }

    /// docs/report.html, to show what a report is.
    void theReportIsAsDocumented()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        driven.pick("strategy-fused");
        const auto path = files.path("report.html");
        save(driven, "fileReport", "reportDialog", path);
        verifyAsBefore(roundedAlike(QString::fromUtf8(content(path))).toUtf8(),
                       sourceFolder() + QStringLiteral("/docs/report.html"));
    }

    void reportsFailedSaves()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QSignalSpy failed(&driven.document().exporter(), &Exporter::saveFailed);
        driven.document().exporter().savePicture(files.path("absent") / "g.png",
                                                 driven.window.canvas(Side::Source)->part(CanvasView::Part::Whole));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, DrivenWindow::patience);
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("g.png: cannot be written")));
    }
};

QTEST_MAIN(TestWindowPictures)
#include "tst_window_pictures.moc"
