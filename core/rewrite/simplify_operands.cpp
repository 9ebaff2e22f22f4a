#include "core/onnx/node.h"
#include "core/rewrite/shape_elements.h"

#include <algorithm>
#include <set>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class OperandSimplification {
public:
    OperandSimplification(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
        , m_values(m_edit)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            NodeProto& node = *m_edit.graph().mutable_node(i);
            if (isOperator(node, "LSTM") || isOperator(node, "GRU") || isOperator(node, "RNN")) {
                leaveOutZeroStates(node);
            } else if (isOperator(node, "Resize")) {
                useScales(node);
            } else if (broadcasts(node)) {
                readUnexpanded(node);
            }
        }
        m_edit.dropUnread();
        m_edit.finish();
    }

private:
    bool isStoredZero(const std::string& value) const
    {
        constexpr std::int64_t limit = 1 << 20U;
        const Tensor* stored = m_edit.stored(value);
        if (stored == nullptr || !isNumeric(stored->type()) || stored->elements() > limit) {
            return false;
        }
        const auto numbers = stored->toDoubles();
        return std::all_of(numbers.begin(), numbers.end(), [](double number) { return number == 0; });
    }

    /// Whether all elements of a value are zero, whatever the inputs are.
    bool isZero(const std::string& value) const
    {
        static const std::set<std::string, std::less<>> rearranging{"Expand",  "Split",     "Slice",     "Squeeze",
                                                                    "Reshape", "Unsqueeze", "Transpose", "Identity"};
        std::string name = value;
        while (m_edit.stored(name) == nullptr) {
            const auto index = m_edit.producer(name);
            if (!index) {
                return false;
            }
            const NodeProto& node = m_edit.graph().node(*index);
            if (isOperator(node, "ConstantOfShape")) {
                const auto* filler = findAttribute(node, "value");
                return filler == nullptr || isZeroFiller(filler->t());
            }
            if (!node.domain().empty() || !rearranging.contains(node.op_type())) {
                return false;
            }
            name = node.input(0);
        }
        return isStoredZero(name);
    }

    static bool isZeroFiller(const ::onnx::TensorProto& filler)
    {
        const std::string& raw = filler.raw_data();
        return !raw.empty() ? std::all_of(raw.begin(), raw.end(), [](char byte) { return byte == 0; })
                            : filler.float_data_size() == 1 && filler.float_data(0) == 0;
    }

    /// Initial states are zero where they are left out.
    void leaveOutZeroStates(NodeProto& node)
    {
        constexpr int firstState = 5;
        const int end = isOperator(node, "LSTM") ? firstState + 2 : firstState + 1;
        for (int i = firstState; i < std::min(end, node.input_size()); ++i) {
            if (!node.input(i).empty() && isZero(node.input(i))) {
                node.set_input(i, "");
            }
        }
        while (node.input_size() > 3 && node.input(node.input_size() - 1).empty()) {
            node.mutable_input()->RemoveLast();
        }
    }

    static bool broadcasts(const NodeProto& node)
    {
        static const std::set<std::string, std::less<>> ops{
            "Add",         "Sub",  "Mul", "Div", "Pow", "Max",  "Min", "Equal", "Greater", "GreaterOrEqual",
            "LessOrEqual", "Less", "And", "Or",  "Xor", "Where"};
        return node.domain().empty() && ops.contains(node.op_type());
    }

    /// An operand need not be expanded to the shape that another operand has anyway.
    void readUnexpanded(NodeProto& node)
    {
        const auto whole = m_edit.typeOf(node.output(0)).shape;
        const bool isKnown =
            whole && std::ranges::all_of(*whole, [](const Dim& dim) { return dim.isFixed() || !dim.symbol().empty(); });
        for (int i = 0; isKnown && i < node.input_size(); ++i) {
            const auto index = m_edit.producer(node.input(i));
            const NodeProto* expand = index ? &m_edit.graph().node(*index) : nullptr;
            bool isGiven = false;
            for (int k = 0; k < node.input_size(); ++k) {
                isGiven = isGiven || (k != i && node.input(k) != node.input(i) && shapeOf(node.input(k)) == whole);
            }
            if (isGiven && expand != nullptr && isOperator(*expand, "Expand")) {
                node.set_input(i, expand->input(0));
            }
        }
    }

    std::optional<Shape> shapeOf(const std::string& value) const
    {
        const Tensor* stored = m_edit.stored(value);
        return stored != nullptr ? crosswalk::shapeOf(stored->dims()) : m_edit.typeOf(value).shape;
    }

    /// The factor of a size that is a dimension times a stored one.
    std::optional<std::int64_t> factorOf(const ShapeElement& size, const ShapeElement& dimension) const
    {
        const auto index =
            size.kind == ShapeElement::Kind::Item && size.number == 0 ? m_edit.producer(size.value) : std::nullopt;
        if (!index || !isOperator(m_edit.graph().node(*index), "Mul")) {
            return std::nullopt;
        }
        const NodeProto& product = m_edit.graph().node(*index);
        for (const int i : {0, 1}) {
            const auto own = m_values.elements(product.input(i));
            const Tensor* factor = m_edit.stored(product.input(1 - i));
            if (own && own->size() == 1 && own->front() == dimension && factor != nullptr && factor->elements() == 1) {
                return factor->toInts().front();
            }
        }
        return std::nullopt;
    }

    /// Replaces computed sizes by stored scales, where each size is that of the input or a multiple of a fixed one.
    void useScales(NodeProto& node)
    {
        const auto shape = m_edit.typeOf(node.input(0)).shape;
        if (node.input_size() != 4 || m_edit.stored(node.input(3)) != nullptr || !shape ||
            findAttribute(node, "axes") != nullptr || findAttribute(node, "keep_aspect_ratio_policy") != nullptr) {
            return;
        }
        const auto sizes = m_values.elements(node.input(3));
        if (!sizes || sizes->size() != shape->size()) {
            return;
        }
        std::vector<float> scales;
        for (std::size_t i = 0; i < shape->size(); ++i) {
            const ShapeElement& size = (*sizes)[i];
            const Dim& from = (*shape)[i];
            const std::int64_t factor = from.isFixed() && from.size > 0 ? size.number / from.size : 0;
            constexpr std::int64_t most = 1 << 20U;
            const auto multiple = factorOf(size, m_values.dimension(node.input(0), i));
            if (size == m_values.dimension(node.input(0), i)) {
                scales.push_back(1);
            } else if (multiple && *multiple > 0 && *multiple < most) {
                scales.push_back(static_cast<float>(*multiple));
            } else if (size.kind == ShapeElement::Kind::Number && factor > 0 && factor * from.size == size.number &&
                       factor < most) {
                scales.push_back(static_cast<float>(factor));
            } else {
                return;
            }
        }
        const auto rank = static_cast<std::int64_t>(scales.size());
        node.set_input(
            2, m_edit.addWeight(labelOf(node) + "/scales", Tensor::of<float>(ElementType::Float32, {rank}, scales)));
        node.mutable_input()->RemoveLast();
    }

    GraphEdit m_edit;
    ShapeValues m_values;
};

} // namespace

void simplifyOperands(RewrittenModel model, const NodeNames& names)
{
    OperandSimplification(model, names).run();
}

} // namespace crosswalk
