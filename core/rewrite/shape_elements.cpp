#include "core/rewrite/shape_elements.h"

#include "core/onnx/node.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using Kind = ShapeElement::Kind;

constexpr std::size_t lengthLimit = 16;

bool isIndexType(ElementType type)
{
    return type == ElementType::Int64 || type == ElementType::Int32;
}

/// Operators whose result has the shape of their first operand.
bool keepsShape(std::string_view op)
{
    static const std::set<std::string_view> ops{"Abs",
                                                "Cast",
                                                "Ceil",
                                                "Clip",
                                                "Cos",
                                                "CumSum",
                                                "Dropout",
                                                "Elu",
                                                "Erf",
                                                "Exp",
                                                "Floor",
                                                "Gelu",
                                                "HardSigmoid",
                                                "Hardmax",
                                                "HardSwish",
                                                "Identity",
                                                "IsNaN",
                                                "LeakyRelu",
                                                "LogSoftmax",
                                                "Log",
                                                "Neg",
                                                "Not",
                                                "Reciprocal",
                                                "Relu",
                                                "Round",
                                                "Selu",
                                                "Sigmoid",
                                                "Sign",
                                                "Sin",
                                                "Softmax",
                                                "Softplus",
                                                "Softsign",
                                                "Sqrt",
                                                "Tanh",
                                                "Mish",
                                                "Swish",
                                                "BatchNormalization",
                                                "LayerNormalization",
                                                "InstanceNormalization",
                                                "ReverseSequence",
                                                "ThresholdedRelu",
                                                "LRN",
                                                "LpNormalization"};
    return ops.contains(op);
}

bool isBroadcast(std::string_view op)
{
    static const std::set<std::string_view> ops{"Add",  "And",         "Div",   "Equal", "Greater", "GreaterOrEqual",
                                                "Less", "LessOrEqual", "Max",   "Min",   "Mod",     "Mul",
                                                "Or",   "Pow",         "PRelu", "Sub",   "Where",   "Xor"};
    return ops.contains(op);
}

} // namespace

ShapeValues::ShapeValues(const GraphEdit& edit)
    : m_edit(edit)
{
    for (const NodeProto& node : edit.graph().node()) {
        if (node.domain().empty()) {
            read(node);
        }
    }
}

std::optional<std::size_t> ShapeValues::rankOf(const std::string& value) const
{
    if (const Tensor* stored = m_edit.stored(value)) {
        return stored->rank();
    }
    const auto shape = m_edit.typeOf(value).shape;
    return shape ? std::optional(shape->size()) : std::nullopt;
}

Dim ShapeValues::dimOf(const std::string& value, std::size_t axis) const
{
    if (const Tensor* stored = m_edit.stored(value)) {
        return axis < stored->rank() ? Dim(stored->dims()[axis]) : Dim();
    }
    const auto shape = m_edit.typeOf(value).shape;
    return shape && axis < shape->size() ? (*shape)[axis] : Dim();
}

std::optional<ShapeElements> ShapeValues::elements(const std::string& value) const
{
    if (const auto known = m_composed.find(value); known != m_composed.end()) {
        return known->second;
    }
    if (value.empty()) {
        return std::nullopt;
    }
    ShapeElements found;
    if (const Tensor* stored = m_edit.stored(value)) {
        if (!isIndexType(stored->type()) || stored->rank() > 1 ||
            stored->elements() > static_cast<std::int64_t>(lengthLimit)) {
            return std::nullopt;
        }
        for (const std::int64_t number : stored->toInts()) {
            found.push_back({Kind::Number, {}, number});
        }
        return found;
    }
    const TensorType type = m_edit.typeOf(value);
    if (!isIndexType(type.element) || !type.shape || type.shape->size() > 1 || !isFixed(*type.shape)) {
        return std::nullopt;
    }
    const std::int64_t length = type.shape->empty() ? 1 : type.shape->front().size;
    if (length > static_cast<std::int64_t>(lengthLimit)) {
        return std::nullopt;
    }
    for (std::int64_t i = 0; i < length; ++i) {
        found.push_back({Kind::Item, value, i});
    }
    return found;
}

ShapeElement ShapeValues::dimension(const std::string& tensor, std::size_t axis) const
{
    ShapeElement element{Kind::Dimension, tensor, static_cast<std::int64_t>(axis)};
    constexpr int stepLimit = 64;
    for (int step = 0; step < stepLimit && element.kind == Kind::Dimension; ++step) {
        const auto at = static_cast<std::size_t>(element.number);
        if (const Dim dim = dimOf(element.value, at); dim.isFixed()) {
            return {Kind::Number, {}, dim.size};
        }
        const auto before = origin(element.value, at);
        if (!before) {
            break;
        }
        element = *before;
    }
    return element;
}

