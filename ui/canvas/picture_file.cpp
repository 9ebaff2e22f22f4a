#include "ui/canvas/picture_file.h"

#include "core/base/output_file.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::ui {
namespace {

constexpr double pictureMargin = 24;
constexpr double maxPixels = 120e6; ///< larger pictures are scaled down
constexpr double clipboardPixels = 16e6;
constexpr double longestSide = 32000; ///< the longest side that other programs can open
constexpr double longestPage = 14400; ///< points: PDF limits pages to 200 inches

enum class Format { Png, Svg, Pdf };

Format formatOf(const std::filesystem::path& path)
{
    std::string suffix = path.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    if (suffix == ".png") {
        return Format::Png;
    }
    if (suffix == ".svg") {
        return Format::Svg;
    }
    if (suffix == ".pdf") {
        return Format::Pdf;
    }
    throw ModelError("usage", fmt::format("{}: the suffix must be one of .png, .svg and .pdf", path.string()));
}

double scaleOf(const ScenePart& part, Format format)
{
    const double most = format == Format::Pdf ? longestPage : longestSide;
    const double scale = std::min({part.scale, most / part.area.width(), most / part.area.height()});
    return format == Format::Png ? std::min(scale, std::sqrt(maxPixels / (part.area.width() * part.area.height())))
                                 : scale;
}

ScenePicture pictureAt(const ScenePart& part, double scale)
{
    ScenePicture picture;
    picture.drawn = part.drawn.get();
    picture.marks = part.marks.get();
    picture.cells = part.cells.get();
    picture.theme = part.theme;
    picture.transform = {part.area.topLeft(), scale};
    picture.view = QRectF(QPointF(0, 0), part.area.size() * scale);
    return picture;
}

QImage imageOf(const ScenePicture& picture)
{
    QImage image(picture.view.size().toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    QPainter painter(&image);
    ScenePainter().paint(painter, picture);
    return image;
}

QByteArray painted(const ScenePart& part, Format format)
{
    const ScenePicture picture = pictureAt(part, scaleOf(part, format));
    const QSizeF size = picture.view.size();
    ScenePainter scenePainter;
    const auto paintOn = [&](QPaintDevice& device) {
        QPainter painter(&device);
        scenePainter.paint(painter, picture);
    };
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (format == Format::Png) {
        imageOf(picture).save(&buffer, "PNG");
    } else if (format == Format::Svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(size.toSize());
        svg.setViewBox(picture.view);
        paintOn(svg);
    } else {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(72);
        pdf.setPageSize(QPageSize(size, QPageSize::Point));
        pdf.setPageMargins({});
        paintOn(pdf);
    }
    return buffer.data();
}

} // namespace

QImage pictureOf(const ScenePart& part)
{
    const double most = std::sqrt(clipboardPixels / (part.area.width() * part.area.height()));
    return imageOf(pictureAt(part, std::min(scaleOf(part, Format::Png), most)));
}

QRectF wholeArea(const DrawnScene& drawn)
{
    return drawn.index.bounds().adjusted(-pictureMargin, -pictureMargin, pictureMargin, pictureMargin);
}

QRectF areaOf(const DrawnScene& drawn, std::span<const std::uint32_t> boxes)
{
    QRectF area;
    for (const std::uint32_t box : boxes) {
        area |= drawn.index.box(box);
    }
    return area.adjusted(-pictureMargin, -pictureMargin, pictureMargin, pictureMargin);
}

double pictureScale(const std::filesystem::path& path, const ScenePart& part)
{
    return scaleOf(part, formatOf(path));
}

void writePicture(const std::filesystem::path& path, const ScenePart& part)
{
    const QByteArray bytes = painted(part, formatOf(path));
    OutputFile file(path);
    file.write(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    file.flush();
    file.publish();
}

} // namespace crosswalk::ui
