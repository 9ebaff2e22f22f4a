#include "core/layout/boundaries.h"
#include "core/layout/hash_numbers.h"
#include "core/layout/layered.h"
#include "core/layout/order_piece.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace crosswalk::layered {
namespace {

struct HashPiece {
    std::size_t operator()(const Piece& piece) const
    {
        std::size_t hash = hashNumbers<std::uint32_t>(1, piece.layerFirst);
        hash = hashNumbers<std::uint32_t>(hash, piece.belowFirst) ^ (piece.endsFixed ? 1U : 0U);
        return hashNumbers<std::uint32_t>(hashNumbers<std::uint32_t>(hash, piece.below), piece.top);
    }
};

/// Orders the layers segment by segment from the top, each with the next one as lookahead. An equal segment with the
/// same order of its first layer reuses the result.
class LayerOrderer {
public:
    LayerOrderer(Layers& layers, const FixedLayers& fixed)
        : m_layers(layers)
        , m_fixed(fixed)
        , m_fileOrder(layers.position)
        , m_passes(passesFor(layers.vertexCount()))
    {
    }

    void run(const std::stop_token& stop)
    {
        const auto boundaries = findBoundaries(m_layers.sizes());
        for (std::size_t s = 0; s + 1 < boundaries.size() && !stop.stop_requested(); ++s) {
            std::size_t end = boundaries[s + 1];
            if (m_layers.sizeOf(end) > 1 && s + 2 < boundaries.size()) {
                end = boundaries[s + 2];
            }
            orderSegment(boundaries[s], boundaries[s + 1], end, s > 0 || !m_fixed.first.empty(), stop);
        }
    }

private:
    /// Small graphs get more passes: they take a few milliseconds anyway.
    static unsigned passesFor(std::size_t vertices)
    {
        constexpr std::size_t least = 16;
        constexpr std::size_t most = 120;
        const std::size_t share = 12'000 / std::max<std::size_t>(vertices, 1);
        return static_cast<unsigned>(std::min(least + share * share, most));
    }

    struct Known {
        PieceOrder order;
        unsigned uses = 0;
    };

    void orderSegment(std::size_t first, std::size_t last, std::size_t horizon, bool topIsSettled,
                      const std::stop_token& stop)
    {
        bool isTrivial = topIsSettled || m_layers.sizeOf(first) == 1;
        for (std::size_t layer = first + 1; layer <= last; ++layer) {
            isTrivial &= m_layers.sizeOf(layer) == 1;
        }
        if (isTrivial) {
            return;
        }
        Piece piece = cutOut(first, horizon, topIsSettled);
        piece.lookahead = static_cast<std::uint32_t>(horizon - last);
        piece.endsFixed = !m_fixed.last.empty() && horizon + 1 == m_layers.layerCount();
        auto& [cut, known] = *m_known.try_emplace(std::move(piece)).first;
        // Frequent segments are improved further: at the first use, the fourth, the sixteenth...
        ++known.uses;
        if (std::has_single_bit(known.uses) && std::countr_zero(known.uses) % 2 == 0) {
            improveOrder(cut, m_passes, known.order, stop);
        }
        if (stop.stop_requested()) {
            return;
        }
        settle(first, last, cut, known.order.order);
    }

    Piece cutOut(std::size_t first, std::size_t last, bool topIsSettled) const
    {
        Piece piece;
        const std::uint32_t base = m_layers.firstSlot[first];
        for (std::size_t layer = first; layer <= last + 1; ++layer) {
            piece.layerFirst.push_back(m_layers.firstSlot[layer] - base);
        }
        piece.belowFirst.assign(piece.vertexCount() + 1, 0);
        const auto own = [&](std::uint32_t v, std::size_t layer) {
            return piece.layerFirst[layer - first] + m_fileOrder[v];
        };
        for (std::size_t layer = first; layer < last; ++layer) {
            for (const std::uint32_t v : m_layers.order(layer)) {
                piece.belowFirst[own(v, layer) + 1] = static_cast<std::uint32_t>(m_layers.below.of(v).size());
            }
        }
        for (std::size_t v = 0; v < piece.vertexCount(); ++v) {
            piece.belowFirst[v + 1] += piece.belowFirst[v];
        }
        piece.below.resize(piece.belowFirst.back());
        for (std::size_t layer = first; layer < last; ++layer) {
            for (const std::uint32_t v : m_layers.order(layer)) {
                std::uint32_t at = piece.belowFirst[own(v, layer)];
                for (const std::uint32_t down : m_layers.below.of(v)) {
                    piece.below[at++] = own(down, layer + 1);
                }
            }
        }
        if (!m_layers.ports.empty()) {
            copyPorts(first, last, piece);
        }
        if (topIsSettled) {
            for (const std::uint32_t v : m_layers.order(first)) {
                piece.top.push_back(m_fileOrder[v]);
            }
        }
        return piece;
    }

    void copyPorts(std::size_t first, std::size_t last, Piece& piece) const
    {
        piece.ports.resize(piece.below.size());
        for (std::size_t layer = first; layer < last; ++layer) {
            for (const std::uint32_t v : m_layers.order(layer)) {
                std::uint32_t at = piece.belowFirst[piece.layerFirst[layer - first] + m_fileOrder[v]];
                for (const std::uint32_t line : m_layers.portsBelow.of(v)) {
                    piece.ports[at++] = m_layers.ports[line];
                }
            }
        }
        if (std::ranges::all_of(piece.ports, [](PortPlaces places) { return places == PortPlaces(); })) {
            piece.ports.clear();
        }
    }

    void settle(std::size_t first, std::size_t last, const Piece& piece, std::span<const std::uint32_t> order)
    {
        std::vector<std::uint32_t> before;
        for (std::size_t layer = first; layer <= last; ++layer) {
            const auto slots = m_layers.order(layer);
            before.resize(slots.size());
            for (const std::uint32_t v : slots) {
                before[m_fileOrder[v]] = v;
            }
            const std::uint32_t start = piece.layerFirst[layer - first];
            for (std::uint32_t i = 0; i < slots.size(); ++i) {
                slots[i] = before[order[start + i] - start];
                m_layers.position[slots[i]] = i;
            }
        }
    }

    Layers& m_layers;
    const FixedLayers& m_fixed;
    std::vector<std::uint32_t> m_fileOrder; ///< by vertex: initial position in its layer
    unsigned m_passes;
    std::unordered_map<Piece, Known, HashPiece> m_known;
};

} // namespace

void orderLayers(Layers& layers, const FixedLayers& fixed, std::stop_token stop)
{
    if (layers.layerCount() > 1) {
        LayerOrderer(layers, fixed).run(stop);
    }
}

} // namespace crosswalk::layered