/// The dimension of an operand that a dimension of a node's first output is equal to.
std::optional<ShapeElement> ShapeValues::origin(const std::string& tensor, std::size_t axis) const
{
    const auto producer = m_edit.producer(tensor);
    if (!producer) {
        return std::nullopt;
    }
    const NodeProto& node = m_edit.graph().node(*producer);
    if (!node.domain().empty() || node.input_size() == 0 || node.output(0) != tensor) {
        return std::nullopt;
    }
    const std::string_view op = node.op_type();
    const std::string& first = node.input(0);
    const auto rank = rankOf(first);
    const auto of = [](const std::string& value, std::size_t at) {
        return std::optional(ShapeElement{Kind::Dimension, value, static_cast<std::int64_t>(at)});
    };
    if (isBroadcast(op)) {
        return ofBroadcast(node, axis);
    }
    if (!rank) {
        return std::nullopt;
    }
    if (keepsShape(op)) {
        return of(first, axis);
    }
    if (op == "Transpose") {
        const auto* perm = findAttribute(node, "perm");
        return of(first,
                  perm == nullptr ? *rank - 1 - axis : static_cast<std::size_t>(perm->ints(static_cast<int>(axis))));
    }
    if (op == "MatMul") {
        const bool isRow = axis + 1 < *rank && rankOf(node.input(1)) == std::size_t{2};
        return isRow ? of(first, axis) : std::nullopt;
    }
    if (op == "Gemm") {
        return axis == 0 && intAttribute(node, "transA", 0) == 0 ? of(first, 0) : std::nullopt;
    }
    if (op == "Conv" || op == "ConvTranspose" || op == "MaxPool" || op == "AveragePool") {
        return axis == 0 ? of(first, 0) : std::nullopt;
    }
    if (op == "Concat") {
        return axisAt(intAttribute(node, "axis", 0), *rank) != axis ? of(first, axis) : std::nullopt;
    }
    if (op == "Reshape") {
        const bool isZeroItself = intAttribute(node, "allowzero", 0) != 0;
        const auto target = elements(node.input(1));
        if (!target || axis >= target->size()) {
            return std::nullopt;
        }
        const ShapeElement& element = (*target)[axis];
        return element.kind == Kind::Dimension ? std::optional(element)
               : element.kind == Kind::Number && element.number == 0 && !isZeroItself && axis < *rank ? of(first, axis)
                                                                                                      : std::nullopt;
    }
    if (op == "Expand") {
        const auto target = elements(node.input(1));
        if (!target || target->size() < *rank) {
            return std::nullopt;
        }
        const std::size_t added = target->size() - *rank;
        const bool isNew = axis < added || dimOf(first, axis - added) == Dim(1);
        const ShapeElement& element = (*target)[axis];
        return isNew && element.kind != Kind::Number ? std::optional(element) : std::nullopt;
    }
    return std::nullopt;
}

/// Operands of lower rank and of dimension 1 do not matter.
std::optional<ShapeElement> ShapeValues::ofBroadcast(const NodeProto& node, std::size_t axis) const
{
    const auto rank = rankOf(node.output(0));
    std::optional<ShapeElement> found;
    for (const std::string& input : node.input()) {
        const auto own = rankOf(input);
        if (!rank || !own || *own > *rank) {
            return std::nullopt;
        }
        if (axis < *rank - *own) {
            continue;
        }
        const std::size_t at = axis - (*rank - *own);
        if (dimOf(input, at) == Dim(1)) {
            continue;
        }
        const ShapeElement element = dimension(input, at);
        if (found && *found != element) {
            return std::nullopt;
        }
        found = element;
    }
    return found;
}

void ShapeValues::read(const NodeProto& node)
{
    const std::string_view op = node.op_type();
    if (op == "Split") {
        const auto whole =
            node.input_size() > 0 && rankOf(node.input(0)) == std::size_t{1} ? elements(node.input(0)) : std::nullopt;
        std::size_t begin = 0;
        for (const std::string& output : node.output()) {
            const Dim size = dimOf(output, 0);
            if (!whole || !size.isFixed() || begin + static_cast<std::size_t>(size.size) > whole->size()) {
                return;
            }
            const auto from = whole->begin() + static_cast<std::ptrdiff_t>(begin);
            m_composed.emplace(output, ShapeElements(from, from + static_cast<std::ptrdiff_t>(size.size)));
            begin += static_cast<std::size_t>(size.size);
        }
        return;
    }
    if (node.output_size() != 1) {
        return;
    }
    const auto rank = rankOf(node.output(0));
    if (!rank || *rank > 1 || !isIndexType(m_edit.typeOf(node.output(0)).element)) {
        return;
    }
    if (auto found = composed(node); found && found->size() <= lengthLimit) {
        m_composed.emplace(node.output(0), std::move(*found));
    }
}

