// The docks around the graphs: where they stand, and the keys that bring them up.

#include "tests/ui/driven_window.h"

#include "ui/models/problems_model.h"
#include "ui/panels/tensor_panel.h"

#include <QTabBar>
#include <QTreeView>

#include <stdexcept>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr QSize large{1600, 975};

std::unique_ptr<QSettings> settingsIn(const TemporaryFiles& files)
{
    return std::make_unique<QSettings>(QString::fromStdString(files.path("settings.ini").string()),
                                       QSettings::IniFormat);
}

/// The tabs of the docks at the bottom.
QTabBar* bottomTabs(DrivenWindow& driven)
{
    for (auto* tabs : driven.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (tabs->isVisible() && tabs->count() > 1) {
            return tabs;
        }
    }
    qFatal("the docks have no tabs");
}

void clickTab(DrivenWindow& driven, const QString& title)
{
    auto* tabs = bottomTabs(driven);
    for (int i = 0; i < tabs->count(); ++i) {
        if (tabs->tabText(i) == title) {
            QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
        }
    }
    QCoreApplication::processEvents();
    QCOMPARE(tabs->tabText(tabs->currentIndex()), title);
}

/// Pulls the right edge of the outline.
void pullOutline(DrivenWindow& driven, int by)
{
    const auto* dock = driven.find<QDockWidget>("outlineDock");
    const QPoint edge = dock->geometry().topRight() + QPoint(1, dock->height() / 2);
    QTest::mousePress(&driven.window, Qt::LeftButton, {}, edge);
    QMouseEvent move(QEvent::MouseMove, edge + QPoint(by, 0), driven.window.mapToGlobal(edge + QPoint(by, 0)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&driven.window, &move);
    QCoreApplication::processEvents();
    QTest::mouseRelease(&driven.window, Qt::LeftButton, {}, edge + QPoint(by, 0));
    QCoreApplication::processEvents();
}

std::map<std::string, QSize> dockSizes(DrivenWindow& driven)
{
    std::map<std::string, QSize> sizes;
    for (const auto* name : {"outlineDock", "nodeDock", "problemsDock", "inputsDock"}) {
        const auto* dock = driven.find<QDockWidget>(name);
        if (dock->isVisible() && !dock->visibleRegion().isEmpty()) {
            sizes[name] = dock->size();
        }
    }
    return sizes;
}

} // namespace

