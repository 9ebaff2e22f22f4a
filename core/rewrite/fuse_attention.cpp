#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Why a candidate stays as it is.
struct Kept {
    std::string reason;
};

/// An operand of a product, and the axis of it that is each axis of Attention's operand: batch, heads (not for three
/// dimensions), positions, features.
struct Operand {
    std::string value;
    Permutation order;
};

/// A product of two operands over one axis, as letters: Einsum's, or those that MatMul stands for.
struct Product {
    std::string left;
    std::string right;
    std::string result;
};

/// Softmax(scale Q K' + mask) V, found at its Softmax.
class AttentionCandidate {
public:
    AttentionCandidate(GraphEdit& edit, int softmax)
        : m_edit(edit)
        , m_softmax(softmax)
    {
    }

    /// Whether the weighted sum of values, with weights from a Softmax over products, is there at all.
    bool find()
    {
        const NodeProto& softmax = node(m_softmax);
        const auto shape = m_edit.typeOf(softmax.output(0)).shape;
        if (!shape || (shape->size() != 3 && shape->size() != 4) ||
            axisAt(intAttribute(softmax, "axis", -1), shape->size()) != shape->size() - 1) {
            return false;
        }
        m_rank = shape->size();
        m_scores = softmax.input(0);
        m_weights = softmax.output(0);
        readGuard();
        readMask();
        readScale(m_scores, true);
        m_first = producer(m_scores);
        m_second = reader(m_weights);
        return m_first && m_second && lettersOf(node(*m_first)) && lettersOf(node(*m_second));
    }

    bool isGuarded() const { return m_isGuarded; }

    /// Throws Kept.
    void fuse()
    {
        if (!m_keptMask.empty()) {
            throw Kept{m_keptMask};
        }
        expectSingleReads();
        readFirstProduct();
        readSecondProduct();
        readScale(m_query.value, false);
        readScale(m_key.value, false);
        checkScale();
        checkSizes();
        checkMask();
        replace();
    }

private:
    const NodeProto& node(int index) const { return m_edit.graph().node(index); }

    std::optional<int> producer(const std::string& value) const { return m_edit.producer(value); }

    const NodeProto* producer(const std::string& value, std::string_view op) const
    {
        return m_edit.producer(value, op);
    }

    /// The only node that reads a value.
    std::optional<int> reader(const std::string& value) const
    {
        for (int i = m_softmax + 1; i < m_edit.graph().node_size(); ++i) {
            const auto& inputs = node(i).input();
            if (std::find(inputs.begin(), inputs.end(), value) != inputs.end()) {
                return i;
            }
        }
        return std::nullopt;
    }

    std::optional<double> number(const std::string& value) const
    {
        const Tensor* stored = value.empty() ? nullptr : m_edit.stored(value);
        return stored != nullptr && stored->elements() == 1 && isFloating(stored->type())
                   ? std::optional(stored->toDoubles().front())
                   : std::nullopt;
    }

    /// Whether a reduction of scores is one over their last axis, which it keeps.
    bool isOverKeys(const NodeProto& reduction) const
    {
        const Tensor* axes = reduction.input_size() > 1 ? m_edit.stored(reduction.input(1)) : nullptr;
        return axes != nullptr && axes->elements() == 1 && axisAt(axes->toInts().front(), m_rank) == m_rank - 1 &&
               intAttribute(reduction, "keepdims", 1) == 1;
    }

    /// Takes a selection of 0 in place of the weights of a query whose highest score is -infinity.
    void readGuard()
    {
        const auto index = reader(m_weights);
        const NodeProto* where = index && isOperator(node(*index), "Where") ? &node(*index) : nullptr;
        if (where == nullptr || number(where->input(1)) != std::optional(0.0) || where->input(2) != m_weights) {
            return;
        }
        const NodeProto* equal = producer(where->input(0), "Equal");
        for (const int side : {0, 1}) {
            const auto lowest = equal != nullptr ? number(equal->input(1 - side)) : std::nullopt;
            const NodeProto* highest = lowest ? producer(equal->input(side), "ReduceMax") : nullptr;
            if (highest != nullptr && std::isinf(*lowest) && *lowest < 0 && highest->input(0) == m_scores &&
                isOverKeys(*highest)) {
                m_isGuarded = true;
                m_between.insert(m_between.end(), {m_weights, highest->output(0), equal->output(0)});
                m_weights = where->output(0);
                return;
            }
        }
    }

