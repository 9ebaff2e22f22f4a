#include "app/gui/pictures.h"

#include "app/crosswalk/exit_status.h"
#include "core/formats/model_files.h"
#include "ui/canvas/canvas_view.h"
#include "ui/canvas/picture_file.h"
#include "ui/document/pairing.h"
#include "ui/main_window/main_window.h"

#include <QApplication>
#include <QEventLoop>
#include <QImage>

#include <algorithm>
#include <cstdio>

namespace crosswalk::ui::gui {
namespace {

/// Says the problem of a file; the status that crosswalk ends with for it.
int complain(const Diagnostic& problem, const QString& file)
{
    std::fprintf(stderr, "%s\n", formatLine(problem, file.toStdString()).c_str());
    return app::statusOf(problem);
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
        QApplication::processEvents();
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
    // A picture shows all of the graph, whatever the window would have closed.
    Scene whole = *side->scene;
    if (whole.layout.positions.size() != whole.nodes.size()) {
        layOut(whole);
    }
    const auto drawn = std::make_shared<const DrawnScene>(std::move(whole));
    try {
        expectNoneOf(filesOf(*document.loaded()), arguments.render.toStdString());
        const std::filesystem::path path = arguments.render.toStdString();
        const ScenePart part{drawn, document.marks(which), &theme(), wholeArea(*drawn), arguments.scale};
        writePicture(path, part);
        if (const double scale = pictureScale(path, part); scale < part.scale) {
            std::fprintf(
                stderr,
                "warning: %s: the graph is too large for its size and drawn at %.2g of it (.svg has no limit, and "
                "the window saves parts)\n",
                path.c_str(), scale / part.scale);
        }
    } catch (const ModelError& error) {
        return complain(error.diagnostic, {});
    }
    return app::Done;
}

} // namespace crosswalk::ui::gui
