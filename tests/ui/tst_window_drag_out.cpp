// The exported model as a file that goes to other programs: dragged out of the window by mouse, copied by a command.

#include "core/formats/read_model.h"
#include "tests/ui/driven_window.h"
#include "ui/panels/drag_handle.h"

#include <QClipboard>
#include <QMimeData>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr const char* example = "digits_crnn";

class Driven : public DrivenWindow {
public:
    QLabel* handle() { return find<QLabel>("onnxWhat"); }
    bool isReady() { return handle()->cursor().shape() == Qt::OpenHandCursor; }
    /// Presses the handle and pulls away from it.
    void pull()
    {
        const QPoint at = handle()->rect().center();
        QTest::mousePress(handle(), Qt::LeftButton, {}, at);
        const QPointF away = at + QPoint(0, 100);
        QMouseEvent move(QEvent::MouseMove, away, handle()->mapToGlobal(away), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(handle(), &move);
    }
    /// The files that the first drag since then carries, once it begins.
    QString draggedBy(const std::function<void()>& act)
    {
        QSignalSpy dragged(window.findChild<DragHandle*>(), &DragHandle::dragged);
        act();
        if (!QTest::qWaitFor([&] { return !dragged.isEmpty(); }, patience)) {
            return {};
        }
        return dragged.front().front().toStringList().join(u' ');
    }
    void release() { QTest::mouseRelease(handle(), Qt::LeftButton, {}, handle()->rect().center() + QPoint(0, 100)); }
};

bool isModel(const QString& path)
{
    const auto loaded = readModel({.model = path.toStdString(), .weights = {}, .stop = {}});
    return loaded && loaded.value().graph->format == "onnx" && loaded.value().graph->nodeCount() > 5;
}

} // namespace

class TestWindowDragOut : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void writesTheFileBeforeTheDrag()
    {
        Driven driven;
        QVERIFY(!driven.isReady());
        QVERIFY(driven.open(exampleModel(example)));
        QVERIFY(driven.isReady());
        const QString file = driven.draggedBy([&] { driven.pull(); });
        QVERIFY(driven.settle());
        QCOMPARE(QFileInfo(file).fileName(),
                 QLatin1String(example) + QStringLiteral(".onnx")); // the name of its folder
        QVERIFY(isModel(file));
        // Nothing else lies there: no part of a file.
        QCOMPARE(QFileInfo(file).dir().entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void draggingReusesTheLastExport()
    {
        const TemporaryFiles files;
        const QString path = QString::fromStdString(files.path("mine.onnx").string());
        Driven driven;
        QVERIFY(driven.open(exampleModel(example)));
        driven.exportTo(path);
        QVERIFY(driven.settle());
        QCOMPARE(driven.draggedBy([&] { driven.pull(); }), path);
        // Converted otherwise, that file is another model's.
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        const QString other = driven.draggedBy([&] { driven.pull(); });
        QVERIFY(isModel(other) && other != path);
    }

    void anEarlyReleasePreparesTheNextDrag()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel(example)));
        QApplication::clipboard()->setText(QStringLiteral("mine"));
        driven.pull();
        driven.release();
        QVERIFY(driven.settle());
        QVERIFY(driven.text("statusMessage").startsWith(QLatin1String(example) + QStringLiteral(".onnx is ready")));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("mine"));
    }

    void externalWeightsAreCopiedWithTheModel()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel(example)));
        driven.document().exporter().setSettings({{.externalData = true}, {}});
        for (const int opset : {13, 14}) { // the second one replaces the first
            driven.document().setOpset(opset);
            QVERIFY(driven.settle());
            QApplication::clipboard()->clear();
            QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(driven.settle());
            const auto urls = QApplication::clipboard()->mimeData()->urls();
            QCOMPARE(urls.size(), 2);
            QVERIFY(isModel(urls.front().toLocalFile()));
            QVERIFY(QFileInfo::exists(urls.back().toLocalFile()));
        }
    }

    void aFileOfAnotherConversionIsNotHandedOut()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel(example)));
        QApplication::clipboard()->setText(QStringLiteral("mine"));
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("mine"));
        QVERIFY(driven.text("statusVerified").isEmpty()); // its check proves nothing about this conversion
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(QApplication::clipboard()->mimeData()->urls().size(), 1);
    }

    void aCommandCopiesIt()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel(example)));
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        const auto urls = QApplication::clipboard()->mimeData()->urls();
        QCOMPARE(urls.size(), 1);
        QVERIFY(isModel(urls.front().toLocalFile()));
        QVERIFY(driven.text("statusMessage").startsWith(QStringLiteral("Copied %1.onnx").arg(QLatin1String(example))));
    }
};

QTEST_MAIN(TestWindowDragOut)
#include "tst_window_drag_out.moc"
