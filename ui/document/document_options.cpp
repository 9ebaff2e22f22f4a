// Options for converting and writing the whole model.

#include "ui/document/document.h"

#include "core/convert/check_options.h"

namespace crosswalk::ui {

bool Document::isExportUnchanged() const
{
    if (!isOnnx() || m_compared) {
        return false;
    }
    const auto own = m_loaded->graph->opsets.find({});
    const bool isSameOpset =
        !m_options.opset || (own != m_loaded->graph->opsets.end() && own->second == *m_options.opset);
    ConvertOptions others = m_options;
    others.opset.reset();
    // An ONNX model offers no such choices.
    others.recurrent = Strategy::Exact;
    others.strategies.clear();
    others.reroll = false;
    return isSameOpset && areDefault(others);
}

void Document::setRecurrent(Strategy strategy)
{
    if (strategy == m_options.recurrent) {
        return;
    }
    auto next = m_options;
    next.recurrent = strategy;
    changeOptions(std::move(next), tr("Recurrent layers"));
}

void Document::setOptimized(bool optimized)
{
    auto next = m_options;
    next.optimize = optimized;
    next.fuseAttention = optimized && next.fuseAttention;
    changeOptions(std::move(next), tr("Optimization"));
}

void Document::setAttentionFused(bool fused)
{
    auto next = m_options;
    next.fuseAttention = fused;
    next.optimize = fused || next.optimize;
    changeOptions(std::move(next), tr("Attention"));
}

void Document::setRerolled(bool rerolled)
{
    auto next = m_options;
    next.reroll = rerolled;
    changeOptions(std::move(next), tr("Rerolling"));
}

std::string Document::sampleSymbol() const
{
    if (!m_loaded || m_options.part) {
        return {};
    }
    std::string first;
    for (const ValueId id : m_loaded->graph->inputs) {
        const auto given = m_options.shapes.find(m_loaded->graph->value(id).name);
        if (given == m_options.shapes.end()) {
            continue;
        }
        const Shape& now = given->second;
        const auto own = m_ownTypes.find(id);
        const auto was = own != m_ownTypes.end() ? own->second.shape : std::nullopt;
        for (std::size_t axis = 0; axis < now.size(); ++axis) {
            if (now[axis].symbol().empty()) {
                continue;
            }
            if (was && was->size() == now.size() && (*was)[axis] == Dim(1)) {
                return now[axis].symbol();
            }
            first = first.empty() ? now[axis].symbol() : first;
        }
    }
    return first;
}

void Document::setScanOverBatch(bool isOn)
{
    auto next = m_options;
    next.scanOverBatch = isOn ? sampleSymbol() : std::string();
    if (next.scanOverBatch != m_options.scanOverBatch) {
        changeOptions(std::move(next), tr("Samples by themselves"));
    }
}

} // namespace crosswalk::ui
