#include "core/formats/mxnet/ops/recurrent/initial_state.h"

#include "core/convert/emit.h"
#include "core/convert/forms/uniform_value.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
InitialState::InitialState(const NodeContext& ctx, const RecurrentSettings& settings, std::size_t inputIndex,
                           std::int64_t width, OnnxValue data)
    : m_ctx(ctx)
    , m_layers(settings.layers)
    , m_directions(settings.directions)
    , m_width(width)
    , m_data(data)
    , m_state(ctx.input(inputIndex))
{
    adopt(inputIndex);
    const ValueId source = ctx.node.inputs[inputIndex];
    fitBatch(source && !ctx.graph.value(source).producer);
}

void InitialState::adopt(std::size_t inputIndex)
{
    const std::int64_t rows = m_layers * m_directions;
    m_ctx.expectWeight(inputIndex, {Dim(rows), Dim(), Dim(m_width)});
    const auto& known = m_ctx.onnx.shape(m_state);
    const bool openBatch = !known || known->size() != 3 || !(*known)[1].isFixed();
    m_ctx.onnx.refine(m_state, {Dim(rows), openBatch ? m_ctx.shape(m_data)[1] : Dim(), Dim(m_width)});
    m_state = emit::cast(m_ctx, m_state, m_ctx.element(m_data));
}

// A begin state written as (layers, 0, width) has a batch of one, because MXNet infers the batch from the RNN. The
// shape of a variable is fixed.
void InitialState::fitBatch(bool isVariable)
{
    const Dim batch = m_ctx.shape(m_data)[1];
    const Dim given = m_ctx.shape(m_state)[1];
    const Tensor* stored = m_ctx.onnx.content(m_state);
    // NaN: the elements differ or are unknown.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const double uniform = stored != nullptr ? forms::uniformValue(*stored).value_or(unknown) : unknown;
    const bool differs = given.isFixed() && given != batch;
    if (differs && batch.isFixed() && (isVariable || given.size != 1)) {
        m_ctx.invalid(fmt::format("its initial state has a batch of {}, but its data has {}", given.size, batch.size));
    }
    if (uniform == 0.0 && (given.size == 1 || !differs)) {
        m_state = {};
        return;
    }
    if (!differs || given.size != 1 || isVariable) {
        return;
    }
    const std::int64_t rows = m_layers * m_directions;
    if (!std::isnan(uniform) && batch.isFixed()) {
        m_state = m_ctx.onnx.constant(Tensor::filled(m_ctx.element(m_state), {rows, batch.size, m_width}, uniform));
        return;
    }
    const OnnxValue dims = emit::concat(
        m_ctx, {m_ctx.onnx.ints({rows}), emit::dimVector(m_ctx, m_data, 1), m_ctx.onnx.ints({m_width})}, 0);
    m_state = emit::expand(m_ctx, m_state, dims);
    m_ctx.onnx.refine(m_state, {Dim(rows), batch, Dim(m_width)});
}

forms::StackedState InitialState::ofLayer(std::int64_t layer) const
{
    return {.value = m_state, .first = layer * m_directions};
}

} // namespace crosswalk::mxnet
