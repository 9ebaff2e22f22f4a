#include "core/formats/tensorflow/lowering/stored_weights.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr std::array<std::int64_t, 2> swapped{1, 0};

std::optional<Ints> intsOf(const Tensor* tensor)
{
    return tensor != nullptr && isInteger(tensor->type()) && tensor->rank() <= 1 ? std::optional(tensor->toInts())
                                                                                 : std::nullopt;
}

/// Rows [begin, end) along axis 0 or 1 of a vector or a matrix.
std::optional<Tensor> cut(const Tensor& tensor, std::int64_t axis, std::int64_t begin, std::int64_t end)
{
    if (axis == 1 && tensor.rank() == 2) {
        const auto rows = cut(tensor.transposed(swapped), 0, begin, end);
        return rows ? std::optional(rows->transposed(swapped)) : std::nullopt;
    }
    if (axis != 0 || tensor.rank() == 0 || tensor.rank() > 2 || begin < 0 || begin >= end || end > tensor.dims()[0]) {
        return std::nullopt;
    }
    Ints dims = tensor.dims();
    const std::int64_t row = tensor.elements() / dims[0];
    dims[0] = end - begin;
    return tensor.range(begin * row, dims);
}

std::optional<Tensor> concat(std::vector<Tensor> parts, std::int64_t axis)
{
    const auto rank = static_cast<std::int64_t>(parts.front().rank());
    axis = axis < 0 ? axis + rank : axis;
    const bool isPlain = std::all_of(parts.begin(), parts.end(), [&](const Tensor& part) {
        return part.rank() == parts.front().rank() && part.type() == parts.front().type();
    });
    if (!isPlain || axis < 0 || axis >= rank || (axis == 1 && rank != 2) || axis > 1) {
        return std::nullopt;
    }
    if (axis == 0) {
        return Tensor::joined(parts);
    }
    for (Tensor& part : parts) {
        part = part.transposed(swapped);
    }
    return Tensor::joined(parts).transposed(swapped);
}

/// The bounds of a slice with steps of 1 along one axis; the other axes are whole.
std::optional<Tensor> strided(const Node& node, const Tensor& whole, const std::array<std::optional<Ints>, 3>& bounds)
{
    const auto bit = [&](std::string_view mask, std::size_t axis) { return (intOf(node, mask, 0) >> axis & 1) != 0; };
    for (const char* mask : {"ellipsis_mask", "new_axis_mask"}) {
        if (intOf(node, mask, 0) != 0) {
            return std::nullopt;
        }
    }
    std::optional<Tensor> result = whole;
    Ints dims;
    for (std::size_t axis = 0; axis < bounds[0]->size() && result; ++axis) {
        const std::int64_t size = whole.dims().at(axis);
        const auto at = [&](std::int64_t index) {
            return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
        };
        const bool isOne = bit("shrink_axis_mask", axis);
        const std::int64_t begin = bit("begin_mask", axis) && !isOne ? 0 : at((*bounds[0])[axis]);
        const std::int64_t end = isOne ? begin + 1 : bit("end_mask", axis) ? size : at((*bounds[1])[axis]);
        const bool isWhole = begin == 0 && end == size;
        result = (*bounds[2])[axis] != 1 ? std::nullopt
                 : isWhole               ? result
                                         : cut(*result, static_cast<std::int64_t>(axis), begin, end);
        if (result && !isOne) {
            dims.push_back(result->dims()[axis]);
        }
    }
    if (!result) {
        return std::nullopt;
    }
    dims.insert(dims.end(), whole.dims().iteratorAt(bounds[0]->size()), whole.dims().end());
    return result->reshaped(dims);
}

} // namespace

StoredWeights::StoredWeights(const Graph& graph, std::function<const Tensor*(ValueId)> outer)
    : m_graph(graph)
    , m_outer(std::move(outer))
{
}

const Tensor* StoredWeights::of(ValueId value) const
{
    if (!value) {
        return nullptr;
    }
    if (const Tensor* stored = m_graph.tensorOf(value)) {
        return stored;
    }
    const auto [known, isNew] = m_known.try_emplace(value);
    if (isNew) {
        auto content = computed(value);
        m_known[value] = std::move(content);
    }
    const auto& content = m_known.at(value);
    return content ? &*content : nullptr;
}

std::optional<Tensor> StoredWeights::computed(ValueId value) const
{
    const Value& found = m_graph.value(value);
    if (!found.producer) {
        const Tensor* outer = m_outer ? m_outer(value) : nullptr;
        return outer != nullptr ? std::optional(*outer) : std::nullopt;
    }
    const Node& node = m_graph.node(found.producer);
    const auto output = static_cast<std::int64_t>(found.producerOutput);
    if (node.op == "Unpack" && node.inputs.size() == 1 && intOf(node, "axis", 0) == 0) {
        const Tensor* whole = of(node.inputs[0]);
        const auto row = whole != nullptr ? cut(*whole, 0, output, output + 1) : std::nullopt;
        return row ? std::optional(row->reshaped({row->dims().iteratorAt(1), row->dims().end()})) : std::nullopt;
    }
    if (node.op == "Split" && node.inputs.size() == 2) {
        const auto axis = intsOf(of(node.inputs[0]));
        const Tensor* whole = axis && axis->size() == 1 ? of(node.inputs[1]) : nullptr;
        const auto rank = whole != nullptr ? static_cast<std::int64_t>(whole->rank()) : 0;
        const std::int64_t along = whole == nullptr ? 0 : axis->front() < 0 ? axis->front() + rank : axis->front();
        if (whole == nullptr || along < 0 || along >= rank) {
            return std::nullopt;
        }
        const auto width =
            whole->dims()[static_cast<std::size_t>(along)] / static_cast<std::int64_t>(node.outputs.size());
        return cut(*whole, along, output * width, (output + 1) * width);
    }
    if (node.op == "ConcatV2" && node.inputs.size() > 1) {
        const auto axis = intsOf(of(node.inputs.back()));
        std::vector<Tensor> parts;
        for (std::size_t i = 0; axis && axis->size() == 1 && i + 1 < node.inputs.size(); ++i) {
            const Tensor* part = of(node.inputs[i]);
            if (part == nullptr) {
                return std::nullopt;
            }
            parts.push_back(*part);
        }
        return parts.empty() ? std::nullopt : concat(std::move(parts), axis->front());
    }
    if (node.op == "StridedSlice" && node.inputs.size() == 4) {
        const Tensor* whole = of(node.inputs[0]);
        const std::array bounds{intsOf(of(node.inputs[1])), intsOf(of(node.inputs[2])), intsOf(of(node.inputs[3]))};
        const bool fits = whole != nullptr && bounds[0] && bounds[1] && bounds[2] &&
                          bounds[0]->size() <= whole->rank() && bounds[1]->size() == bounds[0]->size() &&
                          bounds[2]->size() == bounds[0]->size();
        return fits ? strided(node, *whole, bounds) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
