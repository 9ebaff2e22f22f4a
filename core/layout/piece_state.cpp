#include "core/layout/piece_state.h"

#include <numeric>

namespace crosswalk::layered {

PieceState::PieceState(const Piece& thePiece)
    : piece(thePiece)
    , firstFree(thePiece.top.empty() ? 0 : 1)
    , endFree(thePiece.layerCount() - (thePiece.endsFixed ? 1 : 0))
    , order(thePiece.vertexCount())
    , position(thePiece.vertexCount())
    , layerOf(thePiece.vertexCount())
{
    for (std::uint32_t l = 0; l < piece.layerCount(); ++l) {
        for (std::uint32_t v = piece.layerFirst[l]; v < piece.layerFirst[l + 1]; ++v) {
            layerOf[v] = l;
        }
    }
    listAbove();
}

void PieceState::listAbove()
{
    m_aboveFirst.assign(piece.vertexCount() + 1, 0);
    for (const std::uint32_t end : piece.below) {
        ++m_aboveFirst[end + 1];
    }
    std::partial_sum(m_aboveFirst.begin(), m_aboveFirst.end(), m_aboveFirst.begin());
    m_above.resize(piece.below.size());
    m_lines.resize(piece.ports.size());
    std::vector<std::uint32_t> next(m_aboveFirst.begin(), m_aboveFirst.end() - 1);
    for (std::uint32_t v = 0; v < piece.vertexCount(); ++v) {
        for (std::uint32_t line = piece.belowFirst[v]; line < piece.belowFirst[v + 1]; ++line) {
            const std::uint32_t at = next[piece.below[line]]++;
            m_above[at] = v;
            if (!m_lines.empty()) {
                m_lines[at] = line;
            }
        }
    }
}

} // namespace crosswalk::layered
