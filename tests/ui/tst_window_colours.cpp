// What the colours of nodes represent: amounts, types, verdicts, latencies; their legend and filter.

#include "core/verify/runtime.h"
#include "tests/ui/driven_window.h"
#include "ui/models/layers_model.h"
#include "ui/panels/colour_legend.h"

#include <QToolButton>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

struct Driven : DrivenWindow {
    explicit Driven(const QString& model)
    {
        if (!open(model)) {
            qFatal("the model was not opened");
        }
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(&window, key, modifiers);
        QVERIFY(settle());
    }
    Tint tintOf(Side side, std::string_view name)
    {
        const auto& marks = document().colours().marks(side);
        const auto box = boxNamed(side, name);
        return marks && box && *box < marks->tints.size() ? marks->tints[*box] : Tint::None;
    }
    QStringList legend()
    {
        QStringList texts;
        for (const auto* entry : find<ColourLegend>("colourLegend")->findChildren<QToolButton*>()) {
            if (entry->objectName().startsWith(QLatin1String("colourEntry")) && entry->isVisible()) {
                texts.append(entry->text());
            }
        }
        return texts;
    }
};

QString speechModel()
{
    return sourceFolder() + QStringLiteral("/resources/examples/speech_commands/frozen.pb");
}

} // namespace

