#include "core/formats/mxnet/ops/recurrent/initial_state.h"

#include "core/convert/emit.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Uniform {
    bool holds = false;
    double value = 0;
};

/// Whether all elements have one value, and which.
Uniform uniformValue(const Tensor& tensor)
{
    const std::size_t width = byteSize(tensor.type());
    std::vector<std::byte> first;
    bool same = tensor.elements() > 0 && width > 0;
    if (!same) {
        return {};
    }
    tensor.stream([&](std::span<const std::byte> bytes) {
        if (first.empty()) {
            first.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
        }
        for (std::size_t i = 0; i + width <= bytes.size() && same; i += width) {
            same = std::equal(first.begin(), first.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return same;
    });
    double value = 0;
    convertElements(tensor.type(), first.data(), ElementType::Float64, reinterpret_cast<std::byte*>(&value), 1);
    return {same, value};
}

} // namespace

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

// A begin state that was written as (layers, 0, width) comes with a batch of one, for MXNet fills in what the RNN sees.
// A variable has the shape that it has.
void InitialState::fitBatch(bool isVariable)
{
    const Dim batch = m_ctx.shape(m_data)[1];
    const Dim given = m_ctx.shape(m_state)[1];
    const Tensor* stored = m_ctx.onnx.content(m_state);
    const Uniform uniform = stored != nullptr ? uniformValue(*stored) : Uniform{};
    const bool differs = given.isFixed() && given != batch;
    if (differs && batch.isFixed() && (isVariable || given.size != 1)) {
        m_ctx.invalid(fmt::format("its initial state is for a batch of {}, its data has {}", given.size, batch.size));
    }
    if (uniform.holds && uniform.value == 0.0 && (given.size == 1 || !differs)) {
        m_isZero = true;
        return;
    }
    if (!differs || given.size != 1 || isVariable) {
        return;
    }
    const std::int64_t rows = m_layers * m_directions;
    if (uniform.holds && batch.isFixed()) {
        m_state =
            m_ctx.onnx.constant(Tensor::filled(m_ctx.element(m_state), {rows, batch.size, m_width}, uniform.value));
        return;
    }
    const OnnxValue dims = emit::concat(
        m_ctx, {m_ctx.onnx.ints({rows}), emit::dimVector(m_ctx, m_data, 1), m_ctx.onnx.ints({m_width})}, 0);
    m_state = emit::expand(m_ctx, m_state, dims);
    m_ctx.onnx.refine(m_state, {Dim(rows), batch, Dim(m_width)});
}

OnnxValue InitialState::row(std::int64_t first, std::int64_t count, const Tensor& stored) const
{
    Ints dims = stored.dims();
    const std::int64_t size = dims[1] * dims[2];
    dims[0] = count;
    return m_ctx.onnx.constant(stored.range(first * size, dims));
}

OnnxValue InitialState::ofLayer(std::int64_t layer)
{
    if (m_isZero) {
        return {};
    }
    if (m_layers == 1) {
        return m_state;
    }
    if (const Tensor* stored = m_ctx.onnx.content(m_state)) {
        return row(layer * m_directions, m_directions, *stored);
    }
    if (m_byLayer.empty()) {
        m_byLayer = emit::split(m_ctx, m_state, 0, Ints(static_cast<std::size_t>(m_layers), m_directions));
    }
    return m_byLayer[static_cast<std::size_t>(layer)];
}

OnnxValue InitialState::ofCell(std::int64_t layer, std::int64_t direction)
{
    if (m_isZero) {
        return zeros();
    }
    const std::int64_t index = layer * m_directions + direction;
    if (const Tensor* stored = m_ctx.onnx.content(m_state)) {
        return emit::squeeze(m_ctx, row(index, 1, *stored), {0});
    }
    if (m_layers * m_directions == 1) {
        return emit::squeeze(m_ctx, m_state, {0});
    }
    return emit::gather(m_ctx, m_state, m_ctx.onnx.scalar(ElementType::Int64, static_cast<double>(index)), 0);
}

OnnxValue InitialState::zeros()
{
    if (!m_zeros) {
        const Dim batch = m_ctx.shape(m_data)[1];
        const ElementType type = m_ctx.element(m_data);
        if (batch.isFixed()) {
            m_zeros = m_ctx.onnx.constant(Tensor::filled(type, {batch.size, m_width}, 0));
        } else {
            const OnnxValue dims =
                emit::concat(m_ctx, {emit::dimVector(m_ctx, m_data, 1), m_ctx.onnx.ints({m_width})}, 0);
            m_zeros = emit::expand(m_ctx, m_ctx.onnx.scalar(type, 0), dims);
            m_ctx.onnx.refine(m_zeros, {batch, Dim(m_width)});
        }
    }
    return m_zeros;
}

} // namespace crosswalk::mxnet
