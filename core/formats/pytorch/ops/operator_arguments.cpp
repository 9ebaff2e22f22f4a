#include "core/formats/pytorch/ops/operator_arguments.h"

#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/scalar_types.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace crosswalk::pytorch {

namespace {

constexpr std::size_t mostScannedNames = 32; ///< more are found by their hash: each item of a list has one

} // namespace

Arguments::Arguments(const NodeContext& ctx)
    : m_ctx(ctx)
    , m_names(attributeOf<std::vector<std::string>>(ctx.node, argumentNames))
{
    if (m_names != nullptr && m_names->size() > mostScannedNames) {
        for (std::size_t i = 0; i < m_names->size(); ++i) {
            m_indices.try_emplace((*m_names)[i], i);
        }
    }
}

std::optional<std::size_t> Arguments::input(std::string_view name) const
{
    if (m_names == nullptr) {
        return std::nullopt;
    }
    std::size_t index = m_names->size();
    if (m_indices.empty()) {
        index = static_cast<std::size_t>(std::find(m_names->begin(), m_names->end(), name) - m_names->begin());
    } else if (const auto found = m_indices.find(name); found != m_indices.end()) {
        index = found->second;
    }
    return index < m_names->size() && m_ctx.hasInput(index) ? std::optional(index) : std::nullopt;
}

bool Arguments::has(std::string_view name) const
{
    return input(name).has_value() || isStored(name);
}

bool Arguments::isNumber(std::string_view name) const
{
    const auto* numbers = attributeOf<std::vector<std::string>>(m_ctx.node, computedNumbers);
    return isStored(name) ||
           (numbers != nullptr && std::find(numbers->begin(), numbers->end(), name) != numbers->end());
}

OnnxValue Arguments::tensor(std::string_view name) const
{
    const auto index = input(name);
    if (!index) {
        m_ctx.invalid(fmt::format("needs the tensor {}", name));
    }
    return m_ctx.input(*index);
}

OnnxValue Arguments::optional(std::string_view name) const
{
    const auto index = input(name);
    return index ? m_ctx.input(*index) : OnnxValue{};
}

OnnxValues Arguments::tensors(std::string_view name) const
{
    const auto* stored = attributeOf<Ints>(m_ctx.node, name);
    OnnxValues values(stored != nullptr ? stored->size() : 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = optional(fmt::format("{}[{}]", name, i));
    }
    return values;
}

std::optional<std::int64_t> Arguments::known(OnnxValue value) const
{
    const auto elements = forms::knownInts(m_ctx, value);
    return elements && elements->size() == 1 ? std::optional(elements->front()) : std::nullopt;
}

std::optional<ValueId> Arguments::source(std::string_view name) const
{
    const auto index = input(name);
    return index ? std::optional(m_ctx.node.inputs[*index]) : std::nullopt;
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) const
{
    if (const auto index = input(name)) {
        const auto value = known(m_ctx.input(*index));
        if (!value) {
            m_ctx.refuse(fmt::format("{} is computed when the model runs", name), std::string(name),
                         "give fixed input shapes");
        }
        return *value;
    }
    if (const auto* flag = attributeOf<bool>(m_ctx.node, name)) {
        return *flag ? 1 : 0;
    }
    const auto* value = attributeOf<std::int64_t>(m_ctx.node, name);
    return value != nullptr ? *value : fallback;
}

std::int64_t Arguments::positive(std::string_view name, std::int64_t fallback) const
{
    const std::int64_t value = integer(name, fallback);
    if (value < 1) {
        m_ctx.invalid(fmt::format("{} is {}, but it must be at least 1", name, value), std::string(name));
    }
    return value;
}

double Arguments::number(std::string_view name, double fallback) const
{
    if (const auto* value = attributeOf<double>(m_ctx.node, name)) {
        return *value;
    }
    if (const auto index = input(name)) {
        const Tensor* stored = m_ctx.onnx.content(m_ctx.input(*index));
        if (stored != nullptr && isFloating(stored->type()) && stored->dims().empty()) {
            return stored->toDoubles().front();
        }
    }
    return has(name) ? static_cast<double>(integer(name, 0)) : fallback;
}

bool Arguments::truth(std::string_view name, bool fallback) const
{
    return integer(name, fallback ? 1 : 0) != 0;
}

std::string Arguments::text(std::string_view name, std::string_view fallback) const
{
    const auto* value = attributeOf<std::string>(m_ctx.node, name);
    return value != nullptr ? *value : std::string(fallback);
}

