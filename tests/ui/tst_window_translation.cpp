// Every text of the window goes through a translator; what is not of the window is of the model.

#include "core/formats/format_reader.h"
#include "tests/support/onnx_text.h"
#include "tests/ui/compared_models.h"
#include "tests/ui/driven_bodies.h"
#include "tests/ui/visible_texts.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/models/node_details.h"
#include "ui/panels/start_page.h"

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

class TestWindowTranslation : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        QVERIFY(QCoreApplication::installTranslator(&m_translator));
    }
    void cleanupTestCase()
    {
        // A context that is not the name of a class or of the namespace is one that no extraction of texts knows.
        for (const auto& context : std::as_const(m_translator.contexts)) {
            QVERIFY2(context.startsWith(QLatin1String("crosswalk::ui")) || context.startsWith(u'Q'),
                     qPrintable(context));
        }
        QCoreApplication::removeTranslator(&m_translator);
    }

    void withoutAModel()
    {
        const TemporaryFiles files;
        auto settings =
            std::make_unique<QSettings>(QString::fromStdString(files.path("s.ini").string()), QSettings::IniFormat);
        settings->setValue(QStringLiteral("recentFiles"), QStringList{exampleModel("digits_crnn")});
        ModelWords content;
        content.add(files.path("s.ini").string());
        {
            TabbedWindow window(std::move(settings));
            window.addTab();
            window.show();
            look(content);
        }
        DrivenWindow driven;
        driven.window.openModel(QStringLiteral("/there/is/none.onnx"));
        QVERIFY(driven.settle());
        content.add(QStringLiteral("/there/is/none.onnx"));
        content.addSentences("cannot be read: No such file or directory");
        look(content);
    }

    void everyNodeOfAModel_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"keyword_lstmp", "digits_crnn"}) {
            QTest::newRow(name) << exampleModel(name);
        }
    }
    void everyNodeOfAModel()
    {
        QFETCH(QString, model);
        DrivenWindow driven;
        QVERIFY(driven.open(model));
        look(driven);
        for (const auto side : {Side::Source, Side::Target}) {
            ModelWords content;
            content.add(driven.document());
            std::set<std::string> seen;
            const auto& nodes = driven.document().side(side)->scene->nodes;
            for (std::uint32_t box = 0; box < nodes.size(); ++box) {
                if (seen.insert(nodes[box].title).second) {
                    driven.document().select(side, {box});
                    look(content);
                }
            }
        }
        driven.document().select(Side::Source, {0, 1});
        look(driven);
    }

    void dialogsAndThePalette_data()
    {
        QTest::addColumn<QString>("action");
        for (const char* name :
             {"editSettings", "helpAbout", "helpShortcuts", "modelNames", "fileOpen", "fileWeights", "fileExport",
              "filePicture", "fileReport", "fileCompare", "modelVerify", "editCommands"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void dialogsAndThePalette()
    {
        QFETCH(QString, action);
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.find<QAction>(qPrintable(action))->trigger();
        QCoreApplication::processEvents();
        if (action == QLatin1String("editCommands")) {
            QTest::keyClicks(driven.find<QLineEdit>("commandQuery"), QStringLiteral("o"));
        }
        look(driven);
    }

    void whatAModelLacks()
    {
        const TemporaryFiles files;
        DrivenWindow driven;
        const auto path = files.write(
            "lacking-symbol.json",
            symbolFile({variable("data"), variable("fc_weight"), variable("fc_bias"),
                        node("FullyConnected", "fc", "[[0, 0, 0], [1, 0, 0], [2, 0, 0]]", R"({"num_hidden": "4"})"),
                        node("NoSuchOperator", "odd", "[[3, 0, 0]]"), node("Activation", "act", "[[4, 0, 0]]")}));
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        look(driven);
        driven.document().setInputShape("data", Shape{Dim(1), Dim(3)});
        QVERIFY(driven.settle());
        files.write("lacking-symbol.json", readAll(path) + "\n");
        QTRY_VERIFY(driven.isShown("banner"));
        look(driven);
        for (const char* name : {"odd", "fc", "act"}) {
            driven.clickNode(Side::Source, std::string_view(name));
            look(driven);
        }
    }

    void twoModels()
    {
        const TemporaryFiles files;
        const auto one = files.path("before.onnx");
        const auto other = files.path("after.onnx");
        writeMessage(parseModel(before), one.string());
        writeMessage(parseModel(after), other.string());
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(one.string())));
        look(driven);
        driven.document().compareWith(other);
        QVERIFY(driven.settle());
        for (const char* name : {"relu", "leaky", "add"}) {
            driven.clickNode(Side::Source, std::string_view(name));
            look(driven);
        }
    }

    void bodies()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loop-symbol.json", loopOfTwo()).string())));
        driven.openBody(Side::Source, "_foreach");
        driven.clickInBody(Side::Source, "tanh");
        look(driven);
    }

private:
    void look(DrivenWindow& driven)
    {
        ModelWords content;
        content.add(driven.document());
        for (const auto side : {Side::Source, Side::Target}) {
            const auto& graphSide = driven.document().side(side);
            for (std::uint32_t box = 0; graphSide && box < graphSide->scene->nodes.size(); ++box) {
                m_tips.emplace_back(new QWidget)->setToolTip(boxToolTip(driven.document(), side, box));
            }
        }
        look(content);
        m_tips.clear();
    }
    void look(ModelWords content)
    {
        for (const auto& [title, path] : exampleModels()) {
            content.add(path); // listed on the page of a window with nothing open
        }
        for (const FormatReader& reader : formatReaders()) { // filters of file dialogs
            content.add(reader.name);
            content.add(reader.files);
            content.add(reader.weights);
            content.add(reader.mainFile);
        }
        QCoreApplication::processEvents();
        const auto left = VisibleTexts().untranslated(content);
        QVERIFY2(left.isEmpty(), qPrintable(QStringList(left.values()).join(u'\n')));
    }

    BracketTranslator m_translator;
    std::vector<std::unique_ptr<QWidget>> m_tips;
};

QTEST_MAIN(TestWindowTranslation)
#include "tst_window_translation.moc"
