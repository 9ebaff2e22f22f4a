#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>
#include <cmath>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class OperatorFusion {
public:
    OperatorFusion(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            NodeProto& node = *m_edit.graph().mutable_node(i);
            if (isOperator(node, "MatMul")) {
                multiplyBytes(node);
            } else if (isOperator(node, "Add")) {
                rectify(i);
            } else if (isOperator(node, "Mul") && !clipLine(node)) {
                multiplyByHardSigmoid(node);
            }
        }
        m_edit.dropUnread();
        m_edit.finish();
    }

private:
    /// Turns a product of bytes that are converted to int32 into MatMulInteger, whose sums are int32 too.
    void multiplyBytes(NodeProto& node)
    {
        std::vector<std::string> bytes;
        for (const std::string& input : node.input()) {
            const NodeProto* cast = m_edit.producer(input, "Cast");
            const ElementType from = cast != nullptr ? m_edit.typeOf(cast->input(0)).element : ElementType::Undefined;
            const bool isWidened = (from == ElementType::Int8 || from == ElementType::UInt8) &&
                                   intAttribute(*cast, "to", 0) == ::onnx::TensorProto::INT32;
            if (!isWidened || m_edit.reads(input) != 1) {
                return;
            }
            bytes.push_back(cast->input(0));
        }
        node.set_op_type("MatMulInteger");
        node.mutable_input()->Assign(bytes.begin(), bytes.end());
    }

    /// A stored float32 of rank 0, or of one element on at most one axis.
    std::optional<double> number(const std::string& value) const
    {
        const Tensor* stored = value.empty() ? nullptr : m_edit.stored(value);
        const bool isOne = stored != nullptr && stored->type() == ElementType::Float32 && stored->elements() == 1 &&
                           stored->rank() <= 1;
        return isOne ? std::optional(stored->toDoubles().front()) : std::nullopt;
    }

    /// The operand of a sum or product with a stored number, and the number.
    std::optional<std::pair<std::string, double>> withNumber(const NodeProto& node) const
    {
        for (const int i : {0, 1}) {
            if (const auto found = number(node.input(1 - i)); found && !number(node.input(i))) {
                return std::pair(node.input(i), *found);
            }
        }
        return std::nullopt;
    }

    /// Turns clip(x + b, 0, c) / c into HardSigmoid.
    bool clipLine(NodeProto& node)
    {
        const auto quotient = withNumber(node);
        const NodeProto* clip = quotient ? m_edit.producer(quotient->first, "Clip") : nullptr;
        if (clip == nullptr || m_edit.reads(clip->output(0)) != 1 || clip->input_size() != 3) {
            return false;
        }
        const auto low = number(clip->input(1));
        const auto high = number(clip->input(2));
        const NodeProto* sum = m_edit.producer(clip->input(0), "Add");
        const auto shifted = sum != nullptr && m_edit.reads(sum->output(0)) == 1 ? withNumber(*sum) : std::nullopt;
        constexpr double precision = 1e-6;
        const bool isLine = shifted && m_edit.typeOf(shifted->first).shape && low == 0 && high && *high > 0 &&
                            std::abs(quotient->second * *high - 1) < precision &&
                            m_edit.typeOf(shifted->first).shape == m_edit.typeOf(node.output(0)).shape;
        if (!isLine) {
            return false;
        }
        node.set_op_type("HardSigmoid");
        node.clear_input();
        node.add_input(shifted->first);
        addFloat(node, "alpha", 1 / *high);
        addFloat(node, "beta", shifted->second / *high);
        return true;
    }

    static void addFloat(NodeProto& node, const char* name, double value)
    {
        auto* attribute = node.add_attribute();
        attribute->set_name(name);
        attribute->set_type(::onnx::AttributeProto::FLOAT);
        attribute->set_f(static_cast<float>(value));
    }

    /// Turns x hardsigmoid(x) into HardSwish.
    void multiplyByHardSigmoid(NodeProto& node)
    {
        constexpr int firstHardSwish = 14;
        for (const int i : {0, 1}) {
            const NodeProto* gate = m_edit.producer(node.input(i), "HardSigmoid");
            const auto is = [&](const char* name, double usual, double value) {
                return std::abs(floatAttribute(*gate, name, static_cast<float>(usual)) - value) < 1e-6;
            };
            if (gate != nullptr && m_edit.opset() >= firstHardSwish && m_edit.reads(gate->output(0)) == 1 &&
                gate->input(0) == node.input(1 - i) && is("alpha", 0.2, 1.0 / 6) && is("beta", 0.5, 0.5)) {
                const std::string x = gate->input(0);
                node.set_op_type("HardSwish");
                node.clear_input();
                node.add_input(x);
                return;
            }
        }
    }

    /// Turns relu(x) + c relu(-x), with stored finite numbers c, into PRelu with the slope -c: it differs in the sign
    /// of zero alone.
    void rectify(int index)
    {
        NodeProto& node = *m_edit.graph().mutable_node(index);
        for (const int positive : {0, 1}) {
            const NodeProto* relu = m_edit.producer(node.input(positive), "Relu");
            const NodeProto* product = m_edit.producer(node.input(1 - positive), "Mul");
            if (relu == nullptr || product == nullptr || m_edit.reads(relu->output(0)) != 1 ||
                m_edit.reads(product->output(0)) != 1) {
                continue;
            }
            const int weight = m_edit.stored(product->input(0)) != nullptr ? 0 : 1;
            const Tensor* factors = m_edit.stored(product->input(weight));
            const NodeProto* other = m_edit.producer(product->input(1 - weight), "Relu");
            const NodeProto* negation = other != nullptr ? m_edit.producer(other->input(0), "Neg") : nullptr;
            if (factors == nullptr || negation == nullptr || negation->input(0) != relu->input(0) ||
                m_edit.reads(other->output(0)) != 1 || !isSlopeOf(*factors, relu->input(0))) {
                continue;
            }
            std::vector<double> slopes = factors->toDoubles();
            std::transform(slopes.begin(), slopes.end(), slopes.begin(), std::negate<>());
            const Tensor slope = Tensor::of<double>(ElementType::Float64, factors->dims(), slopes);
            const ElementType type = factors->type();
            node.set_op_type("PRelu");
            const std::string x = relu->input(0);
            node.clear_input();
            node.add_input(x);
            node.add_input(m_edit.addWeight(labelOf(node) + "/slope", slope.converted(type)));
            return;
        }
    }

    /// Whether the numbers are finite and broadcast to the shape of x.
    bool isSlopeOf(const Tensor& factors, const std::string& x) const
    {
        const TensorType type = m_edit.typeOf(x);
        if (type.element != ElementType::Float32 || factors.type() != ElementType::Float32 || !type.shape ||
            factors.rank() > type.shape->size()) {
            return false;
        }
        const std::size_t first = type.shape->size() - factors.rank();
        for (std::size_t i = 0; i < factors.rank(); ++i) {
            if (factors.dims()[i] != 1 && (*type.shape)[first + i] != Dim(factors.dims()[i])) {
                return false;
            }
        }
        const auto numbers = factors.toDoubles();
        return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
    }

    GraphEdit m_edit;
};

} // namespace

void fuseOperators(RewrittenModel model, const NodeNames& names)
{
    OperatorFusion(model, names).run();
}

} // namespace crosswalk
