#include "core/rewrite/permuted_node.h"

#include "core/onnx/node.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// How the axes of an operator's operands correspond.
enum class NodeKind : std::uint8_t {
    Elementwise, ///< operands are broadcast to the shape of the result
    OnAxis,      ///< attribute `axis` counts axes of the first operand
    Reduction,   ///< axes in an attribute or in input 1, which the result keeps or drops
    ArgExtreme,  ///< attribute `axis`, which the result keeps or drops
    CumSum,      ///< axis in input 1
    Pad,
    Slice,
    Tile,
    Expand,
    Gather,
    Squeeze,
    Unsqueeze,
    MatMul,
    LayerNormalization,
    Reshape,
};

const std::map<std::string_view, NodeKind>& kinds()
{
    static const auto table = [] {
        std::map<std::string_view, NodeKind> found;
        const auto add = [&](NodeKind kind, std::initializer_list<std::string_view> ops) {
            for (const std::string_view op : ops) {
                found.emplace(op, kind);
            }
        };
        add(NodeKind::Elementwise, {"Abs",
                                    "Acos",
                                    "Acosh",
                                    "Add",
                                    "And",
                                    "Asin",
                                    "Asinh",
                                    "Atan",
                                    "Atanh",
                                    "BitShift",
                                    "BitwiseAnd",
                                    "BitwiseNot",
                                    "BitwiseOr",
                                    "BitwiseXor",
                                    "Cast",
                                    "Ceil",
                                    "Celu",
                                    "Clip",
                                    "Cos",
                                    "Cosh",
                                    "Div",
                                    "Elu",
                                    "Equal",
                                    "Erf",
                                    "Exp",
                                    "Floor",
                                    "Gelu",
                                    "Greater",
                                    "GreaterOrEqual",
                                    "HardSigmoid",
                                    "HardSwish",
                                    "Identity",
                                    "IsInf",
                                    "IsNaN",
                                    "LeakyRelu",
                                    "Less",
                                    "LessOrEqual",
                                    "Log",
                                    "Max",
                                    "Mean",
                                    "Min",
                                    "Mish",
                                    "Mod",
                                    "Mul",
                                    "Neg",
                                    "Not",
                                    "Or",
                                    "PRelu",
                                    "Pow",
                                    "Reciprocal",
                                    "Relu",
                                    "Round",
                                    "Selu",
                                    "Shrink",
                                    "Sigmoid",
                                    "Sign",
                                    "Sin",
                                    "Sinh",
                                    "Softplus",
                                    "Softsign",
                                    "Sqrt",
                                    "Sub",
                                    "Sum",
                                    "Tan",
                                    "Tanh",
                                    "ThresholdedRelu",
                                    "Where",
                                    "Xor"});
        add(NodeKind::OnAxis, {"Concat", "Hardmax", "LogSoftmax", "LpNormalization", "Softmax", "Split", "TopK"});
        add(NodeKind::Reduction, {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
                                  "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"});
        add(NodeKind::ArgExtreme, {"ArgMax", "ArgMin"});
        add(NodeKind::CumSum, {"CumSum"});
        add(NodeKind::Pad, {"Pad"});
        add(NodeKind::Slice, {"Slice"});
        add(NodeKind::Tile, {"Tile"});
        add(NodeKind::Expand, {"Expand"});
        add(NodeKind::Gather, {"Gather"});
        add(NodeKind::Squeeze, {"Squeeze"});
        add(NodeKind::Unsqueeze, {"Unsqueeze"});
        add(NodeKind::MatMul, {"MatMul"});
        add(NodeKind::LayerNormalization, {"LayerNormalization"});
        add(NodeKind::Reshape, {"Reshape"});
        return found;
    }();
    return table;
}

std::optional<NodeKind> kindOf(const NodeProto& node)
{
    const auto entry = kinds().find(node.op_type());
    return !node.domain().empty() || entry == kinds().end() ? std::nullopt : std::optional(entry->second);
}

/// Softmax and its relatives flatten all axes from `axis` on below opset 13.
constexpr int firstSoftmaxOnAxis = 13;
/// Larger stored operands with other consumers are not stored a second time.
constexpr std::uint64_t copyLimit = 1024;

class NodePermutation {
public:
    NodePermutation(const GraphEdit& edit, const NodeProto& node, const Permutation& permutation)
        : m_edit(edit)
        , m_node(node)
        , m_permutation(permutation)
        , m_inverse(inverse(permutation))
        , m_rank(permutation.size())
    {
    }

