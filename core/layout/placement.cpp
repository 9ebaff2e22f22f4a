#include "core/layout/layered.h"

#include <algorithm>

namespace crosswalk::layered {
namespace {

/// Puts the vertices of a layer as near as can be (least squares) to where they want to be, without changing their
/// order and without coming closer than they may: neighbours that collide move on as one block (the pool adjacent
/// violators algorithm).
class LayerPlacer {
public:
    LayerPlacer(const Layers& layers, std::span<const LayoutBox> boxes, const LayoutOptions& options)
        : m_layers(layers)
        , m_boxes(boxes)
        , m_options(options)
    {
    }

    /// `wanted` by place in the layer.
    void place(std::size_t layer, std::span<const float> wanted, std::span<const float> weight, std::vector<float>& x)
    {
        const auto& order = m_layers.order[layer];
        m_blocks.clear();
        float offset = 0; // of this vertex if all stood as close as they may
        m_offsets.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            offset += i == 0 ? 0 : separation(order[i - 1], order[i]);
            m_offsets[i] = offset;
            Block block{(wanted[i] - offset) * weight[i], weight[i], i};
            while (!m_blocks.empty() && m_blocks.back().mean() > block.mean()) {
                block = {m_blocks.back().sum + block.sum, m_blocks.back().weight + block.weight, m_blocks.back().first};
                m_blocks.pop_back();
            }
            m_blocks.push_back(block);
        }
        for (std::size_t b = 0; b < m_blocks.size(); ++b) {
            const std::size_t end = b + 1 < m_blocks.size() ? m_blocks[b + 1].first : order.size();
            for (std::size_t i = m_blocks[b].first; i < end; ++i) {
                x[order[i]] = m_blocks[b].mean() + m_offsets[i];
            }
        }
    }

private:
    struct Block {
        float sum;
        float weight;
        std::size_t first;
        float mean() const { return sum / weight; }
    };

    float separation(std::uint32_t left, std::uint32_t right) const
    {
        const auto half = [&](std::uint32_t v) { return m_layers.isBox(v) ? m_boxes[v].width / 2 : 0; };
        const float gap = m_layers.isBox(left) && m_layers.isBox(right) ? m_options.nodeGap : m_options.nodeGap * 0.75F;
        return half(left) + half(right) + gap;
    }

    const Layers& m_layers;
    std::span<const LayoutBox> m_boxes;
    const LayoutOptions& m_options;
    std::vector<Block> m_blocks;
    std::vector<float> m_offsets;
};

} // namespace

std::vector<float> placeAcross(const Layers& layers, std::span<const LayoutBox> boxes, const LayoutOptions& options,
                               std::stop_token stop)
{
    constexpr int sweeps = 12;
    std::vector<float> x(layers.vertexCount(), 0);
    std::vector<float> wanted;
    std::vector<float> weight;
    LayerPlacer placer(layers, boxes, options);
    const auto placeLayer = [&](std::size_t layer, bool byAbove, bool byBelow) {
        const auto& order = layers.order[layer];
        wanted.resize(order.size());
        weight.assign(order.size(), 1);
        for (std::size_t i = 0; i < order.size(); ++i) {
            float sum = 0;
            float count = 0;
            const auto add = [&](std::uint32_t end) {
                const float pull = layers.isBox(end) || layers.isBox(order[i]) ? 1.0F : 4.0F;
                sum += x[end] * pull;
                count += pull;
            };
            if (byAbove) {
                std::ranges::for_each(layers.above.of(order[i]), add);
            }
            if (byBelow) {
                std::ranges::for_each(layers.below.of(order[i]), add);
            }
            wanted[i] = count > 0 ? sum / count : x[order[i]];
            weight[i] = std::max(count, 0.1F);
        }
        placer.place(layer, wanted, weight, x);
    };
    for (int sweep = 0; sweep < sweeps && !stop.stop_requested(); ++sweep) {
        const bool both = sweep > 1;
        if (sweep % 2 == 0) {
            for (std::size_t layer = 0; layer < layers.order.size(); ++layer) {
                placeLayer(layer, true, both);
            }
        } else {
            for (std::size_t layer = layers.order.size(); layer-- > 0;) {
                placeLayer(layer, both, true);
            }
        }
    }
    return x;
}

} // namespace crosswalk::layered
