#pragma once

// Golden pictures: reviewed PNG files with a palette. UPDATE_GOLDENS=1 rewrites them.

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QtTest>

#include <algorithm>
#include <array>

namespace crosswalk::test {

// Tolerances. Antialiased text differs slightly between FreeType versions, and the palette changes colours slightly as
// well. These constants limit the difference of a pixel's channel and of the mean of a small square. A few pixels may
// exceed the limit, but far fewer than those of a word or the edge of a box.
constexpr int shadeOfPixel = 40;
constexpr int fewPixels = 24;
constexpr int squareSide = 8;
constexpr int shadeOfSquare = 6;

inline int mostOff(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

/// Reduces an image to 256 colours: the most frequent ones, so that flat areas are unchanged, then repeatedly the
/// colour that is furthest from the palette.
inline QImage withPalette(const QImage& image)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            ++counts[image.pixel(x, y)];
        }
    }
    struct Color {
        QRgb value;
        int count;
        int off = 256; ///< distance to the nearest colour of the palette
        unsigned place = 0;
    };
    std::vector<Color> colors;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each) {
        colors.push_back({each.key(), each.value()});
    }
    std::sort(colors.begin(), colors.end(), [](const Color& a, const Color& b) {
        return std::pair(-a.count, a.value) < std::pair(-b.count, b.value);
    });
    constexpr std::size_t frequent = 64;
    QList<QRgb> palette;
    for (std::size_t i = 0; i < std::min<std::size_t>(256, colors.size()); ++i) {
        const auto furthest = std::max_element(colors.begin(), colors.end(),
                                               [](const Color& a, const Color& b) { return a.off < b.off; });
        const QRgb taken = i < frequent ? colors[i].value : furthest->value;
        for (Color& color : colors) {
            if (const int off = mostOff(color.value, taken); off < color.off) {
                color.off = off;
                color.place = static_cast<unsigned>(palette.size());
            }
        }
        palette.append(taken);
    }
    QHash<QRgb, unsigned> places;
    for (const Color& color : colors) {
        places[color.value] = color.place;
    }
    QImage result(image.size(), QImage::Format_Indexed8);
    result.setColorTable(palette);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            result.setPixel(x, y, places[image.pixel(x, y)]);
        }
    }
    return result;
}

inline int pixelsOff(const QImage& a, const QImage& b, int shade)
{
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            count += mostOff(a.pixel(x, y), b.pixel(x, y)) > shade ? 1 : 0;
        }
    }
    return count;
}

inline QImage squares(const QImage& image)
{
    QImage means(image.width() / squareSide, image.height() / squareSide, QImage::Format_RGB32); // QSize would round
    for (int y = 0; y < means.height(); ++y) {
        for (int x = 0; x < means.width(); ++x) {
            std::array<int, 3> sum{};
            for (int i = 0; i < squareSide * squareSide; ++i) {
                const QRgb pixel = image.pixel(x * squareSide + i % squareSide, y * squareSide + i / squareSide);
                sum = {sum[0] + qRed(pixel), sum[1] + qGreen(pixel), sum[2] + qBlue(pixel)};
            }
            constexpr int area = squareSide * squareSide;
            means.setPixel(x, y, qRgb(sum[0] / area, sum[1] / area, sum[2] / area));
        }
    }
    return means;
}

inline bool looksAlike(const QImage& a, const QImage& b)
{
    return a.size() == b.size() && pixelsOff(a, b, shadeOfPixel) <= fewPixels &&
           pixelsOff(squares(a), squares(b), shadeOfSquare) == 0;
}

/// Whether a picture matches the golden file. If not, saves the picture in `artifacts`.
inline bool isAsBefore(const QImage& now, const QString& golden, const QString& artifacts)
{
    if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
        QDir().mkpath(QFileInfo(golden).path());
        const QImage kept = withPalette(now);
        return looksAlike(now, kept) && kept.save(golden, "PNG", 0);
    }
    if (looksAlike(now, QImage(golden))) {
        return true;
    }
    QDir().mkpath(artifacts);
    const QString actual = artifacts + QLatin1Char('/') + QFileInfo(golden).fileName();
    now.save(actual);
    qWarning("%s differs from the golden picture: see %s", qPrintable(golden), qPrintable(actual));
    return false;
}

} // namespace crosswalk::test