std::optional<ShapeElements> ShapeValues::composed(const NodeProto& node) const
{
    const std::string_view op = node.op_type();
    if (op == "Shape") {
        const auto rank = rankOf(node.input(0));
        if (!rank) {
            return std::nullopt;
        }
        const auto bound = [&](const char* name, std::size_t fallback) {
            const std::int64_t at = intAttribute(node, name, static_cast<std::int64_t>(fallback));
            const auto size = static_cast<std::int64_t>(*rank);
            return static_cast<std::size_t>(std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size));
        };
        ShapeElements found;
        for (std::size_t i = bound("start", 0); i < bound("end", *rank); ++i) {
            found.push_back(dimension(node.input(0), i));
        }
        return found;
    }
    if (op == "Cast") {
        return casted(node);
    }
    if (op == "Identity" || op == "Squeeze" || op == "Unsqueeze" || op == "Reshape") {
        const auto found = node.input_size() > 0 ? elements(node.input(0)) : std::nullopt;
        const bool isSingle = found && (op == "Identity" || found->size() == 1);
        return isSingle ? found : std::nullopt;
    }
    if (op == "Abs") { // of dimensions and numbers
        auto found = elements(node.input(0));
        for (std::size_t i = 0; found && i < found->size(); ++i) {
            ShapeElement& element = (*found)[i];
            if (element.kind == Kind::Item || element.number == std::numeric_limits<std::int64_t>::min()) {
                return std::nullopt;
            }
            element.number = element.kind == Kind::Number ? std::abs(element.number) : element.number;
        }
        return found;
    }
    if (op == "Concat") {
        ShapeElements joined;
        for (const std::string& input : node.input()) {
            const auto part = elements(input);
            if (!part) {
                return std::nullopt;
            }
            joined.insert(joined.end(), part->begin(), part->end());
        }
        return joined;
    }
    if (op == "Gather") {
        return gathered(node);
    }
    return op == "Slice" ? sliced(node) : std::nullopt;
}

std::optional<ShapeElements> ShapeValues::casted(const NodeProto& node) const
{
    const auto to = static_cast<ElementType>(intAttribute(node, "to", 0));
    auto found = isIndexType(to) ? elements(node.input(0)) : std::nullopt;
    if (!found || to == ElementType::Int64) {
        return found;
    }
    const bool fits = std::all_of(found->begin(), found->end(), [&](const ShapeElement& element) {
        const bool isSmall = element.number >= std::numeric_limits<std::int32_t>::min() &&
                             element.number <= std::numeric_limits<std::int32_t>::max();
        return element.kind == Kind::Dimension || (element.kind == Kind::Number && isSmall) ||
               (element.kind == Kind::Item && m_edit.typeOf(element.value).element == ElementType::Int32);
    });
    return fits ? found : std::nullopt;
}

std::optional<ShapeElements> ShapeValues::gathered(const NodeProto& node) const
{
    const auto from = rankOf(node.input(0)) == std::size_t{1} ? elements(node.input(0)) : std::nullopt;
    const Tensor* indices = m_edit.stored(node.input(1));
    if (!from || indices == nullptr || indices->rank() > 1 ||
        indices->elements() > static_cast<std::int64_t>(lengthLimit)) {
        return std::nullopt;
    }
    const auto size = static_cast<std::int64_t>(from->size());
    ShapeElements found;
    for (const std::int64_t index : indices->toInts()) {
        if (index < -size || index >= size) {
            return std::nullopt;
        }
        found.push_back((*from)[static_cast<std::size_t>(index < 0 ? index + size : index)]);
    }
    return found;
}

std::optional<std::int64_t> ShapeValues::storedInteger(const NodeProto& node, int input, std::int64_t fallback) const
{
    if (inputOf(node, input).empty()) {
        return fallback;
    }
    const Tensor* stored = m_edit.stored(node.input(input));
    const bool isOne = stored != nullptr && isIndexType(stored->type()) && stored->elements() == 1;
    return isOne ? std::optional(stored->toInts().front()) : std::nullopt;
}

std::optional<ShapeElements> ShapeValues::sliced(const NodeProto& node) const
{
    const auto from = rankOf(node.input(0)) == std::size_t{1} ? elements(node.input(0)) : std::nullopt;
    const auto begin = node.input_size() > 2 ? storedInteger(node, 1, 0) : std::nullopt;
    const auto end = node.input_size() > 2 ? storedInteger(node, 2, 0) : std::nullopt;
    if (!from || !begin || !end || storedInteger(node, 4, 1) != 1) {
        return std::nullopt;
    }
    const auto size = static_cast<std::int64_t>(from->size());
    const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    ShapeElements found;
    for (std::int64_t i = place(*begin); i < place(*end); ++i) {
        found.push_back((*from)[static_cast<std::size_t>(i)]);
    }
    return found;
}

} // namespace crosswalk
