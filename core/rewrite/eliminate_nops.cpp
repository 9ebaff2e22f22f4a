#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

constexpr std::int64_t mostNeutral = 65536; ///< elements of a summand or factor that is compared with 0 or 1

/// Whether a cast from `narrow` to `wide` and back is lossless.
bool holds(ElementType wide, ElementType narrow)
{
    if (narrow == ElementType::Bool) {
        return isNumeric(wide);
    }
    const bool isHalf = narrow == ElementType::Float16 || narrow == ElementType::BFloat16;
    return (isHalf && (wide == ElementType::Float32 || wide == ElementType::Float64)) ||
           (narrow == ElementType::Float32 && wide == ElementType::Float64);
}

class NopElimination {
public:
    NopElimination(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            NodeProto& node = *m_edit.graph().mutable_node(i);
            m_edit.update(node);
            if (node.output_size() == 0 || node.input_size() == 0) {
                continue;
            }
            if (isOperator(node, "Mul") || isOperator(node, "Add")) {
                putNumberLast(node);
            } else if (isOperator(node, "Cast")) {
                skipCast(i, node);
            } else if (isOperator(node, "Transpose")) {
                skipTranspose(i, node);
            }
            if (isNop(node)) {
                bypass(i, node.input(0));
            }
        }
        m_edit.dropUnread();
        m_edit.finish();
    }

