#include "app/gui/pictures.h"

#include "app/crosswalk/exit_status.h"
#include "core/formats/model_files.h"
#include "core/report/scene_part.h"
#include "ui/canvas/canvas_view.h"
#include "ui/canvas/picture_file.h"
#include "ui/document/conversion_marks.h"
#include "ui/main_window/main_window.h"

#include <QApplication>
#include <QEventLoop>
#include <QImage>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace crosswalk::ui::gui {
namespace {

/// Reports a problem of a file and returns the exit status for it.
int reportError(const Diagnostic& problem, const QString& file)
{
    std::fprintf(stderr, "%s\n", formatLine(problem, file.toStdString()).c_str());
    return app::statusOf(problem);
}

void report(Severity severity, const std::filesystem::path& picture, std::string message, std::string hint)
{
    const Diagnostic about{
        .severity = severity, .code = "picture", .message = std::move(message), .hint = std::move(hint)};
    std::fprintf(stderr, "%s\n", formatLine(about, picture.string()).c_str());
}

int fail(int status, const QString& message)
{
    std::fprintf(stderr, "error: %s\n", qPrintable(message));
    return status;
}

/// Runs the event loop until the document is idle.
void waitUntilIdle(Document& document)
{
    QEventLoop loop;
    const auto check = [&] {
        if (document.isIdle()) {
            loop.quit();
        }
    };
    QObject::connect(&document, &Document::busyChanged, &loop, check);
    if (!document.isIdle()) {
        loop.exec();
    }
    // Process layouts and paint requests posted by the last results.
    QApplication::processEvents();
}

/// Runs the event loop until the window is idle; each layout pass may request another.
void waitUntilSettled(const MainWindow& window)
{
    do {
        QApplication::processEvents(window.isIdle() ? QEventLoop::AllEvents : QEventLoop::WaitForMoreEvents);
        QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    } while (!window.isIdle());
    QApplication::processEvents();
}

/// Opens the model. Returns the exit status, 0 on success.
int open(Document& document, const OpenedFiles& files)
{
    std::optional<Diagnostic> problem;
    std::filesystem::path about;
    QObject::connect(&document, &Document::openFailed, &document,
                     [&](const Diagnostic& failed, const std::filesystem::path& path) {
                         problem = failed;
                         about = path;
                     });
    document.open(files);
    waitUntilIdle(document);
    if (problem) {
        return reportError(*problem, QString::fromStdString(about.string()));
    }
    return app::Done;
}

/// The scale below which names in boxes are unreadable. Readers zoom into a PDF.
double readableScale(const std::filesystem::path& path)
{
    return path.extension() == ".pdf" ? 0.1 : 0.7;
}

ScenePart partOf(std::shared_ptr<const DrawnScene> drawn, const std::shared_ptr<const SceneMarks>& marks, double scale)
{
    const QRectF area = wholeArea(*drawn);
    auto asDrawn = marksAsDrawn(marks, *drawn);
    return {std::move(drawn), std::move(asDrawn), nullptr, &theme(), area, scale};
}

ScenePart partOf(FoldedPicture picture, const std::shared_ptr<const SceneMarks>& marks, double scale)
{
    return partOf(std::make_shared<const DrawnScene>(std::move(picture.folded), std::move(picture.groups)), marks,
                  scale);
}

/// The part of a side to render. `--groups` overrides the groups closed in the window. With `auto`, a graph that would
/// be unreadable as a whole is drawn with groups closed, or else reduced to a part around the first problem; a message
/// reports this.
ScenePart pictured(const Arguments& arguments, const std::filesystem::path& path, const GraphSide& side,
                   const std::shared_ptr<const SceneMarks>& marks)
{
    const Scene& scene = *side.scene;
    if (arguments.groups.kind == PictureGroups::Kind::ToDepth) {
        return partOf(foldForPicture(scene, arguments.groups), marks, arguments.scale);
    }
    Scene whole = scene;
    if (whole.layout.positions.size() != whole.nodes.size()) {
        layOut(whole);
    }
    ScenePart open = partOf(std::make_shared<const DrawnScene>(std::move(whole)), marks, arguments.scale);
    const double scale = pictureScale(path, open);
    const double wanted = std::min(readableScale(path), arguments.scale);
    if (arguments.groups.kind == PictureGroups::Kind::Open || scale >= wanted) {
        return open;
    }
    if (!side.groups->groups.empty()) {
        ScenePart closed = partOf(foldForPicture(scene, arguments.groups), marks, arguments.scale);
        if (pictureScale(path, closed) >= wanted) {
            report(Severity::Note, path,
                   fmt::format("drawn as {} boxes with groups closed: all {} boxes would be scaled down to {:.2g}",
                               closed.drawn->scene.nodes.size(), scene.nodes.size(), scale),
                   "--groups open draws all boxes, --groups N opens N levels");
            return closed;
        }
    }
    constexpr double recognised =
        0.3; // share of the readable scale at which the structure of the graph is still visible
    if (scale >= recognised * wanted) {
        return open;
    }
    const auto problem = marks && !marks->alarms.empty() ? std::optional(marks->alarms.front()) : std::nullopt;
    report(Severity::Warning, path,
           fmt::format("only {} of {} boxes are drawn, {}: all boxes would be scaled down to {:.2g}", partSize,
                       scene.nodes.size(), problem ? "around " + scene.nodes[*problem].fullName : "from the first on",
                       scale),
           "--groups open draws all boxes; .svg has no size limit");
    return partOf(partForPicture(scene, problem), marks, arguments.scale);
}

} // namespace

