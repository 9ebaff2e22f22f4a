#include "ui/canvas/occupancy.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr double finestCell = 24;
constexpr double pixelsPerCell = 2; ///< minimum, on screen
constexpr int maxCells = 8192;      ///< along a side of the area painted at once

std::vector<ColourNumber> categoriesOf(const Scene& scene)
{
    std::vector<ColourNumber> colours(scene.nodes.size());
    std::ranges::transform(scene.nodes, colours.begin(), [](const SceneNode& node) { return colourOf(node.category); });
    return colours;
}

} // namespace

Occupancy::Occupancy(const Scene& scene, const SceneIndex& index)
    : Occupancy(index, categoriesOf(scene))
{
}

Occupancy::Occupancy(const SceneIndex& index, std::span<const ColourNumber> colours)
    : m_origin(index.bounds().topLeft())
{
    m_levels.push_back(finest(index, colours));
    while (m_levels.back().rows() > 1 || m_levels.back().cells.size() > 64) {
        m_levels.push_back(coarser(m_levels.back()));
        if (m_levels.size() > 40) {
            break;
        }
    }
}

Occupancy::Level Occupancy::finest(const SceneIndex& index, std::span<const ColourNumber> colours)
{
    struct Patch {
        std::uint32_t row;
        Cell cell;
    };
    const QPointF origin = index.bounds().topLeft();
    std::vector<Patch> patches;
    patches.reserve(colours.size() * 12);
    for (std::uint32_t i = 0; i < colours.size(); ++i) {
        const QRectF box = index.box(i).translated(-origin);
        const int left = static_cast<int>(box.left() / finestCell);
        const int right = static_cast<int>(box.right() / finestCell);
        const int top = static_cast<int>(box.top() / finestCell);
        const int bottom = static_cast<int>(box.bottom() / finestCell);
        for (int row = top; row <= bottom; ++row) {
            const double high =
                std::min(box.bottom() / finestCell, row + 1.0) - std::max(box.top() / finestCell, double(row));
            for (int column = left; column <= right; ++column) {
                const double wide = std::min(box.right() / finestCell, column + 1.0) -
                                    std::max(box.left() / finestCell, double(column));
                const auto coverage = static_cast<std::uint8_t>(std::lround(255 * std::clamp(high * wide, 0.0, 1.0)));
                if (coverage > 0) {
                    patches.push_back({static_cast<std::uint32_t>(row), {column, coverage, colours[i]}});
                }
            }
        }
    }

    Level level;
    level.size = finestCell;
    const auto rows = static_cast<std::size_t>(index.bounds().height() / finestCell) + 2;
    level.first.assign(rows + 1, 0);
    for (const auto& patch : patches) {
        ++level.first[patch.row + 1];
    }
    for (std::size_t i = 1; i < level.first.size(); ++i) {
        level.first[i] += level.first[i - 1];
    }
    level.cells.resize(patches.size());
    auto next = level.first;
    for (const auto& patch : patches) {
        level.cells[next[patch.row]++] = patch.cell;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        std::sort(level.cells.begin() + level.first[row], level.cells.begin() + level.first[row + 1],
                  [](const Cell& a, const Cell& b) { return a.column < b.column; });
    }
    return level;
}

Occupancy::Level Occupancy::coarser(const Level& fine)
{
    Level level;
    level.size = fine.size * 2;
    level.first.push_back(0);
    level.cells.reserve(fine.cells.size() / 2);
    for (std::uint32_t row = 0; row < fine.rows(); row += 2) {
        auto a = fine.cells.begin() + fine.first[row];
        const auto aEnd = fine.cells.begin() + fine.first[row + 1];
        auto b = aEnd;
        const auto bEnd = row + 1 < fine.rows() ? fine.cells.begin() + fine.first[row + 2] : aEnd;
        while (a != aEnd || b != bEnd) {
            const auto column = std::min(a != aEnd ? a->column / 2 : std::numeric_limits<std::int32_t>::max(),
                                         b != bEnd ? b->column / 2 : std::numeric_limits<std::int32_t>::max());
            int sum = 0;
            Cell most{column, 0, 0};
            const auto take = [&](auto& at, const auto& end) {
                for (; at != end && at->column / 2 == column; ++at) {
                    sum += at->coverage;
                    if (at->coverage > most.coverage) {
                        most = {column, at->coverage, at->colour};
                    }
                }
            };
            take(a, aEnd);
            take(b, bEnd);
            most.coverage = static_cast<std::uint8_t>(std::clamp(sum / 4, 1, 255));
            level.cells.push_back(most);
        }
        level.first.push_back(static_cast<std::uint32_t>(level.cells.size()));
    }
    return level;
}

void Occupancy::paint(QPainter& painter, const QRectF& world, const QRectF& target, const Theme& theme) const
{
    const double scale = std::max(target.width() / world.width(), target.height() / world.height());
    const auto wanted = pixelsPerCell / scale;
    // A graph that is much longer than wide has room for fine cells only across.
    const auto least = std::max(wanted, std::max(world.width(), world.height()) / maxCells);
    const auto found =
        std::find_if(m_levels.begin(), m_levels.end(), [least](const Level& l) { return l.size >= least; });
    const Level& level = found != m_levels.end() ? *found : m_levels.back();

    const int left = static_cast<int>(std::floor((world.left() - m_origin.x()) / level.size));
    const int top = static_cast<int>(std::floor((world.top() - m_origin.y()) / level.size));
    const int width = static_cast<int>(std::ceil((world.right() - m_origin.x()) / level.size)) - left;
    const int height = static_cast<int>(std::ceil((world.bottom() - m_origin.y()) / level.size)) - top;
    if (width <= 0 || height <= 0 || width > maxCells + 2 || height > maxCells + 2) {
        return;
    }

    // A sparsely covered cell must stay visible: a single box must not vanish among millions.
    std::array<std::array<QRgb, 256>, colourCount> colors;
    for (std::size_t number = 0; number < colors.size(); ++number) {
        const QRgb block = theme.colours(static_cast<ColourNumber>(number)).block.rgb();
        for (int c = 0; c < 256; ++c) {
            const double share = std::min(1.0, 0.5 + 0.5 * c / 255.0 * 1.3);
            colors[number][static_cast<std::size_t>(c)] = qPremultiply(
                qRgba(qRed(block), qGreen(block), qBlue(block), static_cast<int>(std::lround(share * 255))));
        }
    }

    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const int firstRow = std::max(0, top);
    const int lastRow = std::min(static_cast<int>(level.rows()), top + height);
    for (int row = firstRow; row < lastRow; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row - top));
        const auto begin = level.cells.begin() + level.first[static_cast<std::size_t>(row)];
        const auto end = level.cells.begin() + level.first[static_cast<std::size_t>(row) + 1];
        auto cell = std::lower_bound(begin, end, left, [](const Cell& c, int column) { return c.column < column; });
        for (; cell != end && cell->column < left + width; ++cell) {
            line[cell->column - left] = colors[cell->colour][cell->coverage];
        }
    }

    const double sx = target.width() / world.width();
    const double sy = target.height() / world.height();
    const QRectF place(target.left() + (left * level.size + m_origin.x() - world.left()) * sx,
                       target.top() + (top * level.size + m_origin.y() - world.top()) * sy, width * level.size * sx,
                       height * level.size * sy);
    painter.save();
    painter.setClipRect(target);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(place, image);
    painter.restore();
}

} // namespace crosswalk::ui
