// The window at 100,000 nodes: CPU time from the start of a process to the first frame that shows the graph and to the
// first that shows the ONNX graph as well, the peak of anonymous memory in both, and the CPU time of single frames of
// 1600x1000 pixels, painted without a display.
//
//   bench_canvas [FAMILY]...             all families without arguments
//   bench_canvas --open MODEL            the measured process: opens the window, paints, exits
//   bench_canvas --open-both MODEL       the same, but waits for the ONNX graph

#include "tests/bench/corpus.h"
#include "tests/bench/process.h"
#include "ui/canvas/canvas_view.h"
#include "ui/document/graph_side.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include "core/base/cpu_time.h"
#include "core/formats/read_model.h"

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

using namespace crosswalk;
using namespace crosswalk::bench;
using namespace crosswalk::ui;

namespace {

constexpr QSize frameSize(1600, 1000);
constexpr double aimedFrame = 0.008;
constexpr double aimedAnswer = 0.0167; // one frame at 60 per second
constexpr std::uint64_t aimedMemory = 400'000'000;
constexpr double aimedBoth = 3;
constexpr std::uint64_t aimedMemoryOfBoth = 500'000'000;

const char* kept(bool isKept)
{
    return isKept ? "" : " MISSED";
}

int openAndPaint(const char* model, Side last)
{
    applyTheme(ThemeChoice::Light);
    MainWindow window(nullptr);
    window.setAnimated(false);
    window.resize(frameSize);
    window.show();
    QObject::connect(
        &window.document(), &Document::sideChanged, &window,
        [&window, last](Side side) {
            if (side == last && window.document().side(side)) {
                window.repaint();
                std::_Exit(0); // only the time to this frame is measured
            }
        },
        Qt::QueuedConnection);
    window.document().open(model);
    QApplication::exec();
    return 1;
}

struct Aim {
    double seconds;
    std::uint64_t bytes;
};

/// `option` is the one that makes the measured process wait for a frame.
void measureOpening(const char* option, const char* frame, const std::string& family, unsigned nodes, Aim aim)
{
    constexpr int repeats = 3;
    const std::vector<std::string> command{"/proc/self/exe", option, corpusModel(family, nodes)};
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const auto run = runProcess(command);
        if (run.status != 0) {
            fmt::print(stderr, "error: the window did not open\n");
            std::exit(1);
        }
        seconds.push_back(run.cpuSeconds);
    }
    const std::uint64_t memory = runProcess(command, true).peakAnonymous;
    std::ranges::sort(seconds);
    const double median = seconds[repeats / 2];
    fmt::print("{} {}: {} after {:.2f} s CPU{}, {:.0f} MB{}\n", family, nodes, frame, median,
               kept(median <= aim.seconds), static_cast<double>(memory) / 1e6, kept(memory <= aim.bytes));
}

/// The 95th percentile of the CPU time per frame.
double percentile(int frames, const std::function<void(int)>& frame)
{
    std::vector<double> seconds;
    for (int i = 0; i < frames; ++i) {
        const double start = threadCpuSeconds();
        frame(i);
        seconds.push_back(threadCpuSeconds() - start);
    }
    std::ranges::sort(seconds);
    return seconds[static_cast<std::size_t>(frames) * 95 / 100];
}

void report(const char* what, double seconds, double aim)
{
    fmt::print("   {:<28} {:6.2f} ms{}\n", what, 1e3 * seconds, kept(seconds <= aim));
}

void click(CanvasView& view, QPointF place)
{
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        const auto held = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
        QMouseEvent event(type, place, view.mapToGlobal(place), Qt::LeftButton, held, Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    view.repaint();
}

void measureFrames(const std::string& family, unsigned nodes)
{
    const auto model = readModel({.model = corpusModel(family, nodes)});
    const auto closed = model ? DrawnSide::make(model.value().graph, {}, {}, {}) : DrawnSide();
    if (!closed) {
        fmt::print(stderr, "error: {} cannot be drawn\n", family);
        std::exit(1);
    }
    // Painting is most expensive if every group is open.
    const OpenGroups allOpen(closed.side->groups->groups.size(), true);
    const auto side = SideDrawing::make(*closed.side, allOpen, nullptr, {});
    constexpr int frames = 200;
    CanvasView view;
    view.setAnimated(false);
    view.resize(frameSize);
    view.show();
    QApplication::processEvents(); // only a visible window paints
    view.setScene(side->drawn);
    view.fit();
    const QRectF all = side->drawn->index.bounds();
    const QPointF middle(frameSize.width() / 2.0, frameSize.height() / 2.0);
    const auto lookAt = [&](double share, double scale) {
        const QPointF point(all.center().x(), all.top() + share * all.height());
        view.setTransform({point - middle / scale, scale});
        view.repaint();
    };
    const double fitted = view.scale();
    report("overview", percentile(frames, [&](int i) { lookAt(0.5, fitted * (1 + 0.01 * i)); }), aimedFrame);
    for (const double scale : {0.02, 0.13, 0.3, 0.5, 1.0, 2.0}) {
        report(fmt::format("sweep at {:.0f} %", 100 * scale).c_str(),
               percentile(frames, [&](int i) { lookAt((i + 0.5) / frames, scale); }), aimedFrame);
    }
    report("zoom in, everywhere", percentile(frames, [&](int i) { lookAt(0.37, 0.02 * std::pow(1.025, i)); }),
           aimedFrame);
    lookAt(0.37, 1);
    report("scroll at 100 %",
           percentile(frames,
                      [&](int i) {
                          view.setTransform({view.transform().origin + QPointF(0, i % 50), 1});
                          view.repaint();
                      }),
           aimedFrame);
    lookAt(0.37, 0.6);
    report("click", percentile(frames, [&](int i) { click(view, QPointF(8 * i, 500)); }), aimedAnswer);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "*=false");
    QApplication application(argc, argv);
    loadFonts();
    const QStringList asked = QApplication::arguments().mid(1);
    if (asked.size() == 2 && asked[0].startsWith(QLatin1String("--open"))) {
        return openAndPaint(argv[2], asked[0] == QLatin1String("--open") ? Side::Source : Side::Target);
    }
    applyTheme(ThemeChoice::Light);
    for (const std::string family : families) {
        if (asked.isEmpty() || asked.contains(QString::fromStdString(family))) {
            const Aim small{family == "transformer" ? 0.3 : 0.2, aimedMemory};
            measureOpening("--open", "first frame", family, 5'000, small);
            measureOpening("--open", "first frame", family, 100'000, {1.5, aimedMemory});
            measureOpening("--open-both", "both graphs", family, 100'000, {aimedBoth, aimedMemoryOfBoth});
            measureFrames(family, 100'000);
        }
    }
    return 0;
}
