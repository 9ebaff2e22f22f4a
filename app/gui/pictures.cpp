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

/// Says the problem of a file; the status that crosswalk ends with for it.
int complain(const Diagnostic& problem, const QString& file)
{
    std::fprintf(stderr, "%s\n", formatLine(problem, file.toStdString()).c_str());
    return app::statusOf(problem);
}

void tell(Severity severity, const std::filesystem::path& picture, std::string message, std::string hint)
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

/// Runs the event loop until the document has nothing left to do.
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
    // Layouts and paint requests that the last results have posted.
    QApplication::processEvents();
}

/// Runs the event loop until the window shows all that it is going to: places that are taken ask for others.
void waitUntilSettled(const MainWindow& window)
{
    do {
        QApplication::processEvents(window.isIdle() ? QEventLoop::AllEvents : QEventLoop::WaitForMoreEvents);
        QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    } while (!window.isIdle());
    QApplication::processEvents();
}

/// Opens the model with the choices of the command line; exit status, 0 when it is open.
int open(Document& document, const Arguments& arguments)
{
    std::optional<Diagnostic> problem;
    std::filesystem::path about;
    QObject::connect(&document, &Document::openFailed, &document,
                     [&](const Diagnostic& failed, const std::filesystem::path& path) {
                         problem = failed;
                         about = path;
                     });
    const std::filesystem::path model(arguments.models.front().toStdString());
    if (arguments.compare) {
        document.compare(model, std::filesystem::path(arguments.models.back().toStdString()));
    } else {
        document.open(model, std::filesystem::path(arguments.weights.toStdString()), arguments.options);
    }
    waitUntilIdle(document);
    if (problem) {
        return complain(*problem, QString::fromStdString(about.string()));
    }
    return app::Done;
}

/// Below this scale names in boxes cannot be read; in a PDF one looks closer.
double readableScale(const std::filesystem::path& path)
{
    return path.extension() == ".pdf" ? 0.1 : 0.7;
}

ScenePart partOf(std::shared_ptr<const DrawnScene> drawn, const std::shared_ptr<const SceneMarks>& marks, double scale)
{
    const QRectF area = wholeArea(*drawn);
    auto asDrawn = marksAsDrawn(marks, *drawn);
    return {std::move(drawn), std::move(asDrawn), &theme(), area, scale};
}

ScenePart partOf(FoldedPicture picture, const std::shared_ptr<const SceneMarks>& marks, double scale)
{
    return partOf(std::make_shared<const DrawnScene>(std::move(picture.folded), std::move(picture.groups)), marks,
                  scale);
}

/// A side as the choice of groups says, whatever the window would have closed. Where that is left to us and all of it
/// could not be read, with groups closed, or what is around the first problem; it is said which.
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
            tell(Severity::Note, path,
                 fmt::format("drawn as {} boxes with groups closed, as all {} would be at {:.2g} of their size",
                             closed.drawn->scene.nodes.size(), scene.nodes.size(), scale),
                 "--groups open draws all, a number opens that many levels");
            return closed;
        }
    }
    constexpr double recognised = 0.3; // of a scale to read at: which way it goes can still be seen
    if (scale >= recognised * wanted) {
        return open;
    }
    const auto problem = marks && !marks->alarms.empty() ? std::optional(marks->alarms.front()) : std::nullopt;
    tell(Severity::Warning, path,
         fmt::format("drawn are {} boxes of {}, {}, as all would be at {:.2g} of their size", partSize,
                     scene.nodes.size(), problem ? "around " + scene.nodes[*problem].fullName : "the first", scale),
         "--groups open draws all, .svg has no limit");
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
    if (!arguments.models.isEmpty()) {
        status = open(window.document(), arguments);
        if (status == app::WrongUsage) {
            return status;
        }
        for (const auto& name : arguments.select) {
            const auto& side = window.document().side(Side::Source);
            const auto node = side ? side->names.find(name.toStdString()) : std::nullopt;
            if (!node) {
                return fail(app::WrongUsage, QStringLiteral("--select: there is no node %1").arg(name));
            }
            window.document().selectNode(Side::Source, *node);
            for (const auto which : {Side::Source, Side::Target}) {
                // A graph that is seen as a whole stays so; in a larger one the node is shown with everything on it.
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
               ? status // the picture shows what the window says of a broken file
               : fail(app::NotWritable, QStringLiteral("%1 cannot be written").arg(arguments.screenshot));
}

int renderGraph(const Arguments& arguments)
{
    applyTheme(arguments.theme.value_or(ThemeChoice::Light));
    Document document;
    std::optional<Diagnostic> failed;
    QObject::connect(&document, &Document::conversionFailed, &document, [&](const Diagnostic& d) { failed = d; });
    if (const int status = open(document, arguments); status != app::Done) {
        return status;
    }
    if (failed) {
        return complain(*failed, arguments.models.front());
    }
    const Side which = arguments.targetSide ? Side::Target : Side::Source;
    const auto& side = document.side(which);
    if (!side) {
        return fail(app::NotConvertible,
                    QStringLiteral("%1: nothing could be converted").arg(arguments.models.front()));
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
            tell(Severity::Warning, path,
                 fmt::format("the graph is too large for its size and drawn at {:.2g} of it", scale / part.scale),
                 fmt::format("{}.svg has no limit, and the window saves parts",
                             closesMore ? "--groups closed draws less, " : ""));
        }
    } catch (const ModelError& error) {
        return complain(error.diagnostic, {});
    }
    return app::Done;
}

} // namespace crosswalk::ui::gui
