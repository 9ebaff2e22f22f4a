// A folder as a collection: its models in a table with verdicts, filtered, opened one by one, converted together.

#include "core/collection/collection_report.h"
#include "tests/ui/window_picture.h"
#include "ui/collection/collection_window.h"
#include "ui/main_window/tabbed_window.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace fs = std::filesystem;

namespace {

using Table = CollectionTable;

/// Models of three formats, two of one architecture, a cut one, and files that are none.
class Collection {
public:
    Collection()
    {
        for (const char* file : {"model-symbol.json", "model-0000.params"}) {
            copy("keyword_lstmp", file, "models");
            copy("keyword_lstmp", file, "models/copy");
        }
        copy("speech_commands", "frozen.pb", "models/speech");
        const std::string frozen = readAll(m_files.path("models/speech/frozen.pb"));
        m_files.write("models/cut.pb", frozen.substr(0, frozen.size() - 1000));
        m_files.write("models/notes.txt", "not a model");
    }

    fs::path path(const std::string& name) const { return m_files.path(name); }
    QString folder() const { return QString::fromStdString(path("models").string()); }
    const TemporaryFiles& files() const { return m_files; }
    void copy(const char* example, const char* file, const std::string& folder) const
    {
        fs::create_directories(m_files.path(folder));
        const fs::path from(QFileInfo(exampleModel(example)).dir().filePath(QLatin1String(file)).toStdString());
        fs::copy_file(from, m_files.path(folder) / file);
    }

private:
    TemporaryFiles m_files;
};

/// The window, driven by mouse and keys.
class DrivenCollection {
public:
    explicit DrivenCollection(const QString& folder, QSize size = {1200, 760})
    {
        window.resize(size);
        window.show();
        window.activateWindow();
        window.openFolder(folder);
    }

    bool settle()
    {
        // Checking starts when the search has ended.
        const bool idle = QTest::qWaitFor([this] { return window.isIdle(); }, DrivenWindow::patience);
        QCoreApplication::processEvents();
        return idle;
    }
    template <typename Widget = QWidget>
    Widget* find(const char* name)
    {
        auto* widget = window.findChild<Widget*>(QLatin1String(name));
        if (widget == nullptr) {
            qFatal("there is no %s", name);
        }
        return widget;
    }
    QTreeView* view() { return find<QTreeView>("collectionTable"); }
    QStringList column(int column)
    {
        QStringList texts;
        for (int row = 0; row < view()->model()->rowCount(); ++row) {
            texts.append(view()->model()->index(row, column).data().toString());
        }
        return texts;
    }
    void click(const QString& name, bool twice = false)
    {
        const auto row = static_cast<int>(column(Table::NameColumn).indexOf(name));
        const QPoint place = view()->visualRect(view()->model()->index(row, Table::NameColumn)).center();
        QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, place);
        if (twice) {
            QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {}, place);
        }
    }
    /// Chooses an entry of a list by its keys.
    void choose(const char* list, int steps)
    {
        auto* box = find<QComboBox>(list);
        box->setFocus();
        for (int i = 0; i < std::abs(steps); ++i) {
            QTest::keyClick(box, steps > 0 ? Qt::Key_Down : Qt::Key_Up);
        }
    }
    void answerFileDialog(const char* name, const QString& path)
    {
        QTRY_VERIFY(window.findChild<QDialog*>(QLatin1String(name)) != nullptr);
        auto* dialog = find<QDialog>(name);
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
        auto* buttons = dialog->findChild<QDialogButtonBox*>();
        for (auto* button : buttons->buttons()) {
            if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QTRY_VERIFY(window.findChild<QDialog*>(QLatin1String(name)) == nullptr);
        window.activateWindow();
    }
    void keepPicture(const QString& name)
    {
        QCoreApplication::processEvents();
        QVERIFY(QDir().mkpath(artifactsFolder()));
        QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(artifactsFolder(), name)));
    }

    CollectionWindow window{ConvertOptions()};
};

} // namespace

