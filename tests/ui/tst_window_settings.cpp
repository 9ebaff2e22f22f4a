// Settings: what is the same for all models, by mouse and by keys, and that it is remembered.

#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/paths.h"
#include "tests/ui/driven_window.h"
#include "ui/main_window/settings_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QSplitter>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// Opens the settings by their key.
SettingsDialog* openSettings(DrivenWindow& driven)
{
    QTest::keyClick(&driven.window, Qt::Key_Comma, Qt::ControlModifier);
    QCoreApplication::processEvents();
    auto* dialog = driven.window.findChild<SettingsDialog*>();
    if (dialog == nullptr) {
        qFatal("there is no settings dialog");
    }
    return dialog;
}

void closeSettings(DrivenWindow& driven)
{
    QTest::mouseClick(driven.find<QPushButton>("settingsClose"), Qt::LeftButton);
    QTRY_VERIFY(driven.window.findChild<SettingsDialog*>() == nullptr);
    driven.window.activateWindow();
    QCoreApplication::processEvents();
}

/// Takes an entry of a combo box that has the focus, by keys.
void choose(QComboBox* box, const QVariant& value)
{
    box->setFocus();
    const int steps = box->findData(value) - box->currentIndex();
    for (int i = 0; i < std::abs(steps); ++i) {
        QTest::keyClick(box, steps > 0 ? Qt::Key_Down : Qt::Key_Up);
    }
    QCOMPARE(box->currentData(), value);
}

std::unique_ptr<QSettings> settingsIn(const TemporaryFiles& files)
{
    return std::make_unique<QSettings>(QString::fromStdString(files.path("settings.ini").string()),
                                       QSettings::IniFormat);
}

} // namespace