class TestWindowColours : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void amountsHaveSteps()
    {
        const std::vector<double> steps{1, 3, 10, 30, 100, 300};
        QCOMPARE(tintOfAmount(0, steps), Tint::None);
        QCOMPARE(tintOfAmount(0.5, steps), Tint::Least);
        QCOMPARE(tintOfAmount(3, steps), Tint::Less);
        QCOMPARE(tintOfAmount(299, steps), Tint::More);
        QCOMPARE(tintOfAmount(1e9, steps), Tint::Most);
        QCOMPARE(tintOfAmount(5, {}), Tint::None);
        QCOMPARE(tintOfAmount(std::nan(""), steps), Tint::Blocked);
    }

    /// Marks that were computed for the boxes of one graph must never meet those of another.
    void coloursOfAnotherModelAreVoid()
    {
        Driven driven(speechModel());
        driven.find<QAction>("colourType")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.document().colours().marks(Side::Source));
        int fitting = 0;
        int other = 0;
        connect(&driven.document(), &Document::sideChanged, this, [&](Side side) {
            const auto& marks = driven.document().colours().marks(side);
            const auto& shown = driven.document().side(side);
            const bool fits = !marks || (shown && marks->verdicts.size() == shown->scene->nodes.size());
            ++(fits ? fitting : other);
        });
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(fitting > 1);
        QCOMPARE(other, 0);
        QCOMPARE(driven.document().colours().colouring(), Colouring::Type);
        QVERIFY(driven.document().colours().marks(Side::Source));
    }

    void parametersOnBothSides()
    {
        Driven driven(exampleModel("digits_crnn"));
        auto* legend = driven.find<ColourLegend>("colourLegend");
        QVERIFY(!legend->isVisible());
        driven.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(driven.document().colours().colouring(), Colouring::Parameters);
        QVERIFY(driven.find<QAction>("colourParameters")->isChecked());
        QCOMPARE(driven.tintOf(Side::Source, "digits_lstm_rnn0"), Tint::Most);
        QCOMPARE(driven.tintOf(Side::Source, "digits_mean0"), Tint::None);
        const auto counterparts = [&] {
            driven.clickNode(Side::Source, "digits_lstm_rnn0");
            return driven.document().selection().counterparts();
        }();
        const auto& target = driven.document().colours().marks(Side::Target)->tints;
        QVERIFY(std::ranges::any_of(counterparts,
                                    [&](auto box) { return target[box] >= Tint::Much && target[box] <= Tint::Most; }));
        legend = driven.find<ColourLegend>("colourLegend");
        QVERIFY(legend->isVisible());
        QCOMPARE(legend->findChild<QLabel*>(QStringLiteral("colourTitle"))->text(), QStringLiteral("Parameters"));
        QVERIFY(driven.legend().front().startsWith(QStringLiteral("30.0 k and more")) ||
                driven.legend().front().startsWith(QStringLiteral("30 k and more")));
        QVERIFY(driven.legend().back().startsWith(QStringLiteral("none")));
        driven.keepPicture(QStringLiteral("colours-parameters"));
        // A new conversion keeps the choice; the cross of the legend ends it.
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QCOMPARE(driven.tintOf(Side::Source, "digits_lstm_rnn0"), Tint::Most);
        QTest::mouseClick(driven.find<QToolButton>("colourClose"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().colours().colouring(), Colouring::Category);
        QVERIFY(driven.document().colours().marks(Side::Source)->tints.empty());
    }

    void anEntryOfTheLegendFilters()
    {
        Driven driven(exampleModel("digits_crnn"));
        driven.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        const auto name = QStringLiteral("colourEntry%1").arg(colourOf(Tint::Most)).toLatin1();
        auto* entry = driven.find<QToolButton>(name.constData());
        QTest::mouseClick(entry, Qt::LeftButton);
        QVERIFY(driven.settle());
        const auto dimmed = [&](Side side, std::string_view node) {
            const auto* drawn = driven.window.canvas(side)->drawnScene();
            return driven.window.canvas(side)->marks()->isDimmed(drawn->drawnAs(*driven.boxNamed(side, node)));
        };
        QVERIFY(!dimmed(Side::Source, "digits_lstm_rnn0"));
        QVERIFY(dimmed(Side::Source, "digits_mean0"));
        QVERIFY(driven.find<QToolButton>(name.constData())->isChecked());
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_Escape);
        QVERIFY(driven.settle());
        QVERIFY(driven.window.canvas(Side::Source)->marks()->dimmed.empty());
        // By keyboard alone.
        entry = driven.find<QToolButton>(name.constData());
        entry->setFocus(Qt::TabFocusReason);
        QTest::keyClick(entry, Qt::Key_Space);
        QVERIFY(driven.settle());
        QVERIFY(dimmed(Side::Source, "digits_mean0"));
    }

    void familiesHaveALegend()
    {
        Driven driven(exampleModel("digits_crnn"));
        driven.window.canvas(Side::Source)->setFocus();
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_L);
        QVERIFY(driven.find<ColourLegend>("colourLegend")->isVisible());
        const auto name = QStringLiteral("colourEntry%1").arg(colourOf(OperatorCategory::Recurrent)).toLatin1();
        QTest::mouseClick(driven.find<QToolButton>(name.constData()), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_lstm_rnn0"});
        driven.keepPicture(QStringLiteral("colours-families"));
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_L);
        QVERIFY(!driven.find<ColourLegend>("colourLegend")->isVisible());
    }

    void typesAndVerdicts()
    {
        Driven driven(speechModel());
        driven.key(Qt::Key_5, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(driven.legend().join(u' ').contains(QStringLiteral("float32")));
        QVERIFY(driven.legend().join(u' ').contains(QStringLiteral("int32")));
        QVERIFY(driven.tintOf(Side::Source, "features") != driven.tintOf(Side::Source, "lengths"));
        driven.keepPicture(QStringLiteral("colours-types"));
        driven.key(Qt::Key_6, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(driven.tintOf(Side::Source, "labels_softmax"), Tint::Exact);
        QVERIFY(driven.legend().join(u' ').contains(QStringLiteral("folded")));
        driven.key(Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(driven.document().colours().colouring(), Colouring::Category);
        QVERIFY(!driven.find<ColourLegend>("colourLegend")->isVisible());
    }

    /// Cells of the graph seen from afar, and of the overview, have the colours of the marks.
    void theColoursReachEveryZoom()
    {
        Driven driven(exampleModel("digits_crnn"));
        auto* canvas = driven.window.canvas(Side::Source);
        const auto box = canvas->drawnScene()->index.box(
            canvas->drawnScene()->drawnAs(*driven.boxNamed(Side::Source, "digits_lstm_rnn0")));
        const auto farPicture = [&] {
            const double scale = 0.1;
            canvas->setTransform({box.center() - QPointF(canvas->width(), canvas->height()) / 2 / scale, scale});
            return canvas->grab().toImage();
        };
        const QColor before = farPicture().pixelColor(canvas->rect().center());
        driven.key(Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        const QColor after = farPicture().pixelColor(canvas->rect().center());
        QVERIFY(before != after);
        const QColor expected = theme().tint(Tint::Most).block;
        QVERIFY2(std::abs(after.hslHue() - expected.hslHue()) < 12, qPrintable(after.name() + expected.name()));
    }

    void latenciesAreMeasured()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
        Driven driven(exampleModel("digits_crnn"));
        driven.key(Qt::Key_8, Qt::ControlModifier | Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(driven.document().colours().colouring(), Colouring::Latency, DrivenWindow::patience);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().verifier().latencies() != nullptr);
        QVERIFY(driven.document().verifier().latencies()->runs >= 3);
        QVERIFY(!driven.document().verifier().latencies()->isRandom); // recorded tensors are next to the model
        QVERIFY(driven.tintOf(Side::Source, "digits_features_conv1_fwd") != Tint::None);
        QVERIFY(driven.text("statusMessage").contains(QStringLiteral("per run")));
        QVERIFY(!driven.legend().isEmpty());
        // The legend has room for all entries of the new colouring.
        const auto* legend = driven.find<ColourLegend>("colourLegend");
        QCOMPARE(legend->height(), legend->sizeHint().height());
        // The table of the layers has a column for them.
        driven.showDock("layersDock");
        auto* table = driven.find<QTreeView>("layersTable");
        QVERIFY(!table->isColumnHidden(LayersModel::LatencyColumn));
        table->sortByColumn(LayersModel::LatencyColumn, Qt::DescendingOrder);
        const auto slowest = table->model()->index(0, LayersModel::LatencyColumn).data().toString();
        QVERIFY2(slowest.contains(u's'), qPrintable(slowest));
        // Another conversion is not measured.
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().colours().colouring(), Colouring::Category);
        QVERIFY(driven.document().verifier().latencies() == nullptr);
        QVERIFY(table->isColumnHidden(LayersModel::LatencyColumn));
    }
};

QTEST_MAIN(TestWindowColours)
#include "tst_window_colours.moc"
