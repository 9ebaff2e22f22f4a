#pragma once

#include "core/convert/options.h"
#include "core/report/picture.h"
#include "ui/theme/theme.h"

#include <QSize>
#include <QStringList>

#include <optional>

namespace crosswalk::ui::gui {

/// What the command line of crosswalk-gui asks for.
struct Arguments {
    QStringList models;
    bool compare = false; ///< the second model beside the first
    QString weights;      ///< of the first model
    QString screenshot;   ///< picture of the window, then exit
    QString render;       ///< picture of a whole graph (png, pdf), then exit
    bool targetSide = false;
    PictureGroups groups; ///< of the rendered graph
    QSize size{1440, 900};
    double scale = 1;
    std::optional<ThemeChoice> theme;
    QStringList select; ///< nodes to select before the picture
    ConvertOptions options;
    bool hasOptions = false;       ///< any was given
    std::optional<int> exitStatus; ///< set when there is nothing more to do
};

/// Prints help, version, and what is wrong. Runs before there is an application, as the platform depends on it.
Arguments parseArguments(int argc, char** argv);

/// Chooses the offscreen platform where there is no display, and the scale of a picture.
void prepareEnvironment(const Arguments& arguments);

} // namespace crosswalk::ui::gui