    std::optional<PermutedPorts> ports(NodeKind kind) const
    {
        switch (kind) {
        case NodeKind::Elementwise:
            return elementwise();
        case NodeKind::OnAxis:
            return onAxis();
        case NodeKind::Reduction: {
            const auto axes = reducedAxes();
            return axes ? reduced(*axes) : std::nullopt;
        }
        case NodeKind::ArgExtreme:
            return reduced({intAttribute(m_node, "axis", 0)});
        case NodeKind::CumSum:
        case NodeKind::Tile:
            return storedInts(1) ? through() : std::nullopt;
        case NodeKind::Pad: {
            const auto pads = storedInts(1);
            const bool hasAxes = !inputOf(m_node, 3).empty();
            const bool isKnown = hasAxes ? storedInts(3).has_value() : pads && pads->size() == 2 * m_rank;
            return isKnown ? through() : std::nullopt;
        }
        case NodeKind::Slice:
            return slicedAxes() ? through() : std::nullopt;
        case NodeKind::Expand: {
            const auto shape = storedInts(1);
            return shape && shape->size() <= m_rank ? through() : std::nullopt;
        }
        case NodeKind::Gather:
            return gather();
        case NodeKind::Squeeze: {
            const auto axes = axesOf(1);
            return axes && !axes->empty() && isPermuted(m_node.input(0)) && keepsOrder(*axes)
                       ? std::optional(PermutedPorts{{0}, {}})
                       : std::nullopt;
        }
        case NodeKind::Unsqueeze: {
            const auto axes = axesOf(1);
            return axes && isPermuted(m_node.output(0)) && keepsOrder(*axes) ? std::optional(PermutedPorts{{}, {0}})
                                                                             : std::nullopt;
        }
        case NodeKind::MatMul:
            return matMul();
        case NodeKind::LayerNormalization: {
            const std::size_t axis = axisAt(intAttribute(m_node, "axis", -1), m_rank);
            const auto isWithin = [&](int operand) { // ONNX Runtime accepts a scale of more axes
                const std::string name = inputOf(m_node, operand);
                const Tensor* stored = name.empty() ? nullptr : m_edit.stored(name);
                const auto shape = m_edit.typeOf(name).shape;
                return name.empty() || (stored != nullptr ? stored->rank()
                                        : shape           ? shape->size()
                                                          : m_rank) <= m_rank - axis;
            };
            return m_node.output_size() == 1 && keepsFrom(axis) && isWithin(1) && isWithin(2) ? through()
                                                                                              : std::nullopt;
        }
        case NodeKind::Reshape:
            return reshape();
        }
        return std::nullopt;
    }

    std::int64_t placeOf(std::int64_t axis) const { return m_inverse[axisAt(axis, m_rank)]; }

    std::optional<Ints> storedInts(int input) const
    {
        const Tensor* stored = inputOf(m_node, input).empty() ? nullptr : m_edit.stored(m_node.input(input));
        const bool isIndex =
            stored != nullptr && (stored->type() == ElementType::Int64 || stored->type() == ElementType::Int32);
        return isIndex ? std::optional(stored->toInts()) : std::nullopt;
    }

    /// The axes of a node that has them in an attribute or in an input; empty where it has neither.
    std::optional<Ints> axesOf(int input) const
    {
        if (const auto* axes = findAttribute(m_node, "axes")) {
            return Ints(axes->ints().begin(), axes->ints().end());
        }
        return inputOf(m_node, input).empty() ? std::optional(Ints()) : storedInts(input);
    }

    std::optional<Ints> slicedAxes() const
    {
        if (!inputOf(m_node, 3).empty()) {
            return storedInts(3);
        }
        const std::string begin = inputOf(m_node, 1);
        const Tensor* stored = begin.empty() ? nullptr : m_edit.stored(begin);
        const auto starts = stored != nullptr ? std::optional(shapeOf(stored->dims())) : m_edit.typeOf(begin).shape;
        if (!starts || starts->size() != 1 || !starts->front().isFixed() ||
            starts->front().size > static_cast<std::int64_t>(m_rank)) {
            return std::nullopt;
        }
        Ints axes(static_cast<std::size_t>(starts->front().size));
        std::iota(axes.begin(), axes.end(), 0);
        return axes;
    }

private:
    bool isPermuted(const std::string& name) const
    {
        const auto shape = m_edit.typeOf(name).shape;
        return shape && shape->size() == m_rank && m_edit.stored(name) == nullptr;
    }

