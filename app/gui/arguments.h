#pragma once

#include "core/report/picture.h"
#include "crosswalk/options.h"
#include "ui/document/document.h"
#include "ui/theme/theme.h"

#include <QSize>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace crosswalk::ui::gui {

/// The parsed command line of crosswalk-gui.
struct Arguments {
    std::vector<OpenedFiles> models; ///< with --compare one, and the model to compare it with
    QString collection;              ///< folder whose models to show in a window of their own
    QString screenshot;              ///< write a picture of the window to this path, then exit
    QString render;                  ///< write a picture of a whole graph (png, pdf) to this path, then exit
    bool targetSide = false;
    PictureGroups groups; ///< of the rendered graph
    QSize size{1440, 900};
    double scale = 1;
    std::optional<ThemeChoice> theme;
    QStringList select;            ///< nodes to select before taking the picture
    bool hasOptions = false;       ///< conversion options were given
    std::optional<int> exitStatus; ///< set if the program must exit at once
};

/// Parses the command line and prints help, version and errors. Runs before the application exists because the choice
/// of platform depends on the result.
Arguments parseArguments(int argc, char** argv);

/// Chooses the offscreen platform if there is no display, and sets the scale of a picture.
void prepareEnvironment(const Arguments& arguments);

} // namespace crosswalk::ui::gui
