#pragma once

#include "ui/canvas/scene_painter.h"

#include <filesystem>
#include <memory>

namespace crosswalk::ui {

/// A part of a scene as the window shows it, to be kept in a file. Can be painted in any thread.
struct ScenePart {
    std::shared_ptr<const DrawnScene> drawn;
    std::shared_ptr<const SceneMarks> marks; ///< may be null
    const Theme* theme = nullptr;
    QRectF area;      ///< in scene coordinates
    double scale = 1; ///< pixels (in a PDF points) of the picture per unit of the scene; made smaller where the picture
                      ///< would be larger than other programs open
};

/// The whole scene with a margin around it.
QRectF wholeArea(const DrawnScene& drawn);
/// Some of its boxes with a margin around them.
QRectF areaOf(const DrawnScene& drawn, std::span<const std::uint32_t> boxes);

/// The scale that it is painted at as a file of this name. Throws ModelError "usage" for another suffix.
double pictureScale(const std::filesystem::path& path, const ScenePart& part);

/// Writes it as .png, .svg or .pdf, as the suffix says; whole or not at all. Throws ModelError: "usage" for another
/// suffix, "unwritable".
void writePicture(const std::filesystem::path& path, const ScenePart& part);

} // namespace crosswalk::ui
