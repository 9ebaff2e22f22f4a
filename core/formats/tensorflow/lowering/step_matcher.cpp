#include "core/formats/tensorflow/lowering/step_matcher.h"

#include "core/convert/forms/uniform_value.h"
#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

bool isSum(std::string_view op)
{
    return op == "Add" || op == "AddV2" || op == "BiasAdd";
}

} // namespace

StepMatcher::StepMatcher(const Graph& body, std::function<const Tensor*(ValueId)> outer)
    : m_body(body)
    , m_stored(body, std::move(outer))
{
}

const Node* StepMatcher::node(ValueId value, std::string_view op) const
{
    const NodeId id = value ? m_body.value(value).producer : NodeId{};
    if (!id) {
        return nullptr;
    }
    const Node& node = m_body.node(id);
    return node.op == op || (op == "Add" && isSum(node.op)) ? &node : nullptr;
}

std::optional<double> StepMatcher::number(ValueId value) const
{
    const Tensor* content = value ? stored(value) : nullptr;
    if (content == nullptr || content->elements() != 1 || !isNumeric(content->type())) {
        return std::nullopt;
    }
    return content->toDoubles().front();
}

std::optional<std::int64_t> StepMatcher::integer(ValueId value) const
{
    const Tensor* content = value ? stored(value) : nullptr;
    if (content == nullptr || content->elements() != 1 || !isInteger(content->type())) {
        return std::nullopt;
    }
    return content->toInts().front();
}

bool StepMatcher::isZero(ValueId value) const
{
    if (const Node* fill = node(value, "Fill")) {
        return fill->inputs.size() == 2 && number(fill->inputs[1]) == 0.0;
    }
    const Tensor* content = value ? stored(value) : nullptr;
    const bool isStoredZero = content != nullptr && isNumeric(content->type()) && forms::uniformValue(*content) == 0.0;
    return isStoredZero || node(value, "ZerosLike") != nullptr;
}

ValueIds StepMatcher::summands(ValueId value) const
{
    ValueIds found;
    ValueIds open{value};
    while (!open.empty()) {
        const ValueId next = open.back();
        open.pop_back();
        if (const Node* sum = node(next, "Add"); sum != nullptr && sum->inputs.size() == 2) {
            open.push_back(sum->inputs[1]);
            open.push_back(sum->inputs[0]);
        } else {
            found.push_back(next);
        }
    }
    return found;
}

std::vector<std::array<ValueId, 2>> StepMatcher::products(ValueId value) const
{
    const Node* product = node(value, "Mul");
    if (product == nullptr || product->inputs.size() != 2) {
        return {};
    }
    return {{product->inputs[0], product->inputs[1]}, {product->inputs[1], product->inputs[0]}};
}

ValueId StepMatcher::argument(std::string_view op, ValueId value) const
{
    const Node* found = node(value, op);
    return found != nullptr && !found->inputs.empty() ? found->inputs[0] : ValueId{};
}

std::optional<StepMatcher::Part> StepMatcher::part(ValueId value) const
{
    if (const Node* uneven = node(value, "SplitV")) {
        return equalPart(*uneven, m_body.value(value).producerOutput);
    }
    const Node* split = node(value, "Split");
    if (split == nullptr || split->inputs.size() != 2) {
        return std::nullopt;
    }
    const auto axis = integer(split->inputs[0]);
    if (!axis || (*axis != 1 && *axis != -1)) { // of (batch, features)
        return std::nullopt;
    }
    return Part{split->inputs[1], m_body.value(value).producerOutput, split->outputs.size()};
}

/// A part of a split into given sizes, if they are equal.
std::optional<StepMatcher::Part> StepMatcher::equalPart(const Node& split, std::size_t index) const
{
    const Tensor* sizes = split.inputs.size() == 3 ? stored(split.inputs[1]) : nullptr;
    const auto axis = sizes != nullptr ? integer(split.inputs[2]) : std::nullopt;
    if (!axis || (*axis != 1 && *axis != -1)) {
        return std::nullopt;
    }
    Ints widths = sizes->toInts();
    const std::int64_t width = widths.front();
    if (widths.back() == -1 && width > 0) { // the rest, which may be empty
        const auto whole = widthOf(split.inputs[0]);
        const auto others = static_cast<std::int64_t>(widths.size()) - 1;
        widths.back() = whole == width * (others + 1) ? width : -1;
        if (whole == width * others && static_cast<std::int64_t>(index) < others) {
            widths.pop_back();
        }
    }
    const bool isEqual =
        width > 0 && std::all_of(widths.begin(), widths.end(), [&](auto each) { return each == width; });
    return isEqual ? std::optional(Part{split.inputs[0], index, widths.size()}) : std::nullopt;
}

/// The width of a sum with a product of stored weights.
std::optional<std::int64_t> StepMatcher::widthOf(ValueId sum) const
{
    for (const ValueId summand : summands(sum)) {
        const Node* product = node(summand, "MatMul");
        const Tensor* weights =
            product != nullptr && product->inputs.size() == 2 ? stored(product->inputs[1]) : nullptr;
        if (weights != nullptr && weights->rank() == 2) {
            return weights->dims()[1];
        }
    }
    return std::nullopt;
}

std::optional<StepMatcher::Part> StepMatcher::half(ValueId value) const
{
    if (const auto found = part(value)) {
        return found->count == 2 ? found : std::nullopt;
    }
    const Node* slice = node(value, "Slice");
    const Tensor* begin = slice != nullptr && slice->inputs.size() == 3 ? stored(slice->inputs[1]) : nullptr;
    const Tensor* size = begin != nullptr ? stored(slice->inputs[2]) : nullptr;
    if (size == nullptr || begin->elements() != 2 || size->elements() != 2) {
        return std::nullopt;
    }
    const Ints first = begin->toInts();
    const Ints count = size->toInts();
    const bool isHalf = first[0] == 0 && count[0] == -1 && (first[1] == 0 || first[1] == count[1]);
    return isHalf ? std::optional(Part{slice->inputs[0], first[1] == 0 ? std::size_t{0} : std::size_t{1}, 2})
                  : std::nullopt;
}

} // namespace crosswalk::tensorflow