class TestWindowDocks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aTensorIsSavedFromTheCollapsedArea()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.showDock("tensorDock");
        driven.window.findChild<BottomArea*>()->setCollapsed(true);
        QCoreApplication::processEvents();
        driven.clickNode(Side::Source, "digits_output_fwd");
        driven.find<QAction>("fileTensor")->trigger();
        QVERIFY(driven.window.findChild<QDialog*>(QStringLiteral("tensorDialog")) != nullptr);
    }

    void anErrorOfTheTensorPanelIsReported()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* panel = driven.window.findChild<TensorPanel*>();
        for (auto* job : panel->findChildren<JobRunner*>(QString(), Qt::FindDirectChildrenOnly)) {
            const auto fail = [](const std::stop_token&) -> bool { throw std::runtime_error("a test"); };
            job->run(panel, fail, [](bool) {});
            QTRY_VERIFY_WITH_TIMEOUT(driven.isShown("banner"), DrivenWindow::patience);
            QVERIFY(driven.text("bannerText").contains(QStringLiteral("a test")));
            QTest::mouseClick(driven.find<QAbstractButton>("bannerClose"), Qt::LeftButton);
            QVERIFY(!driven.isShown("banner"));
        }
    }

    void docksStandAfterARestartAsTheyWereLeft_data()
    {
        QTest::addColumn<QString>("front");
        QTest::newRow("problems in front") << "Problems";
        QTest::newRow("inputs in front") << "Inputs";
    }
    void docksStandAfterARestartAsTheyWereLeft()
    {
        QFETCH(QString, front);
        const TemporaryFiles files;
        std::map<std::string, QSize> left;
        {
            DrivenWindow driven(settingsIn(files), large);
            QVERIFY(driven.open(exampleModel("digits_crnn")));
            QCOMPARE(driven.find<QDockWidget>("outlineDock")->width(), 270);
            pullOutline(driven, 40);
            QCOMPARE(driven.find<QDockWidget>("outlineDock")->width(), 310);
            clickTab(driven, front);
            left = dockSizes(driven);
            QCOMPARE(left.size(), std::size_t{3}); // of those that share a place, one is seen
            QVERIFY(driven.window.close());
        }
        for (int restart = 0; restart < 2; ++restart) {
            DrivenWindow driven(settingsIn(files), large);
            QVERIFY(driven.open(exampleModel("digits_crnn")));
            QCOMPARE(dockSizes(driven), left);
            QCOMPARE(bottomTabs(driven)->tabText(bottomTabs(driven)->currentIndex()), front);
            // With nothing open there are no docks, and they come back as they were.
            driven.document().close();
            QVERIFY(driven.settle());
            QVERIFY(dockSizes(driven).empty());
            QVERIFY(driven.open(exampleModel("digits_crnn")));
            QCOMPARE(dockSizes(driven), left);
            QVERIFY(driven.window.close());
        }
    }

    void widthsFollowTheWindowUntilTheUserChangesOne()
    {
        DrivenWindow driven(nullptr, large);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        const auto* outline = driven.find<QDockWidget>("outlineDock");
        const auto* node = driven.find<QDockWidget>("nodeDock");
        const std::pair before{outline->width(), node->width()};
        driven.window.resize(2400, large.height());
        QTRY_VERIFY(outline->width() > before.first);
        QTRY_VERIFY(node->width() > before.second);
        driven.window.resize(large);
        QTRY_COMPARE(outline->width(), before.first);
        QTRY_COMPARE(node->width(), before.second);
        // Also from a window so small that it narrows the docks.
        driven.window.resize(700, 500);
        QTRY_VERIFY(node->width() < before.second);
        driven.window.resize(large);
        QTRY_COMPARE(outline->width(), before.first);
        QTRY_COMPARE(node->width(), before.second);
        pullOutline(driven, 40);
        const int pulled = outline->width();
        QCOMPARE(pulled, before.first + 40);
        driven.window.resize(2400, large.height());
        QTest::qWait(50); // nothing happens
        QCOMPARE(outline->width(), pulled);
    }

    /// Qt moves the docks without a signal.
    void docksBelowHaveNoTitlesAfterMaximizing()
    {
        DrivenWindow driven(nullptr, large);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        const auto sizes = dockSizes(driven);
        for (int i = 0; i < 2; ++i) {
            driven.find<QAction>("viewMaximize")->trigger();
            QCoreApplication::processEvents();
        }
        QCOMPARE(dockSizes(driven), sizes);
        QCOMPARE(driven.find<QDockWidget>("problemsDock")->titleBarWidget()->sizeHint(), QSize(0, 0));
    }

    void aSmallWindowHasRoomForAll()
    {
        DrivenWindow driven(nullptr, {900, 600});
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        QCoreApplication::processEvents();
        for (const auto side : {Side::Source, Side::Target}) {
            QVERIFY2(driven.window.canvas(side)->width() > 220,
                     qPrintable(QString::number(driven.window.canvas(side)->width())));
        }
        const auto* table = driven.find<QTreeView>("problemsTable");
        const QRect last = table->visualRect(table->model()->index(0, ProblemsModel::ChoiceColumn));
        QVERIFY(last.right() <= table->viewport()->width());
        QVERIFY(table->columnWidth(ProblemsModel::MessageColumn) > table->viewport()->width() / 3);
        driven.keepPicture(QStringLiteral("small"));
        // In a larger one the whole reason is read.
        driven.window.resize(1280, 800);
        const QModelIndex message = table->model()->index(0, ProblemsModel::MessageColumn);
        const auto needed = [&] {
            const QRect reason(0, 0, table->visualRect(message).width() - 8, 1000);
            return table->fontMetrics().boundingRect(reason, Qt::TextWordWrap, message.data().toString()).height();
        };
        QTRY_VERIFY(table->visualRect(message).height() >= needed()); // the docks follow the size of the window
        QVERIFY(needed() > table->fontMetrics().lineSpacing());
        driven.keepPicture(QStringLiteral("small-larger"));
    }

    void aKeyShowsAndHidesADock()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        clickTab(driven, QStringLiteral("Inputs"));
        const auto* summary = driven.find<QDockWidget>("summaryDock");
        const auto* toggle = driven.find<QAction>("summaryDockToggle");
        const auto press = [&] { QTest::keyClick(&driven.window, Qt::Key_5, Qt::AltModifier); };
        const auto isInFront = [&] { return summary->isVisible() && !summary->visibleRegion().isEmpty(); };
        QVERIFY(!isInFront());
        QVERIFY(toggle->isChecked()); // it is there, behind
        press();
        QVERIFY(isInFront());
        QVERIFY(toggle->isChecked());
        QVERIFY(driven.find<QWidget>("summaryTree")->hasFocus());
        press();
        QVERIFY(summary->isHidden());
        QVERIFY(!toggle->isChecked());
        QVERIFY(driven.window.canvas(Side::Source)->hasFocus());
        press();
        QCoreApplication::processEvents();
        QVERIFY(isInFront());
        QVERIFY(driven.find<QWidget>("summaryTree")->hasFocus());
        // In front without the focus it is not in the way: it gets the focus.
        driven.window.canvas(Side::Source)->setFocus();
        press();
        QVERIFY(isInFront());
        QVERIFY(driven.find<QWidget>("summaryTree")->hasFocus());
    }

    void thePaletteBringsADockUp()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_K, Qt::ControlModifier);
        auto* query = driven.find<QLineEdit>("commandQuery");
        QTest::keyClicks(query, QStringLiteral("summary"));
        QTest::keyClick(query, Qt::Key_Return);
        QCoreApplication::processEvents();
        QVERIFY(!driven.find<QDockWidget>("summaryDock")->visibleRegion().isEmpty());
        QVERIFY(driven.find<QWidget>("summaryTree")->hasFocus());
    }
};

QTEST_MAIN(TestWindowDocks)
#include "tst_window_docks.moc"
