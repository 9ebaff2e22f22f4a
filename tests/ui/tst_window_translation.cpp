// Every text of the window goes through a translator; what is not of the window is of the model.

#include "core/formats/format_reader.h"
#include "tests/support/onnx_text.h"
#include "tests/ui/compared_models.h"
#include "tests/ui/driven_bodies.h"
#include "tests/ui/visible_texts.h"
#include "ui/collection/collection_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/models/node_details.h"
#include "ui/panels/start_page.h"

#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>

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
                    driven.document().selection().select(side, {box});
                    look(content);
                }
            }
        }
        driven.document().selection().select(Side::Source, {0, 1});
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
        if (action == QLatin1String("helpAbout")) { // names of libraries and of their licences
            m_names = QStringLiteral(
                "Qt LGPL ONNX Runtime Apache License Protocol Buffers BSD Clause fmt MIT JSON for Modern C "
                "simdjson libzip Snappy CLI mimalloc Graphviz EPL Inter OFL Crosswalk");
        }
        look(driven);
        m_names.clear();
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

    void aCollection()
    {
        const TemporaryFiles files;
        std::filesystem::create_directories(files.path("models"));
        const auto path = files.write("models/odd-symbol.json", symbolFile({variable("data")}));
        ModelWords content;
        content.add(path.string());
        content.add(files.path("models").string());
        CollectionWindow window{ConvertOptions()};
        window.show();
        look(content);
        window.openFolder(QString::fromStdString(files.path("models").string()));
        QVERIFY(QTest::qWaitFor([&] { return window.isIdle(); }, DrivenWindow::patience));
        FinishedModel model{.outcome = {.model = "odd-symbol.json"}};
        model.outcome.format = "onnx";
        model.outcome.problems = {{.severity = Severity::Error, .code = "odd", .message = "Odd things", .node = "odd"},
                                  {.severity = Severity::Warning, .code = "odd", .message = "Odd things"}};
        content.addSentences("Odd things");
        for (int outcome = 0; outcome < 8; ++outcome) {
            model.outcome.outcome = static_cast<Outcome>(outcome);
            window.table()->add({model});
            window.findChild<QLineEdit*>(QStringLiteral("collectionQuery"))
                ->setText(QString::number(outcome)); // refreshes
            window.findChild<QLineEdit*>(QStringLiteral("collectionQuery"))->clear();
            look(content);
        }
    }

    /// Every text of a shipped translation is translated, with the placeholders of the original.
    void translationsAreComplete()
    {
        QDir folder(sourceFolder() + QStringLiteral("/resources/translations"));
        const auto files = folder.entryInfoList({QStringLiteral("*.ts")});
        QVERIFY(!files.isEmpty());
        const QRegularExpression placeholder(QStringLiteral("%(L?[0-9]|L?n)"));
        const auto placeholders = [&placeholder](const QString& text) {
            QStringList found;
            for (auto match = placeholder.globalMatch(text); match.hasNext();) {
                found.append(match.next().captured());
            }
            found.sort();
            return found;
        };
        for (const auto& info : files) {
            QFile file(info.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QXmlStreamReader xml(&file);
            QString source;
            while (!xml.atEnd()) {
                xml.readNext();
                if (!xml.isStartElement()) {
                    continue;
                }
                if (xml.name() == QLatin1String("source")) {
                    source = xml.readElementText();
                } else if (xml.name() == QLatin1String("translation")) {
                    QVERIFY2(!xml.attributes().hasAttribute(QLatin1String("type")), qPrintable(source));
                    const QString translated = xml.readElementText(QXmlStreamReader::IncludeChildElements);
                    QVERIFY2(!translated.isEmpty(), qPrintable(source));
                    QStringList wanted = placeholders(source);
                    QStringList has = placeholders(translated);
                    has.removeDuplicates(); // plural forms repeat them
                    wanted.removeDuplicates();
                    QVERIFY2(has == wanted, qPrintable(source + u'\n' + translated));
                }
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        }
    }

    void theWindowIsGerman()
    {
        QCoreApplication::removeTranslator(&m_translator);
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/crosswalk_de.qm")));
        QVERIFY(QCoreApplication::installTranslator(&german));
        {
            DrivenWindow driven;
            QVERIFY(driven.open(exampleModel("digits_crnn")));
            QCOMPARE(driven.find<QAction>("fileExport")->text(), QStringLiteral("Nach ONNX &exportieren\u2026"));
            QVERIFY(driven.text("statusCounts").contains(QStringLiteral("32 Operatoren")));
            driven.clickNode(Side::Source, "digits_lstm_rnn0");
            driven.keepPicture(QStringLiteral("german"));
        }
        QCoreApplication::removeTranslator(&german);
        QVERIFY(QCoreApplication::installTranslator(&m_translator));
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
        content.add(m_names);
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
    QString m_names; ///< shown as they are, in addition to those of the model
    std::vector<std::unique_ptr<QWidget>> m_tips;
};

QTEST_MAIN(TestWindowTranslation)
#include "tst_window_translation.moc"
