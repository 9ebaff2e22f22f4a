#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The inputs of LSTM, GRU and RNN.
struct LayerInput {
    enum : int { Sequence, InputWeights, RecurrentWeights, Bias, Lengths, InitialH, InitialC, Peepholes };
};

/// The first opset in which the sizes of the parts of Split are an input.
constexpr int firstSplitSizes = 13;

bool isRecurrent(const NodeProto& node)
{
    return isOperator(node, "LSTM") || isOperator(node, "GRU") || isOperator(node, "RNN");
}

std::string directionOf(const NodeProto& node)
{
    const auto* direction = findAttribute(node, "direction");
    return direction == nullptr ? "forward" : direction->s();
}

void setDirection(NodeProto& node, const std::string& direction)
{
    auto* attribute = findAttribute(node, "direction");
    if (attribute == nullptr) {
        attribute = node.add_attribute();
        attribute->set_name("direction");
        attribute->set_type(::onnx::AttributeProto::STRING);
    }
    attribute->set_s(direction);
}

bool hasResult(const NodeProto& node, int index)
{
    return index < node.output_size() && !node.output(index).empty();
}

/// What a node reverses in time.
struct Reversal {
    int node = 0;
    std::int64_t axis = 0;
    std::string lengths; ///< of the samples, each of which is reversed in itself; empty: all steps are
};

/// Changes one layer, or joins two, of one graph.
class DirectionMerging {
public:
    DirectionMerging(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
        for (int i = 0; i < graph().node_size(); ++i) {
            forEachRead(graph().node(i), [&](const std::string& name) { m_readers[name].push_back(i); });
            if (isRecurrent(graph().node(i)) && directionOf(graph().node(i)) != "bidirectional") {
                m_layers[sourceOf(graph().node(i).input(LayerInput::Sequence))].push_back(i);
            }
        }
    }

    /// Whether something was changed.
    bool run()
    {
        const bool isChanged = std::any_of(m_layers.begin(), m_layers.end(),
                                           [this](const auto& group) { return changeOneOf(group.second); });
        m_edit.finish();
        return isChanged;
    }

private:
    const ::onnx::GraphProto& graph() const { return m_edit.graph(); }

