// Text of a file is shown as it is: no name, message or path is taken for markup, hides characters or adds lines.

#include "tests/support/onnx_text.h"
#include "tests/ui/driven_window.h"
#include "tests/ui/visible_texts.h"
#include "ui/collection/collection_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/models/node_details.h"
#include "ui/models/words.h"
#include "ui/panels/name_elision.h"
#include "ui/panels/path_label.h"
#include "ui/panels/start_page.h"

#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextEdit>
#include <QToolTip>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// Markup, a line end, a change of direction, next line (C1), escape, and an invalid byte of UTF-8.
std::string hostile(const std::string& name)
{
    return "<img src='file:///etc/passwd'><a href='file:///'>" + name + "</a>\nforged \u202e\u0085\x1b[31m\xff";
}

::onnx::ModelProto hostileModel()
{
    ::onnx::ModelProto model = parseModel(R"(g (float[N, 3] x, float[N, 3] other) => (float[N, 3] y, float[N, 3] z) {
        a = Relu(x)
        shared = Add(a, other)
        y = Softmax<axis = 1>(shared)
        strings = StringConcat(words, words)
        z = Unknown<text = "t", texts = ["t", "u"]>(shared)
    })");
    auto& graph = *model.mutable_graph();
    graph.set_name(hostile("graph"));
    graph.set_doc_string(hostile("doc"));
    model.set_producer_name(hostile("producer"));
    model.set_producer_version(hostile("version"));
    model.set_domain(hostile("domain"));
    auto* property = model.add_metadata_props();
    property->set_key(hostile("key"));
    property->set_value(hostile("value"));
    std::map<std::string, std::string> names;
    const auto rename = [](std::string& name) {
        if (!name.empty()) {
            name = hostile(name);
        }
    };
    for (auto* list : {graph.mutable_input(), graph.mutable_output()}) {
        for (auto& port : *list) {
            rename(*port.mutable_name());
            port.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param(hostile("N"));
        }
    }
    auto* weight = graph.add_initializer();
    weight->set_name(hostile("words"));
    weight->set_data_type(::onnx::TensorProto::STRING);
    weight->add_dims(1);
    weight->add_string_data(hostile("word"));
    for (auto& node : *graph.mutable_node()) {
        node.set_name(hostile("node_" + node.op_type()));
        node.set_doc_string(hostile("doc"));
        if (node.op_type() == "Unknown") {
            node.set_op_type(hostile("Op"));
            node.set_domain(hostile("domain"));
            for (auto& attribute : *node.mutable_attribute()) {
                rename(*attribute.mutable_name());
                if (attribute.has_s()) {
                    attribute.set_s(hostile("text"));
                }
                for (auto& text : *attribute.mutable_strings()) {
                    text = hostile("text");
                }
            }
        }
        for (auto* values : {node.mutable_input(), node.mutable_output()}) {
            std::ranges::for_each(*values, rename);
        }
    }
    auto* import = model.add_opset_import();
    import->set_domain(hostile("domain"));
    import->set_version(1);
    return model;
}

/// Whether a text shows all its characters, and has only line ends of the window's own.
bool isHonest(const QString& text)
{
    for (const QChar c : text) {
        const bool isDirection = c == QChar(0x200e) || c == QChar(0x200f) ||
                                 (c >= QChar(0x2028) && c <= QChar(0x202e)) ||
                                 (c >= QChar(0x2066) && c <= QChar(0x2069));
        if ((c.category() == QChar::Other_Control && c != u'\n') || isDirection || c == QChar::ReplacementCharacter) {
            return false;
        }
    }
    return !text.contains(QStringLiteral("\nforged"));
}

/// Texts of a widget, an item or an action that have invisible characters, or that Qt takes for markup of a file.
QStringList dishonest()
{
    QStringList found;
    const VisibleTexts texts;
    for (const auto& [where, text] : texts.all()) {
        if (!isHonest(text)) {
            found.append(where + QStringLiteral(": ") + text);
        }
    }
    for (const auto* widget : QApplication::allWidgets()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label == nullptr || label->text().isEmpty()) {
            continue;
        }
        const bool isGuessed = label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text());
        const bool isMarkup = label->textFormat() == Qt::RichText && label->text().contains(QLatin1String("<img"));
        if ((isGuessed && label->isVisible()) || isMarkup) {
            found.append(label->objectName() + QStringLiteral(" is rich: ") + label->text());
        }
    }
    for (const auto* widget : QApplication::allWidgets()) {
        if (const auto* text = qobject_cast<const QTextEdit*>(widget)) {
            for (const QTextFormat& format : text->document()->allFormats()) {
                if (format.isImageFormat() || format.property(QTextFormat::AnchorHref).isValid()) {
                    found.append(text->objectName() + QStringLiteral(" has markup"));
                }
            }
            if (!isHonest(text->toPlainText())) {
                found.append(text->objectName() + QStringLiteral(": ") + text->toPlainText());
            }
        }
    }
    return found;
}

} // namespace

