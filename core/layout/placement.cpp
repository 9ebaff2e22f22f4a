#include "core/layout/boundaries.h"
#include "core/layout/layered.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crosswalk::layered {
namespace {

class Placer {
public:
    Placer(const Layers& layers, const Separation& separation, const FixedLayers& fixed)
        : m_layers(layers)
        , m_separation(separation)
        , m_fixed(fixed)
        , m_x(layers.vertexCount(), 0)
        , m_isBoundary(layers.layerCount(), false)
        , m_halfWidth(layers.layerCount(), 0)
    {
        if (fixed.any()) {
            // Between fixed layers nothing drifts.
            m_halfWidth.assign(layers.layerCount(), std::numeric_limits<float>::infinity());
            placeFixed(0, fixed.first);
            placeFixed(layers.layerCount() - 1, fixed.last);
            return;
        }
        const auto boundaries = findBoundaries(layers.sizes());
        for (const std::uint32_t boundary : boundaries) {
            m_isBoundary[boundary] = true;
        }
        setWalls(boundaries);
    }

    std::vector<float> run(std::stop_token stop)
    {
        constexpr int sweeps = 12;
        for (int sweep = 0; sweep < sweeps && !stop.stop_requested(); ++sweep) {
            const bool seesBoth = sweep > 1;
            if (sweep % 2 == 0) {
                for (std::size_t layer = 0; layer < m_layers.layerCount(); ++layer) {
                    placeLayer(layer, true, seesBoth);
                }
            } else {
                for (std::size_t layer = m_layers.layerCount(); layer-- > 0;) {
                    placeLayer(layer, seesBoth, true);
                }
            }
        }
        return std::move(m_x);
    }

private:
    void placeFixed(std::size_t layer, std::span<const float> axes)
    {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            m_x[m_layers.order(layer)[i]] = axes[i];
        }
    }

    /// Limits each layer to 1.5 times the width of the widest nearby layer: loosely connected parts would otherwise
    /// drift apart in a long graph.
    void setWalls(std::span<const std::uint32_t> boundaries)
    {
        constexpr float slack = 1.5F;
        std::vector<float> widest(boundaries.size() + 1, 0); // by segment, with one extra at both ends
        for (std::size_t s = 0; s + 1 < boundaries.size(); ++s) {
            for (std::size_t layer = boundaries[s]; layer <= boundaries[s + 1]; ++layer) {
                widest[s + 1] = std::max(widest[s + 1], packedWidth(layer));
            }
        }
        for (std::size_t s = 0; s + 1 < boundaries.size(); ++s) {
            const float near = std::max({widest[s], widest[s + 1], widest[s + 2 < widest.size() ? s + 2 : s + 1]});
            for (std::size_t layer = boundaries[s]; layer <= boundaries[s + 1]; ++layer) {
                m_halfWidth[layer] = std::max(m_halfWidth[layer], slack * near / 2);
            }
        }
    }

    float packedWidth(std::size_t layer) const
    {
        const auto order = m_layers.order(layer);
        float width = 0;
        for (std::size_t i = 1; i < order.size(); ++i) {
            width += m_separation.between(order[i - 1], order[i]);
        }
        return width;
    }

    /// Moves every vertex to the mean of its neighbours. Inner vertices of lines have higher weights, so that lines
    /// become straight.
    void placeLayer(std::size_t layer, bool byAbove, bool byBelow)
    {
        constexpr float alongLine = 4;
        if (m_fixed.holds(layer, m_layers)) {
            return;
        }
        const auto order = m_layers.order(layer);
        m_wanted.resize(order.size());
        m_weight.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool isBox = m_layers.isBox(order[i]);
            float sum = 0;
            float pull = 0;
            const auto add = [&](std::uint32_t end) {
                const float strength = isBox || m_layers.isBox(end) ? 1.0F : alongLine;
                sum += m_x[end] * strength;
                pull += strength;
            };
            if (byAbove) {
                std::ranges::for_each(m_layers.above.of(order[i]), add);
            }
            if (byBelow) {
                std::ranges::for_each(m_layers.below.of(order[i]), add);
            }
            constexpr float held = 0.1F; // weight of an unconnected vertex
            m_wanted[i] = pull > 0 ? sum / pull : m_x[order[i]];
            m_weight[i] = std::max(pull, held);
        }
        keepApart(order, m_halfWidth[layer]);
        if (m_isBoundary[layer]) {
            drawToTheMiddle(order);
        }
    }

    /// Moves each vertex as close as possible (least squares) to its desired position, keeping the order and the
    /// minimum distances: neighbours that collide form a block (pool adjacent violators).
    void keepApart(std::span<const std::uint32_t> order, float halfWidth)
    {
        m_blocks.clear();
        m_offsets.resize(order.size());
        float offset = 0; // of this vertex if all have the minimum distance
        for (std::size_t i = 0; i < order.size(); ++i) {
            offset += i == 0 ? 0 : m_separation.between(order[i - 1], order[i]);
            m_offsets[i] = offset;
            Block block{(m_wanted[i] - offset) * m_weight[i], m_weight[i], i};
            while (!m_blocks.empty() && m_blocks.back().mean() > block.mean()) {
                block = {m_blocks.back().sum + block.sum, m_blocks.back().weight + block.weight, m_blocks.back().first};
                m_blocks.pop_back();
            }
            m_blocks.push_back(block);
        }
        const float most = std::max(halfWidth - offset, -halfWidth);
        for (std::size_t b = 0; b < m_blocks.size(); ++b) {
            const float start = std::clamp(m_blocks[b].mean(), -halfWidth, most);
            const std::size_t end = b + 1 < m_blocks.size() ? m_blocks[b + 1].first : order.size();
            for (std::size_t i = m_blocks[b].first; i < end; ++i) {
                m_x[order[i]] = start + m_offsets[i];
            }
        }
    }

    /// Moves thin layers back to the middle, so that a long graph does not drift sideways.
    void drawToTheMiddle(std::span<const std::uint32_t> order)
    {
        constexpr float strength = 0.5F;
        float sum = 0;
        for (const std::uint32_t v : order) {
            sum += m_x[v];
        }
        for (const std::uint32_t v : order) {
            m_x[v] -= strength * sum / static_cast<float>(order.size());
        }
    }

    struct Block {
        float sum;
        float weight;
        std::size_t first;
        float mean() const { return sum / weight; }
    };

    const Layers& m_layers;
    const Separation& m_separation;
    const FixedLayers& m_fixed;
    std::vector<float> m_x;
    std::vector<bool> m_isBoundary; ///< by layer
    std::vector<float> m_halfWidth; ///< by layer: maximum distance of a centre from the middle
    std::vector<float> m_wanted;    ///< by position in the layer
    std::vector<float> m_weight;
    std::vector<float> m_offsets;
    std::vector<Block> m_blocks;
};

} // namespace

std::vector<float> placeAcross(const Layers& layers, const Separation& separation, const FixedLayers& fixed,
                               std::stop_token stop)
{
    return Placer(layers, separation, fixed).run(stop);
}

} // namespace crosswalk::layered
