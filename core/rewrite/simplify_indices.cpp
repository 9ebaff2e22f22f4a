#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/shape_elements.h"

#include <algorithm>
#include <array>
#include <limits>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class IndexSimplification {
public:
    IndexSimplification(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
        , m_values(m_edit)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            NodeProto& node = *m_edit.graph().mutable_node(i);
            m_edit.update(node);
            if (isOperator(node, "Div")) {
                divideSize(node);
            } else if (isOperator(node, "Slice")) {
                readNarrowIndices(node);
            } else if (isOperator(node, "Gather")) {
                skipWholeGather(i);
            } else if (isOperator(node, "Concat")) {
                if (!repeatElement(i)) {
                    joinElements(i);
                }
            } else if (isOperator(node, "Min") || isOperator(node, "Max") || isOperator(node, "And") ||
                       isOperator(node, "Or")) {
                skipEqualOperands(i);
            }
        }
        m_edit.dropUnread();
        m_edit.finish();
    }

private:
    /// (x - x mod n) / n is x / n for an x that is not negative.
    void divideSize(NodeProto& node)
    {
        const NodeProto* difference = m_edit.producer(node.input(0), "Sub");
        const NodeProto* rest = difference != nullptr ? m_edit.producer(difference->input(1), "Mod") : nullptr;
        const Tensor* divisor = m_edit.stored(node.input(1));
        const Tensor* modulus = rest != nullptr ? m_edit.stored(rest->input(1)) : nullptr;
        const bool fits = divisor != nullptr && modulus != nullptr && rest->input(0) == difference->input(0) &&
                          divisor->type() == ElementType::Int64 && divisor->elements() == 1 &&
                          divisor->toInts() == modulus->toInts() && divisor->toInts().front() > 0 &&
                          divisor->rank() >= modulus->rank() && // the result keeps its shape
                          intAttribute(*rest, "fmod", 0) == 0;
        const auto sizes = fits ? m_values.elements(difference->input(0)) : std::nullopt;
        const bool areSizes = sizes && std::ranges::all_of(*sizes, [](const ShapeElement& size) {
                                  return size.kind == ShapeElement::Kind::Dimension ||
                                         (size.kind == ShapeElement::Kind::Number && size.number >= 0);
                              });
        if (areSizes) {
            node.set_input(0, difference->input(0));
        }
    }

    /// The int32 value that a value of int64 is converted from; empty for other values.
    std::string narrowOf(const std::string& value) const
    {
        const NodeProto* cast = m_edit.producer(value, "Cast");
        const bool isWidened = cast != nullptr && m_edit.typeOf(cast->input(0)).element == ElementType::Int32 &&
                               intAttribute(*cast, "to", 0) == ::onnx::TensorProto::INT64;
        return isWidened ? cast->input(0) : std::string();
    }

    /// Slice accepts int32. Numbers beyond it stand for an end of the axis.
    void readNarrowIndices(NodeProto& node)
    {
        bool isWidened = false;
        for (int i = 1; i < node.input_size(); ++i) {
            const std::string& input = node.input(i);
            const Tensor* stored = input.empty() ? nullptr : m_edit.stored(input);
            isWidened = isWidened || (!input.empty() && stored == nullptr);
            const bool isStored = stored != nullptr && stored->type() == ElementType::Int64;
            if (!input.empty() && !isStored && (narrowOf(input).empty() || m_edit.reads(input) != 1)) {
                return;
            }
        }
        if (!isWidened) {
            return;
        }
        for (int i = 1; i < node.input_size(); ++i) {
            const std::string input = node.input(i);
            if (input.empty()) {
                continue;
            }
            const Tensor* stored = m_edit.stored(input);
            if (stored == nullptr) {
                node.set_input(i, narrowOf(input));
                continue;
            }
            Ints numbers = stored->toInts();
            for (std::int64_t& number : numbers) {
                number = std::clamp<std::int64_t>(number, std::numeric_limits<std::int32_t>::min(),
                                                  std::numeric_limits<std::int32_t>::max());
            }
            const Ints dims = stored->dims();
            node.set_input(i,
                           m_edit.addWeight(input, Tensor::ints(numbers).reshaped(dims).converted(ElementType::Int32)));
        }
    }

    /// Removes a Gather of all elements along an axis, in order.
    void skipWholeGather(int index)
    {
        const NodeProto& node = m_edit.graph().node(index);
        const Tensor* indices = m_edit.stored(node.input(1));
        const auto shape = m_edit.typeOf(node.input(0)).shape;
        if (indices == nullptr || indices->rank() != 1 || !shape || !m_edit.isReplaceable(node.output(0))) {
            return;
        }
        const std::size_t axis = axisAt(intAttribute(node, "axis", 0), shape->size());
        if (axis >= shape->size() || (*shape)[axis] != Dim(indices->elements())) {
            return;
        }
        if (countsUp(indices->toInts())) {
            m_edit.replaceReads(node.output(0), node.input(0));
            m_edit.drop(index);
        }
    }

    static bool countsUp(const Ints& numbers)
    {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] != static_cast<std::int64_t>(i)) {
                return false;
            }
        }
        return true;
    }

    /// min(x, x) is x.
    void skipEqualOperands(int index)
    {
        const NodeProto& node = m_edit.graph().node(index);
        const bool areEqual = std::all_of(node.input().begin(), node.input().end(),
                                          [&](const std::string& input) { return input == node.input(0); });
        if (areEqual && m_edit.isReplaceable(node.output(0))) {
            m_edit.replaceReads(node.output(0), node.input(0));
            m_edit.drop(index);
        }
    }

    /// Whether a value is a vector of one element.
    bool isElement(const std::string& value) const { return m_edit.typeOf(value).shape == Shape{Dim(1)}; }

    /// The scalar of a vector of one element; the vector itself without one.
    std::string scalarOf(const std::string& vector) const
    {
        const NodeProto* unsqueeze = m_edit.producer(vector, "Unsqueeze");
        const bool isScalar =
            unsqueeze != nullptr && m_edit.typeOf(unsqueeze->input(0)).shape == std::optional(Shape());
        return isScalar ? unsqueeze->input(0) : vector;
    }

    /// Replaces a Concat of one element, several times, by an Expand.
    bool repeatElement(int index)
    {
        NodeProto& node = *m_edit.graph().mutable_node(index);
        const std::string first = node.input(0);
        const bool areEqual = node.input_size() > 1 && isElement(first) && m_edit.stored(first) == nullptr &&
                              std::all_of(node.input().begin(), node.input().end(),
                                          [&](const std::string& input) { return input == first; });
        if (!areEqual) {
            return false;
        }
        const std::array<std::int64_t, 1> count{node.input_size()};
        node.set_op_type("Expand");
        node.clear_attribute();
        node.clear_input();
        node.add_input(scalarOf(first));
        node.add_input(m_edit.addWeight(labelOf(node) + "/count", Tensor::ints(count)));
        return true;
    }

    /// Element `index` of a vector, converted by a chain of types.
    struct Element {
        std::string vector;
        std::int64_t index = 0;
        Ints casts; ///< the last one first
    };

    std::optional<Element> elementOf(std::string value) const
    {
        Element element;
        while (true) {
            const auto producing = m_edit.producer(value);
            if (!producing) {
                return std::nullopt;
            }
            const NodeProto& node = m_edit.graph().node(*producing);
            if (isOperator(node, "Cast")) {
                element.casts.push_back(intAttribute(node, "to", 0));
            } else if (isOperator(node, "Gather")) {
                const Tensor* number = m_edit.stored(node.input(1));
                const auto shape = m_edit.typeOf(node.input(0)).shape;
                if (number == nullptr || number->elements() != 1 || !shape || shape->size() != 1) {
                    return std::nullopt;
                }
                element.vector = node.input(0);
                element.index = number->toInts().front();
                return element;
            } else if (!isOperator(node, "Unsqueeze") && !isOperator(node, "Reshape") && !isOperator(node, "Squeeze")) {
                return std::nullopt; // those above change the shape of one element
            }
            value = node.input(0);
        }
    }

    /// Replaces a Concat of all elements of a vector, each converted alone, by the conversion of the vector.
    void joinElements(int index)
    {
        NodeProto& node = *m_edit.graph().mutable_node(index);
        std::optional<Element> first;
        for (int i = 0; i < node.input_size(); ++i) {
            const auto element = isElement(node.input(i)) ? elementOf(node.input(i)) : std::nullopt;
            if (!element || element->index != i) {
                return;
            }
            if (first && (first->vector != element->vector || first->casts != element->casts)) {
                return;
            }
            first = element;
        }
        const auto shape = m_edit.typeOf(first->vector).shape;
        if (!shape || *shape != Shape{Dim(node.input_size())} || first->casts.empty()) {
            return;
        }
        std::string vector = first->vector;
        while (first->casts.size() > 1) {
            NodeProto cast;
            cast.set_op_type("Cast");
            cast.add_input(vector);
            addInt(cast, "to", first->casts.back());
            vector =
                m_edit.newValue(labelOf(node) + "/elements", {static_cast<ElementType>(first->casts.back()), *shape});
            cast.add_output(vector);
            m_edit.insert(index, std::move(cast), {index});
            first->casts.pop_back();
        }
        node.set_op_type("Cast");
        node.clear_attribute();
        node.clear_input();
        node.add_input(vector);
        addInt(node, "to", first->casts.front());
    }

    GraphEdit m_edit;
    ShapeValues m_values;
};

} // namespace

void simplifyIndices(RewrittenModel model, const NodeNames& names)
{
    IndexSimplification(model, names).run();
}

} // namespace crosswalk
