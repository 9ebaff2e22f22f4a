#include "app/gui/arguments.h"
#include "app/gui/language.h"
#include "app/gui/pictures.h"
#include "core/base/standard_streams.h"
#include "core/verify/runtime_process.h"
#include "ui/collection/collection_window.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QSettings>

#include <utility>

using namespace crosswalk::ui;

int main(int argc, char** argv)
{
    crosswalk::openStandardStreams();
    crosswalk::offerRuntimeProcess(argc, argv);
    const gui::Arguments arguments = gui::parseArguments(argc, argv);
    if (arguments.exitStatus) {
        return *arguments.exitStatus;
    }
    gui::prepareEnvironment(arguments);

    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("crosswalk"));
    QApplication::setApplicationDisplayName(QStringLiteral("Crosswalk"));
    QApplication::setApplicationVersion(QStringLiteral(CROSSWALK_VERSION));
    QApplication::setOrganizationName(QStringLiteral("crosswalk"));
    QApplication::setDesktopFileName(QStringLiteral("org.crosswalk.Crosswalk"));
    QApplication::setWindowIcon(applicationIcon());
    loadFonts();

    if (!arguments.render.isEmpty()) {
        return gui::renderGraph(arguments);
    }
    if (!arguments.screenshot.isEmpty()) {
        return gui::takeScreenshot(arguments);
    }

    gui::installTranslations();
    auto settings = std::make_unique<QSettings>();
    applyTheme(arguments.theme.value_or(static_cast<ThemeChoice>(settings->value(QStringLiteral("theme")).toInt())));
    settings.reset();
    auto* window = new TabbedWindow(std::make_unique<QSettings>());
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    if (arguments.models.empty() && arguments.collection.isEmpty()) {
        window->restoreSession();
    }
    for (OpenedFiles files : arguments.models) {
        if (!arguments.hasOptions) {
            files.options = window->current()->preferences().startingOptions();
        }
        window->openModel(std::move(files));
    }
    if (!arguments.collection.isEmpty()) {
        window->openCollection(arguments.collection);
    }
    window->offerLeftEdits();
    return QApplication::exec();
}