    /// Takes a mask that is added to the scores, or that replaces them by -infinity.
    void readMask()
    {
        if (const NodeProto* where = producer(m_scores, "Where")) {
            for (const int filler : {1, 2}) {
                const auto value = number(where->input(filler));
                if (!value) {
                    continue;
                }
                m_isKeptWhereTrue = filler == 2;
                m_condition = where->input(0);
                m_between.push_back(m_scores);
                m_scores = where->input(3 - filler);
                if (!std::isinf(*value) || *value > 0) {
                    m_keptMask = fmt::format("its mask replaces scores by {}, and Attention by -infinity", *value);
                }
                return;
            }
            return;
        }
        const NodeProto* sum = producer(m_scores, "Add");
        for (const int side : {0, 1}) {
            if (sum != nullptr && leadsToProduct(sum->input(side))) {
                m_mask = sum->input(1 - side);
                m_between.push_back(m_scores);
                m_scores = sum->input(side);
                return;
            }
        }
    }

    /// Whether a value is a product, perhaps scaled.
    bool leadsToProduct(std::string value) const
    {
        for (int i = 0; i < 2; ++i) {
            const auto index = producer(value);
            if (!index) {
                return false;
            }
            if (lettersOf(node(*index))) {
                return true;
            }
            const bool isScaling = isOperator(node(*index), "Mul") || isOperator(node(*index), "Div");
            if (!isScaling) {
                return false;
            }
            value = number(node(*index).input(0)) ? node(*index).input(1) : node(*index).input(0);
        }
        return false;
    }

    /// Takes a multiplication or division by a stored number. One of queries or keys stays if others read it.
    void readScale(std::string& value, bool isOfScores)
    {
        const auto index = producer(value);
        if (!index || (!isOfScores && m_edit.reads(value) != 1) || node(*index).input_size() != 2) {
            return;
        }
        const NodeProto& scaling = node(*index);
        const auto right = number(scaling.input(1));
        const auto left = number(scaling.input(0));
        if (isOperator(scaling, "Mul") && (left || right)) {
            m_scale *= right ? *right : *left;
            m_between.push_back(value);
            value = right ? scaling.input(0) : scaling.input(1);
        } else if (isOperator(scaling, "Div") && right && *right != 0) {
            m_scale /= *right;
            m_between.push_back(value);
            value = scaling.input(0);
        }
    }