class TestWindowSettings : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void newModelsStartFromTheSettings()
    {
        TemporaryFiles files;
        {
            DrivenWindow driven(settingsIn(files));
            openSettings(driven);
            choose(driven.find<QComboBox>("settingsOpset"), 13);
            choose(driven.find<QComboBox>("settingsRecurrent"), static_cast<int>(Strategy::Fused));
            auto* optimize = driven.find<QCheckBox>("settingsOptimize");
            optimize->setFocus();
            auto* attention = driven.find<QCheckBox>("settingsAttention");
            QVERIFY(!attention->isEnabled());
            QTest::keyClick(optimize, Qt::Key_Space);
            QVERIFY(attention->isEnabled());
            attention->setFocus();
            QTest::keyClick(attention, Qt::Key_Space);
            closeSettings(driven);
        }
        DrivenWindow driven(settingsIn(files));
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QCOMPARE(driven.document().converted()->conversion.opset, 13);
        QVERIFY(driven.document().options().optimize);
        QVERIFY(driven.document().options().fuseAttention);
        QVERIFY(driven.find<QAction>("modelAttention")->isChecked());
        QVERIFY(!driven.document().options().reroll);
        QCOMPARE(driven.document().options().recurrent, Strategy::Fused);
        QVERIFY(driven.find<QAction>("recurrentFused")->isChecked());
        QVERIFY(driven.find<QAction>("modelOptimize")->isChecked());
    }

    void themeAndPanesFollowAtOnce()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        openSettings(driven);
        choose(driven.find<QComboBox>("settingsTheme"), static_cast<int>(ThemeChoice::Dark));
        QCOMPARE(themeChoice(), ThemeChoice::Dark);
        QTRY_VERIFY(driven.find<QAction>("themeDark")->isChecked());
        choose(driven.find<QComboBox>("settingsPanes"), static_cast<int>(Qt::Vertical));
        auto* panes = driven.find<QSplitter>("panes");
        QCOMPARE(panes->orientation(), Qt::Vertical);
        driven.keepPicture(QStringLiteral("panes-stacked"));
        QVERIFY(driven.find<QAction>("viewStackPanes")->isChecked());
        QTest::mouseClick(driven.find<QPushButton>("settingsDefaults"), Qt::LeftButton);
        QCOMPARE(panes->orientation(), Qt::Horizontal);
        closeSettings(driven);
        // The key does the same, and there and back.
        QTest::keyClick(&driven.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(panes->orientation(), Qt::Vertical);
        QTest::keyClick(&driven.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(panes->orientation(), Qt::Horizontal);
    }

    void settingsAreStoredWithoutAModel()
    {
        const TemporaryFiles files;
        {
            DrivenWindow driven(settingsIn(files));
            openSettings(driven);
            choose(driven.find<QComboBox>("settingsPanes"), static_cast<int>(Qt::Vertical));
            closeSettings(driven);
        }
        DrivenWindow driven(settingsIn(files));
        QCOMPARE(driven.find<QSplitter>("panes")->orientation(), Qt::Vertical);
    }

    void aToleranceThatIsNoNumberIsNotTaken()
    {
        const TemporaryFiles files;
        DrivenWindow driven(settingsIn(files));
        const Tolerance before = driven.window.preferences().exportSettings().tolerance;
        openSettings(driven);
        driven.find<QLineEdit>("settingsRelative")->clear();
        driven.find<QLineEdit>("settingsAbsolute")->setText(QStringLiteral("1e-"));
        QTest::mouseClick(driven.find<QCheckBox>("settingsExternalData"), Qt::LeftButton, {}, {8, 8});
        const ExportSettings taken = driven.window.preferences().exportSettings();
        QVERIFY(taken.write.externalData);
        QCOMPARE(taken.tolerance.relative, before.relative);
        QCOMPARE(taken.tolerance.absolute, before.absolute);
        closeSettings(driven);
    }

    void shapesOnEdgesAreSwitched()
    {
        const TemporaryFiles files;
        const QString file = QString::fromStdString(files.path("settings.ini").string());
        {
            DrivenWindow driven(std::make_unique<QSettings>(file, QSettings::IniFormat));
            QVERIFY(driven.open(exampleModel("digits_crnn")));
            auto* canvas = driven.window.canvas(Side::Source);
            auto* action = driven.window.findChild<QAction*>(QStringLiteral("viewEdgeShapes"));
            QVERIFY(action->isChecked());
            canvas->setFocus();
            const QImage with = canvas->grab().toImage();
            QTest::keyClick(canvas, Qt::Key_S);
            QVERIFY(!action->isChecked());
            const QImage without = canvas->grab().toImage();
            QVERIFY(with != without);
            action->trigger();
            QCOMPARE(canvas->grab().toImage(), with);
            action->trigger();
        }
        DrivenWindow again(std::make_unique<QSettings>(file, QSettings::IniFormat));
        QVERIFY(!again.window.findChild<QAction*>(QStringLiteral("viewEdgeShapes"))->isChecked());
    }

    void theSettingsSelectExternalData()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        openSettings(driven);
        QTest::mouseClick(driven.find<QCheckBox>("settingsExternalData"), Qt::LeftButton, {}, {8, 8});
        QVERIFY(driven.find<QCheckBox>("settingsExternalData")->isChecked());
        closeSettings(driven);
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier);
        driven.answerFileDialog("exportDialog", QString::fromStdString(files.path("digits.onnx").string()));
        QVERIFY(driven.settle());
        QVERIFY(std::filesystem::exists(files.path("digits.onnx")));
        QVERIFY(std::filesystem::exists(files.path("digits.onnx.data")));
    }

    /// A model is exported beside its weights, and the export is then moved.
    void theSettingsLeaveWeightsInPlace()
    {
        TemporaryFiles files;
        const std::filesystem::path example =
            std::filesystem::path(exampleModel("digits_crnn").toStdString()).parent_path();
        for (const char* name : {"model-symbol.json", "model-0000.params"}) {
            std::filesystem::copy_file(example / name, files.path(name));
        }
        {
            DrivenWindow driven(settingsIn(files));
            openSettings(driven);
            auto* inPlace = driven.find<QCheckBox>("settingsWeightsInPlace");
            QVERIFY(!inPlace->isEnabled());
            QTest::mouseClick(driven.find<QCheckBox>("settingsExternalData"), Qt::LeftButton, {}, {8, 8});
            QVERIFY(inPlace->isEnabled());
            QTest::mouseClick(inPlace, Qt::LeftButton, {}, {8, 8});
            closeSettings(driven);
        }
        DrivenWindow driven(settingsIn(files));
        QVERIFY(driven.open(QString::fromStdString(files.path("model-symbol.json").string())));
        QSignalSpy exported(&driven.document().exporter(), &Exporter::exported);
        driven.exportTo(QString::fromStdString(files.path("digits.onnx").string()));
        QVERIFY(driven.settle());
        const auto written = exported.at(0).at(0).value<ExportResult>().written;
        QVERIFY(written.bytesInPlace > 0);
        QVERIFY(driven.text("statusMessage").contains(QStringLiteral("of weights stay in the files of the model")));
        const OnnxModel model = loadOnnx(files.path("digits.onnx"));
        const OnnxModel& converted = driven.document().converted()->conversion.model.whole();
        QCOMPARE(model.weights.size(), converted.weights.size());
        for (std::size_t i = 0; i < model.weights.size(); ++i) {
            QCOMPARE(model.weights[i].toBytes(), converted.weights[i].toBytes());
        }
        // The clipboard gets a file that needs no other one of the model.
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(exported.count(), 2);
        QCOMPARE(exported.at(1).at(0).value<ExportResult>().written.bytesInPlace, std::uint64_t{0});
        QCOMPARE(QApplication::clipboard()->mimeData()->urls().size(), 2);
    }

    void aToleranceHoldsForTheNextVerification()
    {
        TemporaryFiles files;
        DrivenWindow driven(settingsIn(files));
        openSettings(driven);
        auto* field = driven.find<QLineEdit>("settingsRelative");
        QCOMPARE(field->text(), QStringLiteral("0.001"));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1e-5"));
        QTest::keyClick(field, Qt::Key_Tab);
        QCOMPARE(driven.window.preferences().exportSettings().tolerance.relative, 1e-5);
        // What is no tolerance is not taken.
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("7"));
        QTest::keyClick(field, Qt::Key_Tab);
        QCOMPARE(driven.window.preferences().exportSettings().tolerance.relative, 1e-5);
        closeSettings(driven);
    }

    void conversionOptionsChangeByKeyboardAndUndo()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QTest::keyClick(&driven.window, Qt::Key_P, Qt::ControlModifier);
        QTest::keyClick(&driven.window, Qt::Key_1);
        QTest::keyClick(&driven.window, Qt::Key_3);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().converted()->conversion.opset, 13);
        QTest::keyClick(&driven.window, Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().options().optimize);
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().options().reroll);
        QTest::keyClick(&driven.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().options().recurrent, Strategy::Unrolled);
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        }
        QVERIFY(driven.settle());
        QVERIFY(!driven.document().options().optimize && !driven.document().options().reroll);
        QCOMPARE(driven.document().options().recurrent, Strategy::Exact);
        QCOMPARE(driven.document().converted()->conversion.opset, defaultOpset);
        QVERIFY(driven.find<QAction>("recurrentExact")->isChecked());
    }

    void optionsThatDoNotApplyToTheFormatAreDisabled()
    {
        DrivenWindow driven;
        const auto isEnabled = [&](const char* name) { return driven.find<QAction>(name)->isEnabled(); };
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(isEnabled("modelReroll") && isEnabled("recurrentUnrolled") && isEnabled("modelOptimize"));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("model.onnx"));
        writeOnnx(driven.document().converted()->conversion.model, path.toStdString());
        QVERIFY(driven.open(path));
        QVERIFY(!isEnabled("modelReroll") && !isEnabled("recurrentUnrolled") && isEnabled("modelOptimize"));
    }

    void theDialogShowsTheSettingsFile_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void theDialogShowsTheSettingsFile()
    {
        QFETCH(bool, dark);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        TemporaryFiles files;
        DrivenWindow driven(settingsIn(files));
        auto* dialog = openSettings(driven);
        QVERIFY(driven.text("settingsPlace").contains(QString::fromStdString(files.path("settings.ini").string())));
        const QString folder = artifactsFolder();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(dialog->grab().save(
            folder + (dark ? QStringLiteral("/settings-dark.png") : QStringLiteral("/settings-light.png"))));
        closeSettings(driven);
    }
};

QTEST_MAIN(TestWindowSettings)
#include "tst_window_settings.moc"
