// The docks of the window at 100,000 nodes: CPU time of the GUI thread for one letter typed into the outline's search,
// for one selection, for one step through the graph, and for a change of the theme, including all repaints. Reports the
// maximum of many repeats.
//
//   bench_docks [FAMILY]...             all families without arguments

#include "tests/bench/corpus.h"
#include "ui/canvas/canvas_view.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include "core/base/cpu_time.h"

#include <QApplication>
#include <QDockWidget>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeView>

#include <algorithm>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::bench;
using namespace crosswalk::ui;

namespace {

constexpr double frame = 0.0167; // 60 frames per second
constexpr double stall = 0.2;    // what a user notices as a pause

struct Worst {
    double seconds = 0;
    std::string at;
};

template <typename Act>
void measure(Worst& worst, const std::string& at, Act act)
{
    const double start = threadCpuSeconds();
    act();
    QApplication::processEvents(); // deferred layouts and paints
    if (const double took = threadCpuSeconds() - start; took > worst.seconds) {
        worst = {took, at};
    }
}

void report(const char* what, const Worst& worst, double limit = frame)
{
    fmt::print("   {:<30} {:6.2f} ms{}   ({})\n", what, 1e3 * worst.seconds, worst.seconds <= limit ? "" : " MISSED",
               worst.at);
}

void press(QWidget* widget, int key, const QString& text = {})
{
    for (const auto type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, Qt::NoModifier, text);
        QApplication::sendEvent(widget, &event);
    }
}

void settle(MainWindow& window)
{
    QEventLoop loop;
    const auto check = [&] {
        if (window.isIdle()) {
            loop.quit();
        }
    };
    QObject::connect(&window, &MainWindow::becameIdle, &loop, check);
    QApplication::processEvents();
    if (!window.isIdle()) {
        loop.exec();
    }
    QApplication::processEvents();
}

void search(MainWindow& window, const char* dock)
{
    auto* field = window.findChild<QLineEdit*>(QStringLiteral("outlineSearch"));
    field->setFocus();
    Worst typing;
    Worst clearing;
    for (const char* query : {"e", "conv", "relu 1", "add 12345", "float32", "64", "qqq", "weight kernel"}) {
        QString typed;
        for (const char* letter = query; *letter != 0; ++letter) {
            typed += QLatin1Char(*letter);
            measure(typing, typed.toStdString(), [&] { press(field, 0, QString(QLatin1Char(*letter))); });
        }
        measure(clearing, query, [&] { press(field, Qt::Key_Escape); });
    }
    report(fmt::format("type into the search, {}", dock).c_str(), typing);
    report(fmt::format("clear the search, {}", dock).c_str(), clearing);
}

void walk(MainWindow& window, const char* dock)
{
    const auto boxes = static_cast<std::uint32_t>(window.document().side(Side::Source)->scene->nodes.size());
    Worst selecting;
    for (std::uint32_t i = 0; i < 200; ++i) {
        const auto box = static_cast<std::uint32_t>(std::uint64_t{i} * boxes / 200);
        measure(selecting, window.document().side(Side::Source)->label(box),
                [&] { window.document().selection().select(Side::Source, {box}); });
    }
    report(fmt::format("select, {}", dock).c_str(), selecting);
    auto* canvas = window.canvas(Side::Source);
    canvas->setFocus();
    Worst walking;
    for (int i = 0; i < 200; ++i) {
        const int key = i % 8 == 7 ? Qt::Key_Right : Qt::Key_Down;
        measure(walking, fmt::format("step {}", i), [&] { press(canvas, key); });
        settle(window); // groups open in the background
    }
    report(fmt::format("walk, {}", dock).c_str(), walking);
}

void expandAll(MainWindow& window)
{
    auto* tree = window.findChild<QTreeView*>(QStringLiteral("outlineTree"));
    tree->setFocus();
    Worst moving;
    tree->setCurrentIndex(tree->model()->index(0, 0));
    for (int i = 0; i < 300; ++i) {
        measure(moving, fmt::format("row {}", i), [&] { press(tree, i % 2 == 0 ? Qt::Key_Right : Qt::Key_Down); });
    }
    report("arrows in the outline", moving);
}

void changeTheme()
{
    Worst changing;
    for (int i = 0; i < 20; ++i) {
        measure(changing, fmt::format("change {}", i),
                [&] { applyTheme(i % 2 == 0 ? ThemeChoice::Dark : ThemeChoice::Light); });
    }
    report("change the theme", changing, stall);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "*=false");
    QApplication application(argc, argv);
    loadFonts();
    applyTheme(ThemeChoice::Light);
    const QStringList asked = QApplication::arguments().mid(1);
    for (const std::string family : families) {
        if (!asked.isEmpty() && !asked.contains(QString::fromStdString(family))) {
            continue;
        }
        MainWindow window(nullptr);
        window.setAnimated(false);
        window.resize(1600, 1000);
        window.show();
        window.document().open(corpusModel(family, 100'000));
        settle(window);
        fmt::print("{} {}\n", family, 100'000);
        for (const char* dock : {"problemsDock", "inputsDock", "summaryDock", "tensorDock", "layersDock"}) {
            auto* shown = window.findChild<QDockWidget*>(QLatin1String(dock));
            shown->show();
            shown->raise();
            QApplication::processEvents();
            walk(window, dock);
            if (std::string_view(dock) == "problemsDock") {
                search(window, "both sides");
                expandAll(window);
            }
        }
        changeTheme();
    }
    return 0;
}