    bool hasOneElement(const std::string& name) const
    {
        const auto shape = m_edit.typeOf(name).shape;
        return shape && std::all_of(shape->begin(), shape->end(), [](const Dim& dim) { return dim == Dim(1); });
    }

    bool isCopyable(const std::string& name, const Tensor& stored) const
    {
        return stored.type() != ElementType::String && byteSize(stored.type()) > 0 && stored.rank() <= m_rank &&
               (stored.bytes() <= copyLimit || m_edit.reads(name) == 1);
    }

    std::optional<PermutedPorts> elementwise() const
    {
        PermutedPorts ports;
        for (int i = 0; i < m_node.input_size(); ++i) {
            const std::string& name = m_node.input(i);
            if (name.empty()) {
                continue;
            }
            if (const Tensor* stored = m_edit.stored(name)) {
                if (stored->elements() != 1 && !isCopyable(name, *stored)) {
                    return std::nullopt;
                }
                if (stored->elements() == 1 && stored->rank() > m_rank) {
                    return std::nullopt;
                }
            } else if (isPermuted(name)) {
                ports.inputs.push_back(i);
            } else if (const auto shape = m_edit.typeOf(name).shape;
                       !shape || shape->size() > m_rank || !hasOneElement(name)) {
                return std::nullopt;
            }
        }
        if (m_node.output_size() != 1 || !isPermuted(m_node.output(0)) || ports.inputs.empty()) {
            return std::nullopt;
        }
        ports.outputs.push_back(0);
        return ports;
    }

    /// First operand and all results.
    std::optional<PermutedPorts> through() const
    {
        PermutedPorts ports{{0}, {}};
        for (int i = 0; i < m_node.output_size(); ++i) {
            if (m_node.output(i).empty()) {
                continue;
            }
            if (!isPermuted(m_node.output(i))) {
                return std::nullopt;
            }
            ports.outputs.push_back(i);
        }
        return isPermuted(m_node.input(0)) ? std::optional(ports) : std::nullopt;
    }

    std::optional<PermutedPorts> onAxis() const
    {
        const std::string_view op = m_node.op_type();
        if (op != "Concat") {
            const bool isAxis = op == "Split" || op == "TopK" || op == "LpNormalization";
            return isAxis || m_edit.opset() >= firstSoftmaxOnAxis ? through() : std::nullopt;
        }
        PermutedPorts ports{{}, {0}};
        for (int i = 0; i < m_node.input_size(); ++i) {
            const std::string& name = m_node.input(i);
            if (isPermuted(name)) {
                ports.inputs.push_back(i);
                continue;
            }
            const Tensor* stored = m_edit.stored(name);
            if (stored == nullptr || stored->rank() != m_rank || !isCopyable(name, *stored)) {
                return std::nullopt;
            }
        }
        return !ports.inputs.empty() && isPermuted(m_node.output(0)) ? std::optional(ports) : std::nullopt;
    }

    std::optional<Ints> reducedAxes() const
    {
        if (intAttribute(m_node, "noop_with_empty_axes", 0) != 0 && axesOf(1) == Ints()) {
            return std::nullopt;
        }
        auto axes = axesOf(1);
        if (axes && axes->empty()) {
            axes->resize(m_rank);
            std::iota(axes->begin(), axes->end(), 0);
        }
        return axes;
    }

    std::optional<PermutedPorts> reduced(const Ints& axes) const
    {
        if (intAttribute(m_node, "keepdims", 1) == 1) {
            return through();
        }
        return isPermuted(m_node.input(0)) && keepsOrder(axes) ? std::optional(PermutedPorts{{0}, {}}) : std::nullopt;
    }

    std::optional<PermutedPorts> gather() const
    {
        const auto indices = m_edit.typeOf(m_node.input(1)).shape;
        const Tensor* stored = m_edit.stored(m_node.input(1));
        const std::size_t rank = stored != nullptr ? stored->rank() : indices ? indices->size() : m_rank;
        if (rank == 1) {
            return through();
        }
        const bool drops = rank == 0 && isPermuted(m_node.input(0)) && keepsOrder({intAttribute(m_node, "axis", 0)});
        return drops ? std::optional(PermutedPorts{{0}, {}}) : std::nullopt;
    }