class TestWindowCollection : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        m_path = qgetenv("PATH");
        qputenv("PATH", programFolder().toUtf8() + ":" + m_path);
    }
    void cleanup()
    {
        applyTheme(ThemeChoice::Light);
        qputenv("PATH", programFolder().toUtf8() + ":" + m_path);
    }

    void showsModelsWithVerdicts()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        const QAbstractItemModelTester tester(driven.view()->model(),
                                              QAbstractItemModelTester::FailureReportingMode::Fatal);
        QVERIFY(driven.settle());
        QCOMPARE(driven.column(Table::NameColumn),
                 (QStringList{QStringLiteral("copy/model-symbol.json"), QStringLiteral("cut.pb"),
                              QStringLiteral("model-symbol.json"), QStringLiteral("speech/frozen.pb")}));
        QCOMPARE(driven.column(Table::VerdictColumn),
                 (QStringList{QStringLiteral("decomposed"), QStringLiteral("bad input"), QStringLiteral("decomposed"),
                              QStringLiteral("decomposed")}));
        QCOMPARE(driven.column(Table::FormatColumn),
                 (QStringList{QStringLiteral("Apache MXNet"), QString(), QStringLiteral("Apache MXNet"),
                              QStringLiteral("TensorFlow")}));
        QCOMPARE(driven.column(Table::ArchitectureColumn),
                 (QStringList{QStringLiteral("1 (2 models)"), QString(), QStringLiteral("1 (2 models)"), QString()}));
        const auto weights = fs::file_size(collection.path("models/model-0000.params"));
        const auto symbol = fs::file_size(collection.path("models/model-symbol.json"));
        QCOMPARE(driven.view()->model()->index(0, Table::SizeColumn).data(Table::SortRole).toULongLong(),
                 static_cast<qulonglong>(weights + symbol));
        QVERIFY(!driven.column(Table::ProblemsColumn)[1].isEmpty());
        QVERIFY(!driven.column(Table::TimeColumn).contains(QString()));
        QCOMPARE(driven.find<QLabel>("collectionStatus")->text(), QStringLiteral("3 decomposed  \u00b7  1 bad input"));
        driven.click(QStringLiteral("cut.pb"));
        QVERIFY(driven.find<QTextBrowser>("collectionDetails")->toPlainText().contains(QStringLiteral("Error")));
        // Checking writes nothing.
        for (const auto& entry : fs::recursive_directory_iterator(collection.path("models"))) {
            QVERIFY(entry.path().extension() != ".onnx");
        }
    }

    void rowsAreFiltered()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        QTest::keyClick(&driven.window, Qt::Key_F, Qt::ControlModifier);
        auto* query = driven.find<QLineEdit>("collectionQuery");
        QVERIFY(query->hasFocus());
        QTest::keyClicks(query, QStringLiteral("MXNet copy"));
        QCOMPARE(driven.column(Table::NameColumn), QStringList{QStringLiteral("copy/model-symbol.json")});
        QCOMPARE(driven.find<QLabel>("collectionCount")->text(), QStringLiteral("1 of 4 models"));
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(driven.view()->hasFocus());
        QCOMPARE(driven.view()->currentIndex().row(), 0);
        query->setFocus();
        QTest::keyClick(query, Qt::Key_Escape);
        QCOMPARE(driven.column(Table::NameColumn).size(), 4);
        QTest::keyClicks(query, QStringLiteral("qqq"));
        QVERIFY(driven.find<QLabel>("collectionEmpty")->isVisible());
        QTest::keyClick(query, Qt::Key_Escape);

        driven.choose("collectionVerdict", 2); // all, decomposed, bad input
        QCOMPARE(driven.column(Table::NameColumn), QStringList{QStringLiteral("cut.pb")});
        driven.choose("collectionVerdict", -2);
        driven.choose("collectionReason", 1);
        QCOMPARE(driven.column(Table::NameColumn), QStringList{QStringLiteral("cut.pb")});
        driven.choose("collectionReason", -1);
        QCOMPARE(driven.column(Table::NameColumn).size(), 4);

        driven.click(QStringLiteral("model-symbol.json"));
        QTest::keyClick(&driven.window, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(driven.column(Table::NameColumn),
                 (QStringList{QStringLiteral("copy/model-symbol.json"), QStringLiteral("model-symbol.json")}));
        QTest::keyClick(&driven.window, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(driven.column(Table::NameColumn).size(), 4);
    }

    void detailsFollowTheSelection()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        const auto* details = driven.find<QTextBrowser>("collectionDetails");
        driven.click(QStringLiteral("cut.pb"));
        const QString text = details->toPlainText();
        driven.view()->selectAll();
        QCOMPARE(details->toPlainText(), QStringLiteral("4 models selected"));
        driven.click(QStringLiteral("cut.pb"));
        QCOMPARE(details->toPlainText(), text);
    }

    void anotherFolderHasNoFilterByArchitecture()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        driven.click(QStringLiteral("model-symbol.json"));
        QTest::keyClick(&driven.window, Qt::Key_G, Qt::ControlModifier);
        driven.window.openFolder(QString::fromStdString(collection.path("models/speech").string()));
        QVERIFY(driven.settle());
        QCOMPARE(driven.column(Table::NameColumn), QStringList{QStringLiteral("frozen.pb")});
    }

    void rowsAreSorted()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        const QStringList before = driven.column(Table::NameColumn);
        auto* header = driven.view()->header();
        const auto click = [&](int section) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              QPoint(header->sectionViewportPosition(section) + header->sectionSize(section) / 2,
                                     header->height() / 2));
        };
        click(Table::VerdictColumn); // the worst first
        QCOMPARE(driven.column(Table::NameColumn).front(), QStringLiteral("cut.pb"));
        click(Table::VerdictColumn);
        QCOMPARE(driven.column(Table::NameColumn).back(), QStringLiteral("cut.pb"));
        click(Table::VerdictColumn);
        QCOMPARE(driven.column(Table::NameColumn), before);
    }

    void modelsAreOpenedByMouseAndByKeys()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        QSignalSpy chosen(&driven.window, &CollectionWindow::modelChosen);
        driven.click(QStringLiteral("speech/frozen.pb"), true);
        QCOMPARE(chosen.takeFirst().front().toString(),
                 QString::fromStdString(collection.path("models/speech/frozen.pb").string()));
        driven.view()->setFocus();
        QTest::keyClick(driven.view(), Qt::Key_Home);
        QTest::keyClick(driven.view(), Qt::Key_Return);
        QCOMPARE(chosen.takeFirst().front().toString(),
                 QString::fromStdString(collection.path("models/copy/model-symbol.json").string()));
        QTest::keyClick(driven.view(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(driven.view(), Qt::Key_Enter);
        QCOMPARE(chosen.count(), 2);
    }

    void aModelOpensInATab()
    {
        const Collection collection;
        TabbedWindow tabs(nullptr);
        tabs.show();
        tabs.activateWindow();
        QCoreApplication::processEvents();
        QTest::keyClick(tabs.window(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(tabs.findChild<QDialog*>(QStringLiteral("collectionDialog")) != nullptr);
        tabs.findChild<QDialog*>(QStringLiteral("collectionDialog"))->close();
        auto* window = tabs.openCollection(collection.folder());
        QVERIFY(QTest::qWaitFor([&] { return window->isIdle(); }, DrivenWindow::patience));
        auto* view = window->findChild<QTreeView*>(QStringLiteral("collectionTable"));
        QTRY_VERIFY(view->hasFocus());
        QTest::keyClick(view, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return tabs.current()->isIdle(); }, DrivenWindow::patience));
        QVERIFY(tabs.current()->document().path() == collection.path("models/copy/model-symbol.json"));
        window->activateWindow();
        QTRY_VERIFY(view->hasFocus());
        QTest::keyClick(view, Qt::Key_End);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(tabs.count(), 2);
        QVERIFY(QTest::qWaitFor([&] { return tabs.current()->isIdle(); }, DrivenWindow::patience));
        const QPointer<CollectionWindow> closed(window);
        window->activateWindow();
        QTRY_VERIFY(view->hasFocus());
        QTest::keyClick(window, Qt::Key_W, Qt::ControlModifier);
        QTRY_VERIFY(!closed);
    }

    void severalModelsOfAFolderAreShownAsACollection()
    {
        const Collection collection;
        TabbedWindow tabs(nullptr);
        tabs.show();
        tabs.openModel(collection.folder());
        QTRY_VERIFY(tabs.findChild<QPushButton*>(QStringLiteral("folderCollection")) != nullptr);
        QTest::mouseClick(tabs.findChild<QPushButton*>(QStringLiteral("folderCollection")), Qt::LeftButton);
        CollectionWindow* window = nullptr;
        for (auto* widget : QApplication::topLevelWidgets()) {
            window = window == nullptr ? qobject_cast<CollectionWindow*>(widget) : window;
        }
        QVERIFY(window != nullptr);
        QVERIFY(QTest::qWaitFor([&] { return window->isIdle(); }, DrivenWindow::patience));
        QCOMPARE(window->table()->rowCount(), 4);
        delete window;
    }

    void convertsAllModels()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        fs::create_directories(collection.path("onnx"));
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier);
        driven.answerFileDialog("convertAllDialog", QString::fromStdString(collection.path("onnx").string()));
        QVERIFY(driven.settle());
        for (const char* name : {"onnx/model.onnx", "onnx/copy/model.onnx", "onnx/speech/frozen.onnx"}) {
            QVERIFY2(fs::exists(collection.path(name)), name);
        }
        QVERIFY(!fs::exists(collection.path("onnx/cut.onnx")));
        QVERIFY(driven.find("toastFolder")->isVisible());
        driven.click(QStringLiteral("model-symbol.json"));
        QVERIFY(driven.find<QTextBrowser>("collectionDetails")
                    ->toPlainText()
                    .contains(QStringLiteral("converted to model.onnx")));
        // Another run keeps finished models, and asks before it replaces the files of someone else.
        const auto before = fs::last_write_time(collection.path("onnx/model.onnx"));
        driven.window.convertInto(QString::fromStdString(collection.path("onnx").string()));
        QVERIFY(driven.settle());
        QCOMPARE(fs::last_write_time(collection.path("onnx/model.onnx")).time_since_epoch().count(),
                 before.time_since_epoch().count());
        fs::create_directories(collection.path("other"));
        collection.files().write("other/model.onnx", "mine");
        driven.window.convertInto(QString::fromStdString(collection.path("other").string()));
        QVERIFY(driven.window.isIdle());
        QVERIFY(driven.find<QMessageBox>("replaceDialog")->text().startsWith(QStringLiteral("1 file already exists")));
        QCOMPARE(readAll(collection.path("other/model.onnx")), std::string("mine"));
        driven.find<QMessageBox>("replaceDialog")->reject();
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(driven.window.findChild<QFileDialog*>(QStringLiteral("collectionReportDialog")) != nullptr);
        auto* report = driven.find<QFileDialog>("collectionReportDialog");
        QCOMPARE(report->directory().dirName(), QStringLiteral("onnx")); // of the last conversion
        report->reject();
        QTRY_VERIFY(driven.window.findChild<QMessageBox*>(QStringLiteral("replaceDialog")) == nullptr);
        driven.window.convertInto(QString::fromStdString(collection.path("other").string()));
        QTest::mouseClick(driven.find<QPushButton>("replaceFiles"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(fs::file_size(collection.path("other/model.onnx")) > 4);
    }

    void savesAReport()
    {
        const Collection collection;
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        const auto path = collection.path("report.json");
        driven.answerFileDialog("collectionReportDialog", QString::fromStdString(path.string()));
        const CollectionReport report = reportFromJson(readAll(path));
        QCOMPARE(report.models.size(), std::size_t{4});
        QCOMPARE(report.counts()[static_cast<std::size_t>(Outcome::Converted)], std::size_t{3});
    }

    void aRunIsCancelledAndResumed()
    {
        const Collection collection;
        constexpr int many = 40;
        for (int i = 0; i < many; ++i) {
            collection.copy("speech_commands", "frozen.pb", "models/many/" + std::to_string(i));
        }
        DrivenCollection driven(collection.folder());
        QTRY_VERIFY(driven.window.table()->rowCount() > 0); // found, and being checked
        QVERIFY(!driven.window.isIdle());
        QVERIFY(driven.find("collectionProgressBar")->isVisible());
        driven.keepPicture(QStringLiteral("collection_running"));
        QTest::mouseClick(driven.find<QToolButton>("collectionCancelButton"), Qt::LeftButton);
        QVERIFY(driven.window.isIdle());
        QVERIFY(driven.column(Table::VerdictColumn).contains(QStringLiteral("not checked")));
        QTest::keyClick(&driven.window, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(!driven.window.isIdle());
        QVERIFY(driven.settle());
        QVERIFY(!driven.column(Table::VerdictColumn).contains(QStringLiteral("not checked")));
        // Checked again after a change, with a file that is new.
        fs::copy_file(collection.path("models/speech/frozen.pb"), collection.path("models/new.pb"));
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QCOMPARE(driven.column(Table::NameColumn).size(), many + 5);
    }

    void anEmptyFolderIsNoError()
    {
        const TemporaryFiles files;
        fs::create_directories(files.path("empty"));
        DrivenCollection driven(QString::fromStdString(files.path("empty").string()));
        QVERIFY(driven.settle());
        auto* empty = driven.find<QLabel>("collectionEmpty");
        QVERIFY(empty->isVisible());
        QVERIFY(empty->text().contains(QStringLiteral("contains no models")));
        QVERIFY(!driven.find<QPushButton>("collectionConvertButton")->isEnabled());
        driven.keepPicture(QStringLiteral("collection_empty"));
        files.write("empty/cut.onnx", std::string("\x08\x07", 2)); // one model, which is damaged
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        driven.keepPicture(QStringLiteral("collection_one"));
        QCOMPARE(driven.column(Table::VerdictColumn).size(), 1);
    }

    void withoutTheProgramModelsAreListed()
    {
        const Collection collection;
        qputenv("PATH", "/there/is/none");
        DrivenCollection driven(collection.folder());
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QMessageBox>("collectionFailed")->text().contains(QStringLiteral("on PATH")));
        QCOMPARE(driven.column(Table::VerdictColumn), QStringList(4, QStringLiteral("not checked")));
    }

    void everyCommandHasAKey()
    {
        const TemporaryFiles files;
        DrivenCollection driven(QString::fromStdString(files.path("").string()));
        QStringList keys;
        for (auto* top : driven.window.menuBar()->actions()) {
            for (auto* action : top->menu()->actions()) {
                if (!action->isSeparator()) {
                    QVERIFY2(!action->shortcut().isEmpty() && !action->objectName().isEmpty(),
                             qPrintable(action->text()));
                    keys.append(action->shortcut().toString());
                }
            }
        }
        const auto several = keys.size();
        QVERIFY(several > 8);
        keys.removeDuplicates();
        QCOMPARE(keys.size(), several);
    }

    void looksAsDocumented()
    {
        const Collection collection;
        // A model with an operator that nothing translates.
        std::string odd = readAll(collection.path("models/copy/model-symbol.json"));
        const std::string_view op = "\"FullyConnected\"";
        const auto at = odd.find(op);
        QVERIFY(at != std::string::npos);
        odd.replace(at, op.size(), "\"SpectralPool\"");
        collection.files().write("models/copy/model-symbol.json", odd);
        collection.copy("digits_crnn", "model-symbol.json", "models/digits");
        collection.copy("digits_crnn", "model-0000.params", "models/digits");
        collection.copy("digits_crnn", "model-symbol.json", "models/digits-2");
        collection.copy("digits_crnn", "model-0000.params", "models/digits-2");
        collection.copy("wearable_activity", "activity.ptl", "models/wearable");
        DrivenCollection driven(collection.folder(), {1280, 800});
        QVERIFY(driven.settle());
        std::vector<FinishedModel> steady; // times and paths differ from run to run
        for (int row = 0; row < driven.window.table()->rowCount(); ++row) {
            const auto& each = driven.window.table()->at(row);
            steady.push_back({*each.outcome, each.weightsBytes});
            steady.back().outcome.seconds = 0.041;
        }
        driven.window.table()->add(steady);
        driven.find<QLabel>("collectionTitle")->setText(QStringLiteral("/home/me/models"));
        driven.click(QStringLiteral("copy/model-symbol.json"));
        QCoreApplication::processEvents();
        const auto look = [&](const QString& name) {
            QCoreApplication::processEvents();
            return isAsBefore(driven.window.grab().toImage().convertToFormat(QImage::Format_RGB32),
                              QStringLiteral("%1/docs/images/%2.png").arg(sourceFolder(), name),
                              artifactsFolder() + QStringLiteral("/changed"));
        };
        const bool isLight = look(QStringLiteral("collection"));
        applyTheme(ThemeChoice::Dark);
        const bool isDark = look(QStringLiteral("collection_dark"));
        applyTheme(ThemeChoice::Light);
        for (const QSize size : {QSize(900, 600), QSize(1600, 1000)}) {
            driven.window.resize(size);
            driven.keepPicture(QStringLiteral("collection_%1").arg(size.width()));
        }
        QVERIFY(isLight && isDark);
    }

private:
    QByteArray m_path;
};

QTEST_MAIN(TestWindowCollection)
#include "tst_window_collection.moc"