int takeScreenshot(const Arguments& arguments)
{
    applyTheme(arguments.theme.value_or(ThemeChoice::Light));
    MainWindow window(nullptr);
    window.setAnimated(false);
    window.resize(arguments.size);
    window.show();
    QApplication::processEvents();
    int status = app::Done;
    if (!arguments.models.empty()) {
        status = open(window.document(), arguments.models.front());
        if (status == app::WrongUsage) {
            return status;
        }
        for (const auto& name : arguments.select) {
            const auto& side = window.document().side(Side::Source);
            const auto node = side ? side->names.find(name.toStdString()) : std::nullopt;
            if (!node) {
                return fail(app::WrongUsage, QStringLiteral("--select: the model has no node %1").arg(name));
            }
            window.document().selection().selectNode(Side::Source, *node);
            for (const auto which : {Side::Source, Side::Target}) {
                // If the whole graph is visible, keep the view; in a larger graph, show the node with all details.
                CanvasView* canvas = window.canvas(which);
                const auto* drawn = canvas->drawnScene();
                if (drawn != nullptr && !canvas->visibleArea().contains(drawn->index.bounds())) {
                    canvas->zoomToActualSize();
                }
            }
            window.revealSelection();
        }
        waitUntilSettled(window);
    }
    QImage image(window.size() * window.devicePixelRatioF(), QImage::Format_RGB32);
    image.setDevicePixelRatio(window.devicePixelRatioF());
    window.render(&image);
    return image.save(arguments.screenshot)
               ? status // the picture shows the window's message about a broken file
               : fail(app::NotWritable, QStringLiteral("cannot write %1").arg(arguments.screenshot));
}

int renderGraph(const Arguments& arguments)
{
    applyTheme(arguments.theme.value_or(ThemeChoice::Light));
    Document document;
    std::optional<Diagnostic> failed;
    QObject::connect(&document, &Document::conversionFailed, &document, [&](const Diagnostic& d) { failed = d; });
    if (const int status = open(document, arguments.models.front()); status != app::Done) {
        return status;
    }
    const QString model = QString::fromStdString(arguments.models.front().model.string());
    if (failed) {
        return reportError(*failed, model);
    }
    const Side which = arguments.targetSide ? Side::Target : Side::Source;
    const auto& side = document.side(which);
    if (!side) {
        return fail(app::NotConvertible, QStringLiteral("%1: the model could not be converted").arg(model));
    }
    try {
        const std::filesystem::path path = arguments.render.toStdString();
        expectNoneOf(filesOf(*document.loaded()), path);
        const ScenePart part = pictured(arguments, path, *side, document.marks(which));
        writePicture(path, part);
        if (const double scale = pictureScale(path, part); scale < part.scale) {
            const bool closesMore =
                !side->groups->groups.empty() &&
                (arguments.groups.kind != PictureGroups::Kind::ToDepth || arguments.groups.depth > 0);
            report(Severity::Warning, path,
                   fmt::format("the graph is too large for a picture and is scaled down to {:.2g}", scale / part.scale),
                   fmt::format("{}.svg has no size limit, and the window can save parts of a graph",
                               closesMore ? "--groups closed draws fewer boxes, " : ""));
        }
    } catch (const ModelError& error) {
        return reportError(error.diagnostic, {});
    }
    return app::Done;
}

} // namespace crosswalk::ui::gui
