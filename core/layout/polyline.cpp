#include "core/layout/polyline.h"

#include <cmath>

namespace crosswalk {

void appendPoint(std::vector<LayoutPoint>& line, LayoutPoint point)
{
    constexpr float same = 0.01F;
    if (!line.empty() && std::abs(line.back().x - point.x) < same && std::abs(line.back().y - point.y) < same) {
        return;
    }
    if (line.size() > 1) {
        const LayoutPoint a = line[line.size() - 2];
        const LayoutPoint b = line.back();
        const float turn = (b.x - a.x) * (point.y - b.y) - (point.x - b.x) * (b.y - a.y);
        const float onwards = (b.x - a.x) * (point.x - b.x) + (b.y - a.y) * (point.y - b.y);
        if (std::abs(turn) < same && onwards >= 0) {
            line.back() = point;
            return;
        }
    }
    line.push_back(point);
}

} // namespace crosswalk