#define COMPARE_HONEST()                                                                                               \
    do {                                                                                                               \
        QCoreApplication::processEvents();                                                                             \
        const QStringList found = dishonest();                                                                         \
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QStringLiteral("\n\n"))));                                     \
    } while (false)

class TestWindowTexts : public QObject {
    Q_OBJECT
private:
    TemporaryFiles m_files;
    QString m_model;

private slots:
    void initTestCase()
    {
        prepareWindows();
        const auto path = m_files.path("<b>model<br>\u202e\nforged.onnx");
        writeMessage(hostileModel(), path.string());
        m_model = QString::fromStdString(path.string());
    }

    void showsEveryPanel()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        QCOMPARE(driven.document().side(Side::Source)->graph->nodeCount(), std::size_t{5});
        driven.keepPicture(QStringLiteral("hostile"));
        COMPARE_HONEST();
        for (const auto* dock : driven.window.findChildren<QDockWidget*>()) {
            driven.showDock(qPrintable(dock->objectName()));
            COMPARE_HONEST();
        }
        for (const auto side : {Side::Source, Side::Target}) {
            if (!driven.document().side(side)) {
                continue;
            }
            const auto& scene = *driven.document().side(side)->scene;
            for (std::uint32_t box = 0; box < scene.nodes.size(); ++box) {
                driven.document().selection().select(side, {box});
                COMPARE_HONEST();
                QVERIFY(isHonest(boxToolTip(driven.document(), side, box)));
                for (const std::string& text : {scene.nodes[box].title, scene.nodes[box].name}) {
                    QVERIFY2(isHonest(fromUtf8(text)) && text.find('\n') == std::string::npos, text.c_str());
                }
                for (const std::string& row : scene.nodes[box].rows) {
                    QVERIFY2(isHonest(fromUtf8(row)) && row.find('\n') == std::string::npos, row.c_str());
                }
            }
            for (const SceneEdge& edge : scene.edges) {
                QVERIFY(isHonest(edgeToolTip(driven.document(), side, edge.value)));
            }
        }
        const QString name = driven.text("nodeName").remove(QChar(0x200b));
        QVERIFY2(name.startsWith(QStringLiteral("<img src='file:///etc/passwd'><a")), qPrintable(name));
        QVERIFY2(name.endsWith(QStringLiteral("\\nforged \\u202e\\u0085\\u001b[31m\\xff")), qPrintable(name));
    }

    void showsDialogsAndMenus_data()
    {
        QTest::addColumn<QString>("action");
        for (const char* name : {"modelNames", "fileWeights", "fileExport", "fileReport", "fileCompare", "editCommands",
                                 "goBookmark", "helpAbout", "helpShortcuts"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }
    void showsDialogsAndMenus()
    {
        QFETCH(QString, action);
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        driven.document().selection().select(Side::Source, {1});
        auto* found = driven.window.findChild<QAction*>(action);
        QVERIFY2(found != nullptr, qPrintable(action));
        found->trigger();
        QCoreApplication::processEvents();
        if (action == QLatin1String("editCommands")) {
            QTest::keyClicks(driven.find<QLineEdit>("commandQuery"), QStringLiteral("img"));
        }
        COMPARE_HONEST();
    }

    void namesThatAreNotEditedStay()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        driven.find<QAction>("modelNames")->trigger();
        driven.find<QDialog>("namesDialog")->accept();
        QVERIFY(driven.settle());
        QVERIFY(driven.document().options().renames.empty());
    }

    void longNamesBreakBetweenCharacters()
    {
        const QString op = QStringLiteral("MeanVarianceNormalization");
        QCOMPARE(breakable(op), op);
        QCOMPARE(breakable(QString(30, u'a')), QString(24, u'a') + QChar(0x200B) + QString(6, u'a'));
        QCOMPARE(breakable(QStringLiteral("a/b_c.d1.5")), QStringLiteral("a/\u200Bb_\u200Bc.\u200Bd1.5"));
        const QString pair = QString::fromUcs4(U"\U0001F600", 1);
        const QString name = QStringLiteral("a") + pair.repeated(300);
        for (const QString& cut :
             {breakable(name), breakable(name + u'a'), elidedName(QFontMetrics(QFont()), name, 100),
              elidedName(QFontMetrics(QFont()), name + u'a', 101)}) {
            QVERIFY(cut.size() < name.size());
            QVERIFY(cut.isValidUtf16());
        }
    }

    void aPathIsElidedToTheWidthOfItsPage()
    {
        const auto plainText = [](const QLabel& label) {
            return QTextDocumentFragment::fromHtml(label.text()).toPlainText();
        };
        PathLabel path;
        path.show(); // hidden widgets are not resized
        path.setSteps({{.name = QStringLiteral("Source"), .link = QStringLiteral("l0")},
                       {.name = QString(60, u'a') + QStringLiteral("_first"), .link = QStringLiteral("l1")},
                       {.name = QString(90, u'b') + QStringLiteral("_<second>")},
                       {.name = QStringLiteral("body"), .isBold = true},
                       {.name = QStringLiteral("cond"), .link = QStringLiteral("b1"), .isAlternative = true}});
        path.resize(3000, 20);
        const QString whole = plainText(path);
        QCOMPARE(
            whole,
            QStringLiteral("Source › %1_first › %2_<second> › body cond").arg(QString(60, u'a'), QString(90, u'b')));
        QCOMPARE(path.toolTip(), QString());
        for (const int width : {600, 400, 250}) {
            path.resize(width, 20);
            QVERIFY2(path.sizeHint().width() <= width, qPrintable(QString::number(path.sizeHint().width())));
            QCOMPARE(QTextDocumentFragment::fromHtml(path.toolTip()).toPlainText(), whole);
            for (const char* part : {"Source", "…", "st › ", "> › body cond"}) {
                QVERIFY2(plainText(path).contains(QString::fromUtf8(part)), qPrintable(plainText(path)));
            }
        }
        path.resize(20, 20); // nothing fits
        path.resize(3000, 20);
        QCOMPARE(plainText(path), whole);
        path.setSteps({});
        QCOMPARE(path.text(), QString());
    }

    void reportsAFileThatCannotBeOpened()
    {
        DrivenWindow driven;
        driven.window.openModel(m_model + QStringLiteral("<img src='x'>\n"));
        QVERIFY(driven.settle());
        QVERIFY(driven.isShown("banner"));
        COMPARE_HONEST();
    }

    void listsRecentFilesAndTabs()
    {
        auto settings =
            std::make_unique<QSettings>(QString::fromStdString(m_files.path("s.ini").string()), QSettings::IniFormat);
        settings->setValue(QStringLiteral("recentFiles"), QStringList{m_model});
        TabbedWindow window(std::move(settings));
        window.addTab();
        window.show();
        window.openModel(m_model);
        QVERIFY(QTest::qWaitFor([&] { return window.current()->isIdle(); }, DrivenWindow::patience));
        COMPARE_HONEST();
    }

    void listsACollection()
    {
        CollectionWindow window{ConvertOptions()};
        window.show();
        window.openFolder(QFileInfo(m_model).path());
        QVERIFY(QTest::qWaitFor([&] { return window.isIdle(); }, DrivenWindow::patience));
        QCOMPARE(window.table()->rowCount(), 1);
        FinishedModel model{.outcome = {.model = QFileInfo(m_model).fileName().toStdString()}};
        model.outcome.format = "onnx";
        model.outcome.outcome = Outcome::Refused;
        model.outcome.problems = {{.severity = Severity::Error,
                                   .code = "odd",
                                   .message = hostile("message"),
                                   .node = hostile("node"),
                                   .op = hostile("op")}};
        window.table()->add({model});
        auto* query = window.findChild<QLineEdit*>(QStringLiteral("collectionQuery"));
        query->setText(QStringLiteral("img")); // refreshes
        query->clear();
        auto* view = window.findChild<QAbstractItemView*>(QStringLiteral("collectionTable"));
        QVERIFY(view != nullptr);
        view->setCurrentIndex(view->model()->index(0, 0));
        QVERIFY(QTest::qWaitFor([&] { return window.isIdle(); }, DrivenWindow::patience));
        COMPARE_HONEST();
        const auto* details = window.findChild<QTextEdit*>(QStringLiteral("collectionDetails"));
        QVERIFY(details != nullptr);
        QVERIFY2(details->toPlainText().contains(QStringLiteral("<img src='file:///etc/passwd'>")),
                 qPrintable(details->toPlainText()));
    }

    void showsToolTipsAsPlainText()
    {
        QLabel label;
        label.setText(QStringLiteral("<b>bold</b>"));
        label.show();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QToolTip::showText(QPoint(0, 0), QStringLiteral("<b>bold</b>"), &label);
        const QLabel* tip = nullptr;
        for (const auto* widget : QApplication::topLevelWidgets()) {
            if (widget->inherits("QTipLabel")) {
                tip = qobject_cast<const QLabel*>(widget);
            }
        }
        QVERIFY(tip != nullptr);
        QCOMPARE(tip->textFormat(), Qt::PlainText);
        QToolTip::hideText();
    }

    void breaksLongToolTips()
    {
        QCOMPARE(toolTipText(QStringLiteral("one\ntwo")), QStringLiteral("one\ntwo"));
        const QString words = toolTipText(QStringLiteral("word ").repeated(100));
        QVERIFY(words.count(u'\n') >= 5);
        const QString name = toolTipText(QString(100000, u'n'));
        QVERIFY(name.size() < 5000);
        QVERIFY(name.endsWith(QChar(0x2026)));
    }
};

QTEST_MAIN(TestWindowTexts)
#include "tst_window_texts.moc"
