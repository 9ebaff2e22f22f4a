// The focus: seen wherever it is, and brought where the work is by few keys.

#include "tests/ui/driven_window.h"
#include "ui/models/problems_model.h"

#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr int maxStops = 80;

QString described(const QWidget* widget)
{
    return QStringLiteral("%1 %2 in %3")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
             widget->parentWidget() != nullptr ? widget->parentWidget()->objectName() : QString());
}

/// Everything that Tab reaches, from the source's graph on and round.
QList<QWidget*> tabStops(DrivenWindow& driven)
{
    QList<QWidget*> stops;
    driven.window.canvas(Side::Source)->setFocus();
    for (int i = 0; i < maxStops && (i == 0 || QApplication::focusWidget() != stops.front()); ++i) {
        if (!stops.contains(QApplication::focusWidget())) { // a text has a stop for each of its links
            stops.append(QApplication::focusWidget());
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCoreApplication::processEvents();
    }
    return stops;
}

} // namespace

class TestWindowFocus : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void everyTabStopShowsTheFocus_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
    }
    void everyTabStopShowsTheFocus()
    {
        QFETCH(ThemeChoice, theme);
        applyTheme(theme);
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        QStringList unseen;
        const auto stops = tabStops(driven);
        QVERIFY(stops.size() > 20 && stops.size() < maxStops);
        const auto choice = stops.indexOf(driven.find<QRadioButton>("strategy-exact"));
        QVERIFY(choice > 0 && choice < stops.indexOf(driven.find<QWidget>("nodeDetails")));
        for (auto* stop : stops) {
            const auto seen = [&] {
                QCoreApplication::processEvents();
                return stop->window()->grab(QRect(stop->mapTo(stop->window(), QPoint(0, 0)), stop->size())).toImage();
            };
            stop->setFocus(Qt::TabFocusReason);
            const QImage with = seen();
            stop->clearFocus();
            if (with == seen()) {
                unseen.append(described(stop));
            }
        }
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QStringLiteral("; "))));
    }

    void enterFocusesTheChoicesOfANodeAndEscapeReturns()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        auto* canvas = driven.window.canvas(Side::Source);
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(driven.find<QRadioButton>("strategy-exact")->hasFocus());
        // Past the choices, Tab comes to the details of the same node.
        for (int i = 0; i < 8 && !driven.find<QWidget>("nodeDetails")->hasFocus(); ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(driven.find<QWidget>("nodeDetails")->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(canvas->hasFocus());
        // What is chosen by keys is in force; the focus stays with it.
        QTest::keyClick(canvas, Qt::Key_Return);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QVERIFY(driven.settle());
        QVERIFY(!driven.document().options().strategies.empty());
        QVERIFY(qobject_cast<QRadioButton*>(QApplication::focusWidget()) != nullptr);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(canvas->hasFocus());
        // A node without choices: its details.
        driven.clickNode(Side::Source, "keyword_words_fwd");
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(driven.find<QWidget>("nodeDetails")->hasFocus());
    }

    void keysStepFromPaneToPane()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        const auto press = [&](Qt::KeyboardModifiers modifiers) {
            QTest::keyClick(&driven.window, Qt::Key_F6, modifiers);
            return QApplication::focusWidget()->objectName();
        };
        const QStringList places{QStringLiteral("onnxCanvas"), QStringLiteral("strategy-exact"),
                                 QStringLiteral("problemsTable"), QStringLiteral("outlineTree"),
                                 QStringLiteral("sourceCanvas")};
        for (const auto& place : places) {
            QCOMPARE(press({}), place);
        }
        QCOMPARE(press(Qt::ShiftModifier), QStringLiteral("outlineTree"));
        QCOMPARE(press(Qt::ShiftModifier), QStringLiteral("problemsTable"));
    }

    void aHiddenWindowHasNoNextPane()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.window.hide();
        QVERIFY(driven.settle());
        for (const char* command : {"viewNextPane", "viewPreviousPane"}) {
            auto* action = driven.window.findChild<QAction*>(QLatin1String(command));
            QVERIFY(action->isEnabled());
            action->trigger();
            QVERIFY(!driven.window.isVisible());
        }
    }

    void documentationExpandsByKeyboard()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const auto softmax = [&] {
            const auto& boxes = driven.document().side(Side::Target)->scene->nodes;
            return static_cast<std::uint32_t>(std::ranges::find(boxes, std::string("Softmax"), &SceneNode::title) -
                                              boxes.begin());
        };
        driven.clickNode(Side::Target, softmax());
        const QString beginning = driven.text("nodeDoc");
        QVERIFY2(beginning.endsWith(QStringLiteral("will be performed.")), qPrintable(beginning));
        auto* more = driven.find<QToolButton>("nodeDocMore");
        QCOMPARE(more->accessibleName(), QStringLiteral("More about the operator"));
        for (int i = 0; i < maxStops && !more->hasFocus(); ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(more->hasFocus());
        QTest::keyClick(more, Qt::Key_Space);
        QVERIFY(driven.text("nodeDoc").startsWith(beginning));
        QVERIFY(driven.text("nodeDoc").endsWith(QStringLiteral("values of the corresponding input.")));
        QVERIFY(more->hasFocus());
        auto* doc = driven.find<QLabel>("nodeDoc");
        QTRY_COMPARE(doc->height(), doc->heightForWidth(doc->width()));
        driven.keepPicture(QStringLiteral("whole_documentation"));
        QTest::keyClick(more, Qt::Key_Space);
        QCOMPARE(driven.text("nodeDoc"), beginning);
        // Another operator begins at its beginning; what is short has no more.
        QTest::keyClick(more, Qt::Key_Space);
        driven.clickNode(Side::Source, "digits_softmax0");
        driven.clickNode(Side::Target, softmax());
        QCOMPARE(driven.text("nodeDoc"), beginning);
        driven.clickNode(Side::Source, "digits_output_fwd");
        QVERIFY(!driven.isShown("nodeDocMore"));
    }

    void aStrategyIsSelectedByKeyboard()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        QTest::keyClick(&driven.window, Qt::Key_3, Qt::AltModifier);
        auto* table = driven.find<QTreeView>("problemsTable");
        QVERIFY(table->hasFocus());
        QVERIFY(table->selectionModel()->isSelected(table->currentIndex()));
        while (
            !table->currentIndex().siblingAtColumn(ProblemsModel::ChoiceColumn).flags().testFlag(Qt::ItemIsEditable)) {
            const QModelIndex before = table->currentIndex();
            QTest::keyClick(table, Qt::Key_Down);
            QVERIFY(table->currentIndex() != before);
        }
        QTest::keyClick(table, Qt::Key_F2);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().options().strategies.size(), std::size_t{1});
        QTRY_VERIFY(table->hasFocus());
    }

    void aTensorSliceIsSelectedByKeyboard()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_features_conv0_fwd");
        QTest::keyClick(&driven.window, Qt::Key_6, Qt::AltModifier);
        auto* values = driven.find<QTableView>("tensorValues");
        QVERIFY(values->hasFocus());
        QVERIFY(values->selectionModel()->isSelected(values->currentIndex()));
        const QVariant first = values->model()->index(0, 0).data();
        QTest::keyClick(values, Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), driven.find<QWidget>("tensorVersion"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), driven.find<QWidget>("tensorIndex1"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        auto* axis = driven.find<QSpinBox>("tensorIndex0");
        QCOMPARE(QApplication::focusWidget(), axis);
        QTest::keyClick(axis, Qt::Key_Up);
        QCOMPARE(axis->value(), 1);
        QVERIFY(values->model()->index(0, 0).data() != first);
        // And on: through the values, out of the panel.
        QTest::keyClick(axis, Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(values->hasFocus());
        QTest::keyClick(values, Qt::Key_Tab);
        QVERIFY(!values->hasFocus());
    }

    void keysWithModifiersAreNotTheCanvas()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        auto* canvas = driven.window.canvas(Side::Source);
        const auto before = canvas->transform();
        QTest::keyClick(canvas, Qt::Key_Z, Qt::ControlModifier); // there is nothing to undo
        QTest::keyClick(canvas, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(canvas, Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(canvas, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(canvas->transform(), before);
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_output_fwd"});
        QTest::keyClick(canvas, Qt::Key_Z);
        QVERIFY(canvas->transform() != before);
    }
};

QTEST_MAIN(TestWindowFocus)
#include "tst_window_focus.moc"