    /// Changes a layer or joins a pair of the layers over one sequence; false if there is nothing to change.
    bool changeOneOf(const std::vector<int>& layers)
    {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            if (turn(layers[i])) {
                return true;
            }
            for (std::size_t k = i + 1; k < layers.size(); ++k) {
                if (join(layers[i], layers[k])) {
                    return true;
                }
            }
        }
        return false;
    }

    /// What a sequence is a transposed or converted form of.
    std::string sourceOf(std::string value) const
    {
        const NodeProto* node = producerOf(value);
        while (node != nullptr && (swapsBatchAndTime(*node) || isOperator(*node, "Cast"))) {
            value = node->input(0);
            node = producerOf(value);
        }
        return value;
    }

    const NodeProto* producerOf(const std::string& value) const
    {
        const auto index = value.empty() ? std::nullopt : m_edit.producer(value);
        return index ? &graph().node(*index) : nullptr;
    }

    /// The numbers of a small stored value; nothing for other values.
    Ints numbersOf(const std::string& value) const
    {
        const Tensor* stored = value.empty() ? nullptr : m_edit.stored(value);
        return stored != nullptr && stored->elements() <= 4 && isInteger(stored->type()) ? stored->toInts() : Ints();
    }

    // The lengths of samples.

    /// Whether a value is the number of steps of a sequence (time, ...).
    bool isStepCount(const std::string& value, const std::string& sequence) const
    {
        const auto numbers = numbersOf(value);
        if (!numbers.empty()) {
            const auto shape = m_edit.typeOf(sequence).shape;
            return numbers.size() == 1 && shape && !shape->empty() && shape->front() == Dim(numbers.front());
        }
        const NodeProto* node = producerOf(value);
        while (node != nullptr && (isOperator(*node, "Cast") || isOperator(*node, "Squeeze"))) {
            node = producerOf(node->input(0));
        }
        return node != nullptr && isOperator(*node, "Shape") && node->input(0) == sequence &&
               intAttribute(*node, "start", 0) == 0 && intAttribute(*node, "end", 0) == 1;
    }

    /// The lengths as they are given, before they are converted and limited to the steps of the sequence. A length that
    /// is not within these limits cannot be reversed.
    std::string givenLengths(std::string value, const std::string& sequence) const
    {
        for (;;) {
            const NodeProto* node = producerOf(value);
            const bool isLimited = node != nullptr && isOperator(*node, "Clip") && node->input_size() == 3 &&
                                   numbersOf(node->input(1)) == Ints{0} && isStepCount(node->input(2), sequence);
            if (!isLimited && (node == nullptr || !isOperator(*node, "Cast"))) {
                return value;
            }
            value = node->input(0);
        }
    }

    /// Whether two layers or reversals have the same lengths: one value, or stored ones of the same numbers.
    bool areEqualLengths(const std::string& a, const std::string& b) const
    {
        constexpr std::int64_t limit = 1 << 16U;
        const Tensor* one = a == b || a.empty() ? nullptr : m_edit.stored(a);
        const Tensor* two = one == nullptr || b.empty() ? nullptr : m_edit.stored(b);
        return a == b || (two != nullptr && isInteger(one->type()) && isInteger(two->type()) &&
                          one->dims() == two->dims() && one->elements() <= limit && one->toInts() == two->toInts());
    }

    // Reversals.

    std::optional<Reversal> reversalOf(int index) const
    {
        const NodeProto& node = graph().node(index);
        if (isOperator(node, "ReverseSequence")) {
            const std::int64_t axis = intAttribute(node, "time_axis", 0);
            return intAttribute(node, "batch_axis", 1) == 1 - axis
                       ? std::optional(Reversal{index, axis, givenLengths(node.input(1), node.input(0))})
                       : std::nullopt;
        }
        if (!isOperator(node, "Slice") || node.input_size() != 5) {
            return std::nullopt;
        }
        const auto axes = numbersOf(node.input(3));
        const auto ends = numbersOf(node.input(2));
        const Ints last{-1};
        const bool isReversal = numbersOf(node.input(1)) == last && numbersOf(node.input(4)) == last &&
                                axes.size() == 1 && axes[0] >= 0 && ends.size() == 1 &&
                                ends[0] <= std::numeric_limits<std::int32_t>::min();
        return isReversal ? std::optional(Reversal{index, axes[0], {}}) : std::nullopt;
    }

    bool swapsBatchAndTime(const NodeProto& node) const
    {
        return isOperator(node, "Transpose") && permutationOf(m_edit, node) == Permutation{1, 0, 2};
    }

    bool dropsDirection(const NodeProto& node) const
    {
        if (!isOperator(node, "Squeeze")) {
            return false;
        }
        const auto* axes = findAttribute(node, "axes");
        if (axes != nullptr) {
            return axes->ints_size() == 1 && axes->ints(0) == 1;
        }
        return numbersOf(inputOf(node, 1)) == Ints{1};
    }

    /// Makes a layer read a sequence itself instead of reversing it, and its results from the last step to the first.
    bool turn(int index)
    {
        NodeProto& layer = *m_edit.graph().mutable_node(index);
        const std::string direction = directionOf(layer);
        if (intAttribute(layer, "layout", 0) != 0) {
            return false;
        }
        std::vector<int> path; // from the layer back to the reversal
        std::string value = layer.input(LayerInput::Sequence);
        std::int64_t time = 0;
        std::optional<Reversal> reversal;
        for (auto node = m_edit.producer(value); node && !reversal; node = m_edit.producer(value)) {
            const NodeProto& each = graph().node(*node);
            reversal = reversalOf(*node);
            if (!reversal && !swapsBatchAndTime(each) && !isOperator(each, "Cast") && !isOperator(each, "Identity")) {
                return false;
            }
            if (!reversal) {
                time = swapsBatchAndTime(each) ? 1 - time : time;
                path.push_back(*node);
            }
            value = each.input(0);
        }
        const std::string lengths =
            givenLengths(inputOf(layer, LayerInput::Lengths), layer.input(LayerInput::Sequence));
        std::vector<int> ends;
        if (!reversal || reversal->axis != time || !areEqualLengths(reversal->lengths, lengths) ||
            (hasResult(layer, 0) && !findReversals(layer.output(0), lengths, ends))) {
            return false;
        }
        readShapesOf(graph().node(reversal->node).output(0), value);
        for (auto step = path.rbegin(); step != path.rend(); ++step) {
            NodeProto copy = graph().node(*step);
            copy.set_input(0, value);
            value = m_edit.newValue(copy.output(0), m_edit.typeOf(copy.output(0)));
            copy.set_output(0, value);
            m_edit.insert(*step, copy, {*step});
            readShapesOf(graph().node(*step).output(0), value);
        }
        layer.set_input(LayerInput::Sequence, value);
        setDirection(layer, direction == "forward" ? "reverse" : "forward");
        for (const int end : ends) {
            NodeProto& node = *m_edit.graph().mutable_node(end);
            if (m_edit.isReplaceable(node.output(0))) {
                m_edit.replaceReads(node.output(0), node.input(0));
                m_edit.merge(end, index);
            } else {
                node.set_op_type("Identity");
                node.clear_attribute();
                const std::string operand = node.input(0);
                node.clear_input();
                node.add_input(operand);
            }
        }
        return true;
    }

    /// Shapes of a reversed value are those of the other one.
    void readShapesOf(const std::string& reversed, const std::string& other)
    {
        for (const int reader : m_readers[reversed]) {
            if (isOperator(graph().node(reader), "Shape")) {
                m_edit.graph().mutable_node(reader)->set_input(0, other);
            }
        }
    }

    /// The nodes that reverse the steps of a result (time, 1, batch, width) again, if nothing else reads it.
    bool findReversals(const std::string& result, const std::string& lengths, std::vector<int>& ends) const
    {
        struct Part {
            std::string value;
            std::int64_t time;
            bool hasDirection;
        };
        std::vector<Part> parts{{result, 0, true}};
        while (!parts.empty()) {
            const Part part = parts.back();
            parts.pop_back();
            if (!m_edit.isReplaceable(part.value)) {
                return false;
            }
            const auto readers = m_readers.find(part.value);
            for (const int reader : readers == m_readers.end() ? std::vector<int>() : readers->second) {
                const NodeProto& node = graph().node(reader);
                const auto reversal = part.hasDirection ? std::nullopt : reversalOf(reader);
                if (reversal && reversal->axis == part.time && areEqualLengths(reversal->lengths, lengths)) {
                    ends.push_back(reader);
                } else if (isOperator(node, "Cast") || isOperator(node, "Identity")) {
                    parts.push_back({node.output(0), part.time, part.hasDirection});
                } else if (part.hasDirection && dropsDirection(node)) {
                    parts.push_back({node.output(0), part.time, false});
                } else if (!part.hasDirection && swapsBatchAndTime(node)) {
                    parts.push_back({node.output(0), 1 - part.time, false});
                } else {
                    return false;
                }
            }
        }
        return true;
    }

    // The two directions of one layer.

    /// Whether two values are equal: they are computed alike from the same value.
    bool areEqual(const std::string& a, const std::string& b, int depth = 4) const
    {
        if (a == b) {
            return true;
        }
        const NodeProto* first = producerOf(a);
        const NodeProto* second = producerOf(b);
        if (depth == 0 || first == nullptr || second == nullptr || first->op_type() != second->op_type() ||
            first->attribute_size() != second->attribute_size() || first->input_size() != 1 ||
            second->input_size() != 1 || (!swapsBatchAndTime(*first) && !isOperator(*first, "Cast"))) {
            return false;
        }
        for (int i = 0; i < first->attribute_size(); ++i) {
            if (first->attribute(i).SerializeAsString() != second->attribute(i).SerializeAsString()) {
                return false;
            }
        }
        return areEqual(first->input(0), second->input(0), depth - 1);
    }

    /// Whether two layers have the same settings. Their activations may differ, unless these have parameters.
    static bool haveEqualSettings(const NodeProto& a, const NodeProto& b)
    {
        std::set<std::string> seen{"direction", "activations"};
        bool areEqual = a.op_type() == b.op_type();
        bool haveParameters = false;
        for (const auto* node : {&a, &b}) {
            for (const auto& attribute : node->attribute()) {
                const auto* first = findAttribute(a, attribute.name());
                const auto* second = findAttribute(b, attribute.name());
                haveParameters = haveParameters || attribute.name().starts_with("activation_");
                areEqual = areEqual && (seen.contains(attribute.name()) ||
                                        (first != nullptr && second != nullptr &&
                                         first->SerializeAsString() == second->SerializeAsString()));
            }
        }
        return areEqual && (!haveParameters || activationsOf(a) == activationsOf(b));
    }

    static std::vector<std::string> activationsOf(const NodeProto& node)
    {
        if (const auto* given = findAttribute(node, "activations")) {
            return {given->strings().begin(), given->strings().end()};
        }
        return isOperator(node, "LSTM")  ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
               : isOperator(node, "GRU") ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                         : std::vector<std::string>{"Tanh"};
    }

    /// Joins two layers of opposite directions over the same sequence. The joint one replaces the first.
    bool join(int first, int second)
    {
        NodeProto& layer = *m_edit.graph().mutable_node(first);
        const NodeProto other = graph().node(second);
        const bool isForward = directionOf(layer) == "forward" && directionOf(other) == "reverse";
        if ((!isForward && (directionOf(layer) != "reverse" || directionOf(other) != "forward")) ||
            intAttribute(layer, "layout", 0) != 0 || !haveEqualSettings(layer, other) ||
            !areEqual(layer.input(LayerInput::Sequence), other.input(LayerInput::Sequence)) ||
            !areEqualLengths(givenLengths(inputOf(layer, LayerInput::Lengths), layer.input(LayerInput::Sequence)),
                             givenLengths(inputOf(other, LayerInput::Lengths), other.input(LayerInput::Sequence)))) {
            return false;
        }
        std::set<int> moved;
        for (int i = LayerInput::InputWeights; i <= LayerInput::Peepholes; ++i) {
            if (inputOf(layer, i).empty() != inputOf(other, i).empty() ||
                (i != LayerInput::Lengths && !collectLater(inputOf(other, i), first, moved))) {
                return false;
            }
        }
        for (const int node : moved) { // what the other layer reads is computed before both
            m_edit.insert(first, graph().node(node), {node});
            m_edit.drop(node);
        }
        for (int i = LayerInput::InputWeights; i < layer.input_size(); ++i) {
            if (i != LayerInput::Lengths && !layer.input(i).empty()) {
                const auto [a, b] =
                    isForward ? std::pair(layer.input(i), other.input(i)) : std::pair(other.input(i), layer.input(i));
                layer.set_input(i, joined(a, b, first, second));
            }
        }
        joinActivations(layer, other, isForward);
        setDirection(layer, "bidirectional");
        for (int i = 0; i < std::max(layer.output_size(), other.output_size()); ++i) {
            joinResult(i, first, second, isForward);
        }
        m_edit.merge(second, first);
        return true;
    }

    /// Adds the nodes behind `first` that compute a value; false if they depend on `first`.
    bool collectLater(const std::string& value, int first, std::set<int>& found) const
    {
        std::vector<std::string> todo{value};
        while (!todo.empty()) {
            const std::string name = todo.back();
            todo.pop_back();
            const auto index = name.empty() ? std::nullopt : m_edit.producer(name);
            if (index == first) {
                return false;
            }
            if (index && *index > first && found.insert(*index).second) {
                forEachRead(graph().node(*index), [&](const std::string& read) { todo.push_back(read); });
            }
        }
        return true;
    }

    /// Both operands along their first axis.
    std::string joined(const std::string& a, const std::string& b, int first, int second)
    {
        // Names end alike ("forward/W" and "backward/W"): the joint name has what they have in common.
        const std::string common(a.begin(), std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first);
        const std::string name = common.substr(0, common.rfind('/') + 1) + a.substr(a.rfind('/') + 1);
        const Tensor* one = m_edit.stored(a);
        const Tensor* two = m_edit.stored(b);
        if (one != nullptr && two != nullptr) {
            return m_edit.addWeight(name, Tensor::joined(std::array{*one, *two}));
        }
        NodeProto concat;
        concat.set_op_type("Concat");
        concat.add_input(a);
        concat.add_input(b);
        addInt(concat, "axis", 0);
        std::string result = m_edit.newValue(name, withDirections(m_edit.typeOf(a), 0));
        concat.set_name(result);
        concat.add_output(result);
        m_edit.insert(first, concat, {first, second});
        return result;
    }

    static TensorType withDirections(TensorType type, std::size_t axis)
    {
        if (type.shape && axis < type.shape->size()) {
            (*type.shape)[axis] = Dim(2);
        }
        return type;
    }

    static void joinActivations(NodeProto& layer, const NodeProto& other, bool isForward)
    {
        const auto own = activationsOf(layer);
        const auto others = activationsOf(other);
        auto* activations = findAttribute(layer, "activations");
        if (activations == nullptr && own == others) {
            return; // the default ones
        }
        if (activations == nullptr) {
            activations = layer.add_attribute();
            activations->set_name("activations");
            activations->set_type(::onnx::AttributeProto::STRINGS);
        }
        activations->clear_strings();
        for (const auto* names : {isForward ? &own : &others, isForward ? &others : &own}) {
            for (const std::string& name : *names) {
                activations->add_strings(name);
            }
        }
        for (const char* name : {"activation_alpha", "activation_beta"}) { // equal ones
            if (auto* parameters = findAttribute(layer, name)) {
                const auto values = parameters->floats();
                parameters->mutable_floats()->MergeFrom(values);
            }
        }
    }

    /// Splits a joint result into those of both layers, unless one Concat joins them again.
    void joinResult(int i, int first, int second, bool isForward)
    {
        NodeProto& layer = *m_edit.graph().mutable_node(first);
        const NodeProto& other = graph().node(second);
        std::array<std::string, 2> results{hasResult(layer, i) ? layer.output(i) : "",
                                           hasResult(other, i) ? other.output(i) : ""};
        if (results[0].empty() && results[1].empty()) {
            return;
        }
        const std::size_t axis = i == 0 ? 1 : 0;
        const TensorType type = m_edit.typeOf(results[results[0].empty() ? 1 : 0]);
        for (std::string& result : results) {
            if (result.empty()) {
                result = m_edit.newValue(labelOf(layer) + "/unread", type);
            }
        }
        const std::string whole = m_edit.newValue(labelOf(layer) + (i == 0   ? "/Y"
                                                                    : i == 1 ? "/Y_h"
                                                                             : "/Y_c"),
                                                  withDirections(type, axis));
        while (layer.output_size() <= i) {
            layer.add_output("");
        }
        layer.set_output(i, whole);
        if (!isForward) {
            std::swap(results[0], results[1]);
        }
        if (i == 0 && sideBySide(whole, results, first, second)) {
            return;
        }
        NodeProto split;
        split.set_op_type("Split");
        split.set_name(whole + "/Split");
        split.add_input(whole);
        const std::array<std::int64_t, 2> sizes{1, 1};
        if (m_edit.opset() >= firstSplitSizes) {
            split.add_input(m_edit.addWeight(whole + "/split", Tensor::ints(sizes)));
        } else {
            addInts(split, "split", sizes);
        }
        addInt(split, "axis", static_cast<std::int64_t>(axis));
        split.add_output(results[0]);
        split.add_output(results[1]);
        m_edit.insert(first + 1, split, {first, second});
    }

    /// The only reader of a value.
    std::optional<int> readerOf(const std::string& value) const
    {
        const auto readers = m_readers.find(value);
        const bool isSingle = readers != m_readers.end() && readers->second.size() == 1 && m_edit.reads(value) == 1 &&
                              m_edit.isReplaceable(value);
        return isSingle ? std::optional(readers->second.front()) : std::nullopt;
    }

    /// Where a Concat only puts the outputs of both directions side by side, a Reshape does.
    bool sideBySide(const std::string& whole, const std::array<std::string, 2>& results, int first, int second)
    {
        std::array<std::string, 2> ends;
        std::array<bool, 2> isSwapped{};
        std::vector<int> gone;
        for (std::size_t k = 0; k < 2; ++k) {
            auto reader = readerOf(results[k]);
            if (!reader || !dropsDirection(graph().node(*reader))) {
                return false;
            }
            gone.push_back(*reader);
            ends[k] = graph().node(*reader).output(0);
            reader = readerOf(ends[k]);
            if (reader && swapsBatchAndTime(graph().node(*reader))) {
                isSwapped[k] = true;
                gone.push_back(*reader);
                ends[k] = graph().node(*reader).output(0);
            }
        }
        const auto last = readerOf(ends[0]);
        const auto shape = m_edit.typeOf(results[0]).shape;
        if (!last || last != readerOf(ends[1]) || isSwapped[0] != isSwapped[1] || !shape || shape->size() != 4 ||
            !shape->back().isFixed()) {
            return false;
        }
        NodeProto& concat = *m_edit.graph().mutable_node(*last);
        if (!isOperator(concat, "Concat") || concat.input_size() != 2 || concat.input(0) != ends[0] ||
            (intAttribute(concat, "axis", 0) != 2 && intAttribute(concat, "axis", 0) != -1)) {
            return false;
        }
        const Permutation order = isSwapped[0] ? Permutation{2, 0, 1, 3} : Permutation{0, 2, 1, 3};
        const std::array<Dim, 4> dims{(*shape)[0], Dim(2), (*shape)[2], (*shape)[3]};
        Shape permuted;
        for (const std::int64_t axis : order) {
            permuted.push_back(dims[static_cast<std::size_t>(axis)]);
        }
        const TensorType type{m_edit.typeOf(results[0]).element, permuted};
        NodeProto transpose;
        transpose.set_op_type("Transpose");
        transpose.add_input(whole);
        addInts(transpose, "perm", order);
        const std::string value = m_edit.newValue(whole + "/Transpose", type);
        transpose.set_name(value);
        transpose.add_output(value);
        m_edit.insert(*last, transpose, {first, second});
        const std::array<std::int64_t, 3> target{0, 0, 2 * shape->back().size};
        concat.set_op_type("Reshape");
        concat.clear_attribute();
        concat.clear_input();
        concat.add_input(value);
        concat.add_input(m_edit.addWeight(value + "/shape", Tensor::ints(target)));
        for (const int node : gone) {
            m_edit.merge(node, *last);
        }
        return true;
    }

    GraphEdit m_edit;
    std::unordered_map<std::string, std::vector<int>> m_readers; ///< also of their bodies
    std::map<std::string, std::vector<int>> m_layers;            ///< of one direction, by the source of their sequence
};

bool mergeInGraph(RewrittenModel model, const NodeNames& names, ::onnx::GraphProto& graph)
{
    bool isChanged = false;
    while (std::any_of(graph.node().begin(), graph.node().end(), isRecurrent) && DirectionMerging(model, names).run()) {
        isChanged = true;
    }
    if (isChanged) { // what was read by the nodes that are gone
        GraphEdit edit(model, names);
        edit.dropUnread();
        edit.finish();
    }
    for (NodeProto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                model.body = attribute.mutable_g();
                isChanged = mergeInGraph(model, names, *attribute.mutable_g()) || isChanged;
            }
        }
    }
    return isChanged;
}

} // namespace

bool mergeDirections(RewrittenModel model, const NodeNames& names)
{
    return mergeInGraph(model, names, *model.model.proto->mutable_graph());
}

} // namespace crosswalk