    /// The axes of a product of two operands over one axis; nothing for other nodes.
    std::optional<Product> lettersOf(const NodeProto& product) const
    {
        if (isOperator(product, "MatMul")) {
            const auto left = m_edit.typeOf(product.input(0)).shape;
            const auto right = m_edit.typeOf(product.input(1)).shape;
            if (!left || !right || left->size() != m_rank || right->size() != m_rank) {
                return std::nullopt;
            }
            return m_rank == 3 ? Product{"bij", "bjk", "bik"} : Product{"bhij", "bhjk", "bhik"};
        }
        const auto* equation =
            isOperator(product, "Einsum") && product.input_size() == 2 ? findAttribute(product, "equation") : nullptr;
        if (equation == nullptr) {
            return std::nullopt;
        }
        std::string text = equation->s();
        std::erase(text, ' ');
        const auto comma = text.find(',');
        const auto arrow = text.find("->");
        if (comma == std::string::npos || arrow == std::string::npos || arrow < comma ||
            text.find('.') != std::string::npos) {
            return std::nullopt;
        }
        Product found{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1), text.substr(arrow + 2)};
        for (std::string letters : {found.left, found.right, found.result}) {
            std::sort(letters.begin(), letters.end());
            if (letters.size() != m_rank || std::adjacent_find(letters.begin(), letters.end()) != letters.end()) {
                return std::nullopt;
            }
        }
        return found;
    }

    void expectSingleReads() const
    {
        std::vector<std::string> inner = m_between;
        inner.push_back(m_scores);
        inner.push_back(m_weights);
        for (const std::string& value : inner) {
            const int readers = m_isGuarded && value == node(m_softmax).input(0) ? 2 : 1;
            if (m_edit.reads(value) != readers || m_edit.isOutput(value)) {
                throw Kept{fmt::format("{} is used elsewhere too", value)};
            }
        }
    }

    /// The axes of `letters` in the order of `wanted`.
    static Permutation orderOf(const std::string& letters, const std::string& wanted)
    {
        Permutation order;
        for (const char letter : wanted) {
            const auto place = letters.find(letter);
            if (place == std::string::npos) {
                throw Kept{"its products do not have the axes of Attention"};
            }
            order.push_back(static_cast<std::int64_t>(place));
        }
        return order;
    }

    void readFirstProduct()
    {
        const NodeProto& product = node(*m_first);
        const Product letters = *lettersOf(product);
        const std::string batch = letters.result.substr(0, m_rank - 2);
        const char query = letters.result[m_rank - 2];
        const char key = letters.result[m_rank - 1];
        const bool isQueryLeft = letters.left.find(query) != std::string::npos;
        const std::string& ofQuery = isQueryLeft ? letters.left : letters.right;
        const std::string& ofKey = isQueryLeft ? letters.right : letters.left;
        const auto features = std::find_if(ofQuery.begin(), ofQuery.end(),
                                           [&](char c) { return letters.result.find(c) == std::string::npos; });
        if (features == ofQuery.end()) {
            throw Kept{"its products do not have the axes of Attention"};
        }
        m_query = {product.input(isQueryLeft ? 0 : 1), orderOf(ofQuery, batch + query + *features)};
        m_key = {product.input(isQueryLeft ? 1 : 0), orderOf(ofKey, batch + key + *features)};
    }

    void readSecondProduct()
    {
        const NodeProto& product = node(*m_second);
        const Product letters = *lettersOf(product);
        const bool areWeightsLeft = product.input(0) == m_weights;
        const std::string& weights = areWeightsLeft ? letters.left : letters.right;
        const std::string& values = areWeightsLeft ? letters.right : letters.left;
        if (product.input(areWeightsLeft ? 1 : 0) == m_weights) {
            throw Kept{"its weights are multiplied with themselves"};
        }
        const std::string batch = weights.substr(0, m_rank - 2);
        const char query = weights[m_rank - 2];
        const char key = weights[m_rank - 1];
        const auto features =
            std::find_if(values.begin(), values.end(), [&](char c) { return weights.find(c) == std::string::npos; });
        if (features == values.end() || letters.result.find(key) != std::string::npos) {
            throw Kept{"its products do not have the axes of Attention"};
        }
        m_value = {product.input(areWeightsLeft ? 1 : 0), orderOf(values, batch + key + *features)};
        m_resultOrder = orderOf(batch + query + *features, letters.result);
    }

    Dim dimOf(const Operand& operand, std::size_t axis) const
    {
        const auto shape = m_edit.typeOf(operand.value).shape;
        return shape && shape->size() == m_rank ? (*shape)[static_cast<std::size_t>(operand.order[axis])] : Dim();
    }

    /// Attention multiplies queries and keys by the root of the scale.
    void checkScale() const
    {
        const auto scale = static_cast<float>(m_scale);
        if (!(scale > 0) || !std::isfinite(scale)) {
            throw Kept{fmt::format("its scale is {}, and Attention's is above 0", m_scale)};
        }
    }

    /// Attention does not broadcast its operands. It rejects open sizes that turn out different.
    void checkSizes() const
    {
        for (const Operand* operand : {&m_query, &m_key, &m_value}) {
            const auto shape = m_edit.typeOf(operand->value).shape;
            if (!shape || shape->size() != m_rank) {
                throw Kept{fmt::format("{} does not have {} dimensions", operand->value, m_rank)};
            }
        }
        for (std::size_t axis = 0; axis + 2 < m_rank; ++axis) {
            const std::array dims{dimOf(m_query, axis), dimOf(m_key, axis), dimOf(m_value, axis)};
            for (const Dim& dim : dims) {
                if (dim.isFixed() != dims[0].isFixed() || (dim.isFixed() && dim.size != dims[0].size)) {
                    throw Kept{"its operands are broadcast, which Attention does not do"};
                }
            }
        }
        const ElementType type = m_edit.typeOf(m_query.value).element;
        for (const std::string& value : {m_query.value, m_key.value, m_value.value}) {
            if (m_edit.typeOf(value).element != type || !isFloating(type)) {
                throw Kept{"its operands are not floating-point numbers of one type"};
            }
        }
    }

    /// A mask is broadcast to the scores, but Attention does not broadcast scores to a mask.
    void checkMask() const
    {
        const std::string& mask = m_condition.empty() ? m_mask : m_condition;
        if (mask.empty()) {
            return;
        }
        const auto scores = m_edit.typeOf(m_scores).shape;
        if (!scores || scores->size() != m_rank || (m_edit.stored(mask) == nullptr && !m_edit.typeOf(mask).shape)) {
            throw Kept{"the rank of its mask is unknown"};
        }
        const Shape shape = shapeOf(mask);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Dim& dim = shape[shape.size() - 1 - i];
            const bool isOne = dim.isFixed() && dim.size == 1;
            if (isOne || i >= m_rank) {
                continue;
            }
            const Dim& score = (*scores)[m_rank - 1 - i];
            const bool isSame = dim.isFixed() ? score.isFixed() && score.size == dim.size : true;
            if (!isSame || (score.isFixed() && score.size == 1)) {
                throw Kept{"its mask may have more elements than the scores, which Attention does not broadcast"};
            }
        }
        if (shape.size() > m_rank) {
            throw Kept{"its mask has more dimensions than the scores"};
        }
    }

    /// Inserts a node in front of the Softmax's reader. Returns its output.
    std::string emit(const char* op, const std::vector<std::string>& inputs, const TensorType& type,
                     const std::function<void(NodeProto&)>& finish = {})
    {
        NodeProto made;
        made.set_op_type(op);
        made.mutable_input()->Assign(inputs.begin(), inputs.end());
        if (finish) {
            finish(made);
        }
        std::string output = m_edit.newValue(labelOf(node(m_softmax)) + "/attention", type);
        made.add_output(output);
        m_edit.insert(*m_second, std::move(made), {m_softmax});
        return output;
    }

    /// An operand with its axes in the order of Attention.
    std::string placed(const Operand& operand)
    {
        if (std::is_sorted(operand.order.begin(), operand.order.end())) {
            return operand.value;
        }
        Shape shape;
        for (std::size_t i = 0; i < m_rank; ++i) {
            shape.push_back(dimOf(operand, i));
        }
        return emit("Transpose", {operand.value}, {m_edit.typeOf(operand.value).element, shape},
                    [&](NodeProto& made) { addInts(made, "perm", operand.order); });
    }

    std::string integers(const Ints& numbers)
    {
        return m_edit.addWeight(labelOf(node(m_softmax)) + "/attention/constant", Tensor::ints(numbers));
    }

    Shape shapeOf(const std::string& value) const
    {
        if (const Tensor* stored = m_edit.stored(value)) {
            Shape shape;
            for (const std::int64_t dim : stored->dims()) {
                shape.emplace_back(dim);
            }
            return shape;
        }
        return m_edit.typeOf(value).shape.value_or(Shape());
    }

    /// A mask of all queries and keys: Attention fills up a shorter last axis, and runtimes expect the axis of queries.
    /// Three dimensions become four.
    std::string fullMask(std::string mask, const std::string& query, const std::string& key)
    {
        const ElementType type = typeOf(mask);
        Shape shape = shapeOf(mask);
        const Dim queries = dimOf(m_query, m_rank - 2);
        const Dim keys = dimOf(m_key, m_rank - 2);
        const auto isFull = [](const Dim& dim, const Dim& wanted) { return dim.isFixed() && dim == wanted; };
        const bool isComplete =
            shape.size() >= 2 && isFull(shape.back(), keys) && isFull(shape[shape.size() - 2], queries);
        if (!isComplete) {
            const auto length = [&](const Dim& dim, const std::string& value) {
                return dim.isFixed()
                           ? integers({dim.size})
                           : emit("Shape", {value}, {ElementType::Int64, Shape{Dim(1)}}, [&](NodeProto& made) {
                                 addInt(made, "start", static_cast<std::int64_t>(m_rank) - 2);
                                 addInt(made, "end", static_cast<std::int64_t>(m_rank) - 1);
                             });
            };
            const std::string dims =
                queries.isFixed() && keys.isFixed()
                    ? integers({queries.size, keys.size})
                    : emit("Concat", {length(queries, query), length(keys, key)}, {ElementType::Int64, Shape{Dim(2)}},
                           [](NodeProto& made) { addInt(made, "axis", 0); });
            while (shape.size() < 2) {
                shape.insert(shape.begin(), Dim(1));
            }
            shape.back() = keys;
            shape[shape.size() - 2] = queries;
            mask = emit("Expand", {mask, dims}, {type, shape});
        }
        if (shape.size() == 3) {
            const std::int64_t axis = m_rank == 3 ? 1 : 0;
            shape.insert(shape.begin() + axis, Dim(1));
            mask = emit("Unsqueeze", {mask, integers({axis})}, {type, shape});
        }
        return mask;
    }

    ElementType typeOf(const std::string& value) const
    {
        const Tensor* stored = m_edit.stored(value);
        return stored != nullptr ? stored->type() : m_edit.typeOf(value).element;
    }

    /// 0 where the score counts, -infinity elsewhere.
    std::string addedMask()
    {
        if (m_condition.empty()) {
            return m_mask;
        }
        const ElementType type = m_edit.typeOf(m_query.value).element;
        const std::string label = labelOf(node(m_softmax)) + "/attention/mask";
        const std::string zero = m_edit.addWeight(label, Tensor::scalar(type, 0));
        const std::string none =
            m_edit.addWeight(label, Tensor::scalar(type, -std::numeric_limits<double>::infinity()));
        const Shape shape = shapeOf(m_condition);
        return emit("Where", {m_condition, m_isKeptWhereTrue ? zero : none, m_isKeptWhereTrue ? none : zero},
                    {type, shape});
    }

    void replace()
    {
        const std::string query = placed(m_query);
        const std::string key = placed(m_key);
        std::vector<std::string> inputs{query, key, placed(m_value)};
        if (const std::string mask = addedMask(); !mask.empty()) {
            inputs.push_back(fullMask(mask, query, key));
        }
        NodeProto& product = *m_edit.graph().mutable_node(*m_second);
        const auto fill = [&](NodeProto& made) {
            auto* scale = made.add_attribute();
            scale->set_name("scale");
            scale->set_type(::onnx::AttributeProto::FLOAT);
            scale->set_f(static_cast<float>(m_scale));
            if (m_rank == 3) {
                addInt(made, "q_num_heads", 1);
                addInt(made, "kv_num_heads", 1);
            }
        };
        const bool isPlaced = std::is_sorted(m_resultOrder.begin(), m_resultOrder.end());
        std::string result;
        if (!isPlaced) {
            Shape shape;
            for (std::size_t axis = 0; axis + 1 < m_rank; ++axis) {
                shape.push_back(dimOf(m_query, axis));
            }
            shape.push_back(dimOf(m_value, m_rank - 1));
            result = emit("Attention", inputs, {m_edit.typeOf(m_query.value).element, shape}, fill);
        }
        product.clear_attribute();
        product.clear_input();
        if (isPlaced) {
            product.set_op_type("Attention");
            product.mutable_input()->Assign(inputs.begin(), inputs.end());
            fill(product);
        } else {
            product.set_op_type("Transpose");
            product.add_input(result);
            addInts(product, "perm", m_resultOrder);
        }
        m_edit.merge(m_softmax, *m_second);
        m_edit.merge(*m_first, *m_second);
        for (const std::string& value : m_between) {
            m_edit.merge(*producer(value), *m_second);
        }
    }

    GraphEdit& m_edit;
    int m_softmax;
    std::size_t m_rank = 0;
    std::string m_scores;     ///< without mask and scale
    std::string m_weights;    ///< as the second product reads them
    bool m_isGuarded = false; ///< the weights are 0 where a mask leaves no score
    std::string m_mask;       ///< added to the scores; empty without one
    std::string m_condition;  ///< of a mask that replaces scores
    bool m_isKeptWhereTrue = true;
    std::string m_keptMask; ///< why the mask cannot be Attention's
    double m_scale = 1;
    std::vector<std::string> m_between; ///< values of nodes that Attention replaces, besides the products
    std::optional<int> m_first;         ///< the product of queries and keys
    std::optional<int> m_second;        ///< that of weights and values
    Operand m_query;
    Operand m_key;
    Operand m_value;
    Permutation m_resultOrder;
};

} // namespace

std::vector<AttentionFinding> fuseAttention(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    std::vector<AttentionFinding> findings;
    if (edit.opset() < firstAttentionOpset) {
        return findings;
    }
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        if (!isOperator(edit.graph().node(i), "Softmax")) {
            continue;
        }
        AttentionCandidate candidate(edit, i);
        if (!candidate.find()) {
            continue;
        }
        AttentionFinding finding{.node = labelOf(edit.graph().node(i))};
        if (model.body == nullptr && !model.sources[static_cast<std::size_t>(i)].empty()) {
            finding.source = model.sources[static_cast<std::size_t>(i)].front();
        }
        try {
            candidate.fuse();
            finding.isGuardLost = candidate.isGuarded();
        } catch (const Kept& kept) {
            finding.reason = kept.reason;
        }
        findings.push_back(std::move(finding));
    }
    edit.finish();
    return findings;
}

} // namespace crosswalk
