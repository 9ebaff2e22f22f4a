#pragma once

#include "ui/canvas/scene_painter.h"

#include <QImage>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace crosswalk::ui {

/// A part of a scene as drawn in the window, to be written to a file. Can be painted in any thread.
struct ScenePart {
    std::shared_ptr<const DrawnScene> drawn;
    std::shared_ptr<const SceneMarks> marks; ///< may be null
    std::shared_ptr<const Occupancy> cells;  ///< in the colours of the marks; may be null
    const Theme* theme = nullptr;
    QRectF area;      ///< in scene coordinates
    double scale = 1; ///< pixels (PDF: points) of the picture per unit of the scene; reduced if the picture would be
                      ///< too large for other programs
};

/// The part as an image, for the clipboard; reduced to a few million pixels.
QImage pictureOf(const ScenePart& part);

/// The whole scene with a margin.
QRectF wholeArea(const DrawnScene& drawn);
/// The bounding rectangle of some boxes with a margin.
QRectF areaOf(const DrawnScene& drawn, std::span<const std::uint32_t> boxes);

/// The scale at which the part is painted into a file of this name. Throws ModelError "usage" for an unknown suffix.
double pictureScale(const std::filesystem::path& path, const ScenePart& part);

/// Writes a .png, .svg or .pdf file atomically; the suffix selects the format. Throws ModelError: "usage" for an
/// unknown suffix, "unwritable".
void writePicture(const std::filesystem::path& path, const ScenePart& part);

} // namespace crosswalk::ui