private:
    /// Whether the node returns its first input unchanged.
    bool isNop(const NodeProto& node) const
    {
        if (!node.domain().empty() || node.input(0).empty()) {
            return false;
        }
        const std::string_view op = node.op_type();
        if (op == "Identity") {
            return true;
        }
        if (op == "Dropout") {
            return isAtInference(node);
        }
        const TensorType from = m_edit.typeOf(node.input(0));
        if (op == "Cast") {
            return from.element == typeAfter(node);
        }
        if (op == "Transpose") {
            const Permutation order = permutationOf(m_edit, node);
            return !order.empty() && std::is_sorted(order.begin(), order.end());
        }
        if (op == "Pad") {
            return isStoredAs(node, 1, [](std::int64_t pad) { return pad == 0; });
        }
        const auto to = m_edit.typeOf(node.output(0)).shape;
        if (op == "Slice") {
            return isWholeSlice(node, from.shape, to);
        }
        if (op == "Reshape" || op == "Flatten" || op == "Expand" || op == "Tile") {
            const bool isSame = from.shape && to && from.shape == to && isFixed(*to);
            return isSame || (op == "Reshape" && from.shape && to && isSameButOne(*from.shape, *to)) ||
                   (op == "Expand" && from.shape && isExpandedToItself(node, *from.shape));
        }
        if (op == "Mul" || op == "Div") {
            return isNeutral(node, 1);
        }
        return (op == "Add" || op == "Sub") && isNeutral(node, 0);
    }

    /// Whether an input is stored and all its numbers pass.
    template <typename Test>
    bool isStoredAs(const NodeProto& node, int input, Test test) const
    {
        const Tensor* stored = inputOf(node, input).empty() ? nullptr : m_edit.stored(node.input(input));
        return stored != nullptr && isNumeric(stored->type()) && std::ranges::all_of(stored->toInts(), test);
    }

    /// Whether a Slice with step 1 takes everything: it keeps the sizes of its axes, or goes from 0 to the largest
    /// integer.
    bool isWholeSlice(const NodeProto& node, const std::optional<Shape>& from, const std::optional<Shape>& to) const
    {
        const bool hasSteps = !inputOf(node, 4).empty();
        if (hasSteps && !isStoredAs(node, 4, [](std::int64_t step) { return step == 1; })) {
            return false;
        }
        const auto keepsSize = [&](std::int64_t axis) {
            const std::size_t at = axisAt(axis, from->size());
            return at < from->size() && (*from)[at].isFixed() && (*from)[at] == (*to)[at];
        };
        constexpr std::int64_t farEnd = std::numeric_limits<std::int32_t>::max();
        return (from && to && from->size() == to->size() && isStoredAs(node, 3, keepsSize)) ||
               (isStoredAs(node, 1, [](std::int64_t start) { return start == 0; }) &&
                isStoredAs(node, 2, [](std::int64_t end) { return end >= farEnd; }));
    }

    /// Whether at most one dimension, the same in both shapes, is not fixed: the number of elements determines it.
    static bool isSameButOne(const Shape& from, const Shape& to)
    {
        if (from.size() != to.size()) {
            return false;
        }
        int open = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (!from[i].isFixed() && !to[i].isFixed()) {
                ++open;
            } else if (!from[i].isFixed() || from[i] != to[i] || from[i] == Dim(0)) {
                return false;
            }
        }
        return open <= 1;
    }

    /// Whether an Expand has a stored shape of ones and of sizes that the input has.
    bool isExpandedToItself(const NodeProto& node, const Shape& from) const
    {
        const Tensor* shape = m_edit.stored(node.input(1));
        if (shape == nullptr || shape->elements() > static_cast<std::int64_t>(from.size())) {
            return false;
        }
        const auto dims = shape->toInts();
        const std::size_t first = from.size() - dims.size();
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (dims[i] != 1 && from[first + i] != Dim(dims[i])) {
                return false;
            }
        }
        return true;
    }

    /// Whether the second operand is stored and changes neither the first nor its shape.
    bool isNeutral(const NodeProto& node, double neutral) const
    {
        const Tensor* stored = node.input_size() == 2 ? m_edit.stored(node.input(1)) : nullptr;
        const auto shape = m_edit.typeOf(node.input(0)).shape;
        if (stored == nullptr || stored->elements() > mostNeutral || !isNumeric(stored->type()) || !shape ||
            stored->rank() > shape->size()) {
            return false;
        }
        const std::size_t first = shape->size() - stored->rank();
        for (std::size_t i = 0; i < stored->rank(); ++i) {
            if (stored->dims()[i] != 1 && (*shape)[first + i] != Dim(stored->dims()[i])) {
                return false;
            }
        }
        return std::ranges::all_of(stored->toDoubles(), [&](double number) { return number == neutral; });
    }

    /// Whether a Dropout does nothing: its mask is unused and its training_mode input is absent or false.
    bool isAtInference(const NodeProto& node) const
    {
        const bool hasMask = node.output_size() > 1 && m_edit.reads(node.output(1)) > 0;
        const Tensor* training = inputOf(node, 2).empty() ? nullptr : m_edit.stored(node.input(2));
        const bool trains = !inputOf(node, 2).empty() &&
                            (training == nullptr || training->elements() != 1 || training->toInts().front() != 0);
        return !hasMask && !trains;
    }

    static ElementType typeAfter(const NodeProto& cast)
    {
        return static_cast<ElementType>(intAttribute(cast, "to", 0));
    }

    /// The producer of the node's input, if it has the same operator.
    std::optional<int> sameBefore(const NodeProto& node) const
    {
        const auto before = m_edit.producer(node.input(0));
        return before && isOperator(m_edit.graph().node(*before), node.op_type()) ? before : std::nullopt;
    }

    void skipCast(int i, NodeProto& node)
    {
        const auto before = sameBefore(node);
        if (before) {
            const NodeProto& inner = m_edit.graph().node(*before);
            // ONNX Runtime casts bfloat16 to integers of 8 bits without its rounding if nothing stands between.
            const ElementType from = m_edit.typeOf(inner.input(0)).element;
            const ElementType to = typeAfter(node);
            const bool isNeeded =
                from == ElementType::BFloat16 && (to == ElementType::Int8 || to == ElementType::UInt8);
            if (!isNeeded && holds(typeAfter(inner), from)) {
                skip(*before, i, node);
            }
        }
    }

    void skipTranspose(int i, NodeProto& node)
    {
        const auto before = sameBefore(node);
        if (!before) {
            return;
        }
        const Permutation first = permutationOf(m_edit, m_edit.graph().node(*before));
        const Permutation second = permutationOf(m_edit, node);
        Permutation both;
        for (const std::int64_t axis : second) {
            if (axis < 0 || static_cast<std::size_t>(axis) >= first.size()) {
                return;
            }
            both.push_back(first[static_cast<std::size_t>(axis)]);
        }
        const bool isSingle = m_edit.reads(node.input(0)) == 1;
        if (both.empty() || !(isSingle || std::is_sorted(both.begin(), both.end()))) {
            return; // merging would not reduce the number of nodes
        }
        skip(*before, i, node);
        node.clear_attribute();
        addInts(node, "perm", both);
    }

    /// x is not changed by 0 + x and 1 * x either.
    void putNumberLast(NodeProto& node)
    {
        const Tensor* number = node.input_size() == 2 ? m_edit.stored(node.input(0)) : nullptr;
        if (number == nullptr || number->elements() > mostNeutral || m_edit.stored(node.input(1)) != nullptr) {
            return;
        }
        const NodeProto before = node;
        node.mutable_input()->SwapElements(0, 1);
        if (!isNop(node)) {
            node = before;
        }
    }

    /// Makes the node read the input of its producer, and removes the producer if it has no other consumer.
    void skip(int before, int i, NodeProto& node)
    {
        const bool isSingle = m_edit.reads(node.input(0)) == 1;
        node.set_input(0, m_edit.graph().node(before).input(0));
        if (isSingle) {
            m_edit.merge(before, i);
        } else {
            m_gained.insert(node.input(0));
        }
    }

    void bypass(int i, const std::string& input)
    {
        const std::string& output = m_edit.graph().node(i).output(0);
        if (m_edit.isReplaceable(output)) {
            m_edit.replaceReads(output, input);
            m_edit.drop(i);
            if (m_edit.reads(output) > 1 || m_gained.contains(output)) {
                m_gained.insert(input);
            }
        } else if (const auto producer = m_edit.producer(input);
                   producer && m_edit.reads(input) == 1 && !m_gained.contains(input) && m_edit.isReplaceable(input)) {
            auto& outputs = *m_edit.graph().mutable_node(*producer)->mutable_output();
            std::replace(outputs.begin(), outputs.end(), input, output);
            m_edit.merge(i, *producer);
        }
    }

    GraphEdit m_edit;
    std::unordered_set<std::string> m_gained; ///< values with reads that the index does not count
};

} // namespace

void eliminateNops(RewrittenModel model, const NodeNames& names)
{
    NopElimination(model, names).run();
}

} // namespace crosswalk
