#include "core/onnx/node.h"
#include "core/rewrite/shape_elements.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class ProductMerging {
public:
    ProductMerging(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
        , m_values(m_edit)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            if (isOperator(m_edit.graph().node(i), "Reshape")) {
                merge(i);
            }
        }
        m_edit.dropUnread();
        m_edit.finish();
    }

private:
    void merge(int last)
    {
        NodeProto& node = *m_edit.graph().mutable_node(last);
        const auto product = m_edit.singleProducer(node.input(0), "MatMul");
        const auto first =
            product ? m_edit.singleProducer(m_edit.graph().node(*product).input(0), "Reshape") : std::nullopt;
        if (!first) {
            return;
        }
        const std::string matrix = m_edit.graph().node(*product).input(1);
        const std::string rows = m_edit.graph().node(*first).input(0);
        const Tensor* stored = m_edit.stored(matrix);
        const auto shape = m_edit.typeOf(rows).shape;
        const auto flat = m_edit.typeOf(m_edit.graph().node(*first).output(0)).shape;
        if (stored == nullptr || stored->rank() != 2 || !shape || shape->size() < 3 || !flat || flat->size() != 2 ||
            shape->back() != Dim(stored->dims()[0]) || flat->back() != shape->back() ||
            !restores(node, *shape, rows, stored->dims()[1])) {
            return;
        }
        node.set_op_type("MatMul");
        node.clear_attribute();
        node.clear_input();
        node.add_input(rows);
        node.add_input(matrix);
        m_edit.merge(*first, last);
        m_edit.merge(*product, last);
    }

    /// Whether a Reshape gives rows of `width` numbers the dimensions of `value` except for the last one. The number of
    /// elements determines one of the dimensions.
    bool restores(const NodeProto& reshape, const Shape& shape, const std::string& value, std::int64_t width) const
    {
        const auto target = targetOf(reshape);
        if (!target || target->size() != shape.size()) {
            return false;
        }
        int open = 0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const ShapeElement& element = (*target)[i];
            const bool isNumber = element.kind == ShapeElement::Kind::Number;
            const bool isLast = i + 1 == shape.size();
            const Dim wanted = isLast ? Dim(width) : shape[i];
            if (isNumber && element.number == -1) {
                ++open;
            } else if (isNumber ? element.number <= 0 || wanted != Dim(element.number)
                                : isLast || element != m_values.dimension(value, i)) {
                return false;
            }
        }
        return open <= 1;
    }

    std::optional<ShapeElements> targetOf(const NodeProto& reshape) const
    {
        const Tensor* stored = m_edit.stored(reshape.input(1));
        if (stored == nullptr) {
            return m_values.elements(reshape.input(1));
        }
        ShapeElements elements;
        for (const std::int64_t number : stored->toInts()) {
            elements.push_back({ShapeElement::Kind::Number, {}, number});
        }
        return elements;
    }

    GraphEdit m_edit;
    ShapeValues m_values;
};

} // namespace

void mergeProducts(RewrittenModel model, const NodeNames& names)
{
    ProductMerging(model, names).run();
}

} // namespace crosswalk
