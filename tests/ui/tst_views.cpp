// What the window looks like, in both themes: each view as it was looked at and found good. The pictures are those of
// README.md and of docs/. After a change that is meant: UPDATE_GOLDENS=1, and look at each that differs.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/writer.h"
#include "core/verify/runtime.h"
#include "tests/support/tensorflow_models.h"
#include "tests/ui/window_picture.h"
#include "ui/panels/subgraph_page.h"

#include <QRadioButton>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

class TestViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void start()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("start")));
    }

    /// Beside another viewer's in docs/first-view.md.
    void asOpened()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("opened")));
    }

    void bothSides()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.clickNode(Side::Source, "hybridsequential0_lstm0_rnn0");
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("window")));
    }

    void leadingRight()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_R);
        QVERIFY(driven.settle());
        driven.clickNode(Side::Source, "digits_lstm_rnn0");
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("right")));
    }

    void gaps()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.showDock("problemsDock");
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("gaps")));
    }

    void conflict()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("1, 3, 32, 48"));
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("conflict")));
    }

    void search()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(driven.find<QLineEdit>("outlineSearch"), QStringLiteral("conv"));
        QVERIFY(driven.settle());
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("search")));
    }

    void tensor()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        driven.clickDetail("nodeDetails", QStringLiteral("digits_output_weight"));
        QTRY_VERIFY(driven.text("tensorStatistics").contains(QStringLiteral("mean")));
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("tensor")));
    }

    void summary()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.showDock("summaryDock");
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("summary")));
    }

    void layers()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.showDock("layersDock");
        driven.clickCell("layersTable", driven.cell("layersTable", QStringLiteral("hybridsequential0_lstm0_rnn0"), 0));
        QVERIFY(driven.settle());
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("layers")));
    }

    void body()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        for (const auto box : driven.document().selection().counterparts()) {
            if (driven.operatorOf(Side::Target, box) == "Scan") {
                driven.clickNode(Side::Target, box);
                break;
            }
        }
        QTest::keyClick(driven.window.canvas(Side::Target), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.find<SubgraphPage>("onnxPage")->isVisible());
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("body")));
    }

    void loop()
    {
        const TemporaryFiles files;
        const auto model = files.write("while_loop.pb", whileLoop());
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        for (const char* dock : {"problemsDock", "inputsDock", "summaryDock", "tensorDock", "layersDock"}) {
            driven.find<QDockWidget>(dock)->hide();
        }
        driven.clickNode(Side::Source, "loop/mul");
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_F);
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("loop")));
    }

    void diverging()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        driven.pick("strategy-fused");
        driven.drop({QFileInfo(exampleModel("keyword_lstmp")).dir().filePath(QStringLiteral("test_data_set_0"))});
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("diverging")));
    }

    void compare()
    {
        const TemporaryFiles files;
        const auto loaded = readModel({exampleModel("digits_crnn").toStdString()});
        QVERIFY(loaded);
        for (const bool isOptimized : {false, true}) {
            ConvertOptions options;
            options.optimize = isOptimized;
            const auto conversion = convert(*loaded.value().graph, options);
            QVERIFY(conversion);
            writeOnnx(conversion.value().model, files.path(isOptimized ? "optimized.onnx" : "plain.onnx"));
        }
        DrivenWindow driven(nullptr, size);
        driven.document().open({.model = files.path("plain.onnx"), .compared = files.path("optimized.onnx")});
        QVERIFY(driven.settle());
        driven.clickNode(Side::Source, "digits_features_conv0_fwd");
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("compare")));
    }

    void commands()
    {
        DrivenWindow driven(nullptr, size);
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QTest::keyClick(&driven.window, Qt::Key_K, Qt::ControlModifier);
        QTest::keyClicks(driven.find<QLineEdit>("commandQuery"), QStringLiteral("export"));
        QCoreApplication::processEvents();
        QVERIFY(looksAsDocumentedInBothThemes(driven, QStringLiteral("commands")));
    }

private:
    static constexpr QSize size{1280, 800};
};

QTEST_MAIN(TestViews)
#include "tst_views.moc"