ElementType Arguments::type(std::string_view name, ElementType fallback) const
{
    const auto* stored = attributeOf<ElementType>(m_ctx.node, name);
    const bool isComputed = input(name).has_value(); // a number of c10::ScalarType, such as the type of a tensor
    if (stored == nullptr && !isComputed) {
        return fallback;
    }
    const ElementType type = isComputed ? fromScalarType(integer(name, 0)) : *stored;
    if (type == ElementType::Undefined) {
        m_ctx.refuse(fmt::format("{} is a type that ONNX does not have", name), std::string(name));
    }
    return type;
}

std::optional<Ints> Arguments::integers(std::string_view name) const
{
    if (const auto* single = attributeOf<std::int64_t>(m_ctx.node, name)) {
        return Ints{*single};
    }
    if (const auto index = input(name)) { // a list whose length the model computes
        auto known = forms::knownInts(m_ctx, m_ctx.input(*index));
        if (!known) {
            m_ctx.refuse(fmt::format("{} is computed when the model runs", name), std::string(name),
                         "give fixed input shapes");
        }
        return known;
    }
    const auto* stored = attributeOf<Ints>(m_ctx.node, name);
    if (stored == nullptr) {
        return std::nullopt;
    }
    Ints values = *stored;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string element = fmt::format("{}[{}]", name, i);
        if (input(element)) {
            values[i] = integer(element, 0);
        }
    }
    return values;
}

std::vector<double> Arguments::numbers(std::string_view name) const
{
    if (const auto* values = attributeOf<std::vector<double>>(m_ctx.node, name)) {
        return *values;
    }
    const auto integersOfList = integers(name);
    return integersOfList ? std::vector<double>(integersOfList->begin(), integersOfList->end()) : std::vector<double>();
}

OnnxValue Arguments::vector(std::string_view name) const
{
    if (const auto index = input(name)) {
        return forms::intVector(m_ctx, m_ctx.input(*index));
    }
    const auto* stored = attributeOf<Ints>(m_ctx.node, name);
    if (stored == nullptr) {
        m_ctx.invalid(fmt::format("needs the list {}", name), std::string(name));
    }
    OnnxValues parts;
    bool isComputed = false;
    for (std::size_t i = 0; i < stored->size(); ++i) {
        const auto element = optional(fmt::format("{}[{}]", name, i));
        isComputed = isComputed || element;
        parts.push_back(element ? forms::intVector(m_ctx, element) : m_ctx.onnx.ints({(*stored)[i]}));
    }
    return isComputed ? emit::concat(m_ctx, parts, 0) : m_ctx.onnx.ints(*stored);
}

Shape Arguments::shape(std::string_view name) const
{
    const auto* stored = attributeOf<Ints>(m_ctx.node, name);
    Shape dims;
    for (std::size_t i = 0; stored != nullptr && i < stored->size(); ++i) {
        const auto element = optional(fmt::format("{}[{}]", name, i));
        const std::int64_t size = element ? known(element).value_or(-1) : (*stored)[i];
        dims.push_back(size < 0 ? Dim() : Dim(size));
    }
    return dims;
}

OnnxValue Arguments::scalar(std::string_view name, std::int64_t fallback) const
{
    if (const auto index = input(name)) {
        return forms::scalarOf(m_ctx, forms::intVector(m_ctx, m_ctx.input(*index)));
    }
    const std::int64_t value = integer(name, fallback);
    return m_ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&value, 1)));
}

std::int64_t Arguments::axis(std::string_view name, std::int64_t fallback, std::size_t rank) const
{
    const std::int64_t axis = integer(name, fallback);
    if (rank == 0 && (axis == 0 || axis == -1)) {
        return 0; // a scalar counts as a vector
    }
    return m_ctx.axis(axis, rank, name);
}

Ints Arguments::axes(std::string_view name, std::size_t rank) const
{
    Ints axes = integers(name).value_or(Ints());
    if (axes.empty()) {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), 0);
        return axes;
    }
    if (rank == 0) {
        return {};
    }
    for (std::int64_t& axis : axes) {
        axis = m_ctx.axis(axis, rank, name);
    }
    if (std::set(axes.begin(), axes.end()).size() != axes.size()) {
        m_ctx.invalid(fmt::format("{} has an axis twice", name), std::string(name));
    }
    return axes;
}

std::string Arguments::overload() const
{
    return text(overloadName, "default");
}

SubgraphId bodyOf(const NodeContext& ctx, std::string_view name)
{
    const auto* body = attributeOf<SubgraphId>(ctx.node, name);
    if (body == nullptr) {
        ctx.invalid("needs a graph", std::string(name));
    }
    return *body;
}

} // namespace crosswalk::pytorch