    std::optional<PermutedPorts> matMul() const
    {
        if (!keepsFrom(m_rank - 1) || !isPermuted(m_node.output(0)) || !isPermuted(m_node.input(0)) || m_rank < 3) {
            return std::nullopt;
        }
        PermutedPorts ports{{0}, {0}};
        const Tensor* stored = m_edit.stored(m_node.input(1));
        const auto shape = m_edit.typeOf(m_node.input(1)).shape;
        const std::size_t rank = stored != nullptr ? stored->rank() : shape ? shape->size() : 0;
        if (rank == 2) { // the rows of the first operand are independent
            return ports;
        }
        if (rank != m_rank || stored != nullptr || !keepsFrom(m_rank - 2)) {
            return std::nullopt;
        }
        ports.inputs.push_back(1);
        return ports;
    }

    /// A Reshape that only adds or drops dimensions of size one on the permuted side.
    std::optional<PermutedPorts> reshape() const
    {
        const auto target = storedInts(1);
        if (!target || std::count(target->begin(), target->end(), 0) > 0) {
            return std::nullopt;
        }
        if (isPermuted(m_node.input(0)) && isMoveOfOnes(m_node.input(0))) {
            return PermutedPorts{{0}, {}};
        }
        if (target->size() == m_rank && isPermuted(m_node.output(0)) && isMoveOfOnes(m_node.output(0))) {
            return PermutedPorts{{}, {0}};
        }
        return std::nullopt;
    }

    /// Whether the permutation keeps the order of all dimensions other than 1.
    bool isMoveOfOnes(const std::string& name) const
    {
        const Shape shape = m_edit.typeOf(name).shape.value_or(Shape());
        Ints ones;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i] == Dim(1)) {
                ones.push_back(static_cast<std::int64_t>(i));
            }
        }
        return keepsOrder(ones);
    }

    /// Whether the permutation keeps the order of all axes other than these.
    bool keepsOrder(const Ints& dropped) const
    {
        std::vector<bool> isDropped(m_rank, false);
        for (const std::int64_t axis : dropped) {
            const std::size_t at = axisAt(axis, m_rank);
            if (at >= m_rank) {
                return false;
            }
            isDropped[at] = true;
        }
        Ints rest;
        std::copy_if(m_permutation.begin(), m_permutation.end(), std::back_inserter(rest),
                     [&](std::int64_t axis) { return !isDropped[static_cast<std::size_t>(axis)]; });
        return std::is_sorted(rest.begin(), rest.end());
    }

    /// Whether the permutation keeps the axes from `axis` on in place.
    bool keepsFrom(std::size_t axis) const
    {
        for (std::size_t i = axis; i < m_rank; ++i) {
            if (m_permutation[i] != static_cast<std::int64_t>(i)) {
                return false;
            }
        }
        return true;
    }

    const GraphEdit& m_edit;
    const NodeProto& m_node;
    const Permutation& m_permutation;
    Permutation m_inverse;
    std::size_t m_rank;
};

Ints permuted(std::span<const std::int64_t> values, const Permutation& permutation)
{
    Ints result;
    for (const std::int64_t axis : permutation) {
        result.push_back(values[static_cast<std::size_t>(axis)]);
    }
    return result;
}

void setAxis(NodeProto& node, std::int64_t axis)
{
    if (auto* attribute = findAttribute(node, "axis")) {
        attribute->set_i(axis);
    } else {
        addInt(node, "axis", axis);
    }
}

/// Stores integers for an input of the node, which may be omitted so far.
void setInts(GraphEdit& edit, NodeProto& node, int input, const char* role, const Tensor& values)
{
    while (node.input_size() <= input) {
        node.add_input();
    }
    node.set_input(input, edit.addWeight(labelOf(node) + "/" + role, values));
}

void setAxes(GraphEdit& edit, NodeProto& node, int input, const Ints& axes)
{
    if (auto* attribute = findAttribute(node, "axes")) {
        attribute->mutable_ints()->Assign(axes.begin(), axes.end());
    } else {
        setInts(edit, node, input, "axes", Tensor::ints(axes));
    }
}

/// Permutes a stored operand that is broadcast.
void permuteStored(GraphEdit& edit, NodeProto& node, int input, const Permutation& permutation)
{
    const Tensor* stored = edit.stored(node.input(input));
    if (stored == nullptr || stored->elements() == 1) {
        return;
    }
    Ints dims = stored->dims();
    dims.insert(dims.begin(), permutation.size() - dims.size(), 1);
    const Tensor moved = stored->reshaped(dims).transposed(permutation);
    node.set_input(input, edit.addWeight(node.input(input) + "/transposed", moved));
}

} // namespace

Permutation inverse(const Permutation& permutation)
{
    Permutation result(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        result[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    }
    return result;
}

Permutation permutationOf(const GraphEdit& edit, const NodeProto& transpose)
{
    if (const auto* given = findAttribute(transpose, "perm")) {
        Permutation order(given->ints().begin(), given->ints().end());
        return isPermutation(order) ? order : Permutation();
    }
    const auto shape = edit.typeOf(transpose.input(0)).shape;
    Permutation reversed(shape ? shape->size() : 0);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return reversed;
}

std::optional<PermutedPorts> permutedPorts(const GraphEdit& edit, const NodeProto& node, const Permutation& permutation)
{
    const auto kind = kindOf(node);
    return kind ? NodePermutation(edit, node, permutation).ports(*kind) : std::nullopt;
}

void permuteNode(GraphEdit& edit, NodeProto& node, const Permutation& permutation)
{
    const auto kind = kindOf(node);
    assert(kind);
    const NodePermutation how(edit, node, permutation);
    const auto places = [&](const Ints& axes) {
        Ints moved;
        std::transform(axes.begin(), axes.end(), std::back_inserter(moved),
                       [&](std::int64_t axis) { return how.placeOf(axis); });
        return moved;
    };
    switch (*kind) {
    case NodeKind::Elementwise:
        for (int i = 0; i < node.input_size(); ++i) {
            permuteStored(edit, node, i, permutation);
        }
        break;
    case NodeKind::OnAxis:
        if (node.op_type() == "Concat") {
            for (int i = 0; i < node.input_size(); ++i) {
                permuteStored(edit, node, i, permutation);
            }
        }
        setAxis(node, how.placeOf(intAttribute(node, "axis", node.op_type() == "Split" ? 0 : -1)));
        break;
    case NodeKind::ArgExtreme:
    case NodeKind::Gather:
        setAxis(node, how.placeOf(intAttribute(node, "axis", 0)));
        break;
    case NodeKind::Reduction:
        if (const auto axes = how.axesOf(1); axes && !axes->empty()) {
            setAxes(edit, node, 1, places(*axes));
        }
        break;
    case NodeKind::Squeeze:
    case NodeKind::Unsqueeze: {
        Ints axes = places(*how.axesOf(1));
        std::sort(axes.begin(), axes.end());
        setAxes(edit, node, 1, axes);
        break;
    }
    case NodeKind::CumSum: {
        const Tensor* stored = edit.stored(node.input(1));
        setInts(edit, node, 1, "axis",
                Tensor::ints(places(*how.storedInts(1))).converted(stored->type()).reshaped(stored->dims()));
        break;
    }
    case NodeKind::Pad: {
        if (!inputOf(node, 3).empty()) {
            setAxes(edit, node, 3, places(*how.storedInts(3)));
            break;
        }
        const Ints pads = *how.storedInts(1);
        const std::span<const std::int64_t> all(pads);
        Ints moved = permuted(all.first(permutation.size()), permutation);
        const Ints end = permuted(all.last(permutation.size()), permutation);
        moved.insert(moved.end(), end.begin(), end.end());
        setInts(edit, node, 1, "pads", Tensor::ints(moved));
        break;
    }
    case NodeKind::Slice: {
        const Tensor* starts = edit.stored(node.input(1));
        const ElementType type = starts != nullptr ? starts->type() : edit.typeOf(node.input(1)).element;
        const Tensor axes = Tensor::ints(places(*how.slicedAxes()));
        setInts(edit, node, 3, "axes", type == ElementType::Int32 ? axes.converted(type) : axes);
        break;
    }
    case NodeKind::Tile:
        setInts(edit, node, 1, "repeats", Tensor::ints(permuted(*how.storedInts(1), permutation)));
        break;
    case NodeKind::Expand: {
        Ints shape = *how.storedInts(1);
        shape.insert(shape.begin(), permutation.size() - shape.size(), 1);
        setInts(edit, node, 1, "shape", Tensor::ints(permuted(shape, permutation)));
        break;
    }
    case NodeKind::Reshape: {
        const auto ports = how.ports(NodeKind::Reshape);
        assert(ports);
        if (!ports->outputs.empty()) {
            setInts(edit, node, 1, "shape", Tensor::ints(permuted(*how.storedInts(1), permutation)));
        }
        break;
    }
    case NodeKind::MatMul:
    case NodeKind::LayerNormalization:
        break;
    }
}

} // namespace crosswalk
