#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/rewrite/shape_elements.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using Kind = ShapeElement::Kind;

/// The first opset in which Shape can return a part of the dimensions.
constexpr int firstPartialShape = 15;

class ShapeSimplification {
public:
    ShapeSimplification(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
        , m_graph(m_edit.graph())
        , m_values(m_edit)
    {
    }

    /// Whether there is something to simplify.
    bool hasShapes() const { return m_values.hasComposed(); }

    void run()
    {
        for (int i = 0; i < m_graph.node_size(); ++i) {
            simplifyTarget(*m_graph.mutable_node(i));
        }
        indexRoots();
        for (int i = 0; i < m_graph.node_size(); ++i) {
            for (const std::string& output : m_graph.node(i).output()) {
                if (m_roots.contains(output)) {
                    compose(i, output);
                }
            }
        }
        m_edit.finish();
    }

private:
    /// Replaces the computed shape of a Reshape or Expand by numbers where dimensions are only copied.
    void simplifyTarget(NodeProto& node)
    {
        const bool isReshape = isOperator(node, "Reshape");
        if ((!isReshape && !isOperator(node, "Expand")) || m_edit.stored(node.input(1)) != nullptr) {
            return;
        }
        const auto target = m_values.elements(node.input(1));
        const auto shape = m_edit.typeOf(node.input(0)).shape;
        const Tensor* stored = m_edit.stored(node.input(0));
        const std::size_t rank = stored != nullptr ? stored->rank() : shape ? shape->size() : 0;
        if (!target || (stored == nullptr && !shape) || target->empty()) {
            return;
        }
        const auto numbers = isReshape ? reshapeTarget(node, *target, rank) : expandTarget(node, *target, rank);
        if (numbers) {
            node.set_input(1, m_edit.addWeight(labelOf(node) + "/shape", Tensor::ints(*numbers)));
            if (isReshape) {
                node.clear_attribute(); // allowzero
            }
        }
    }

    /// 0 copies a dimension. -1 stands for a dimension only if all others are numbers, because an empty tensor with
    /// copied dimensions would not determine it.
    std::optional<Ints> reshapeTarget(const NodeProto& node, const ShapeElements& target, std::size_t rank) const
    {
        Ints numbers;
        std::size_t copied = 0;
        std::size_t open = 0;
        bool allPositive = true;
        const bool isZeroItself = intAttribute(node, "allowzero", 0) != 0;
        for (std::size_t i = 0; i < target.size(); ++i) {
            if (target[i].kind == Kind::Number) {
                if (isZeroItself && target[i].number == 0) {
                    return std::nullopt;
                }
                numbers.push_back(target[i].number);
                allPositive = allPositive && target[i].number > 0;
            } else if (i < rank && target[i] == m_values.dimension(node.input(0), i)) {
                numbers.push_back(0);
                ++copied;
            } else {
                numbers.push_back(-1);
                ++open;
            }
        }
        if (open + copied == 1 && allPositive) {
            std::replace(numbers.begin(), numbers.end(), std::int64_t{0}, std::int64_t{-1});
            return numbers;
        }
        return open == 0 ? std::optional(numbers) : std::nullopt;
    }

    /// 1 keeps a dimension.
    std::optional<Ints> expandTarget(const NodeProto& node, const ShapeElements& target, std::size_t rank) const
    {
        Ints numbers;
        for (std::size_t i = 0; i < target.size(); ++i) {
            const std::size_t axis = i + rank - target.size();
            const bool isOwn = i + rank >= target.size() && axis < rank && target[i].kind != Kind::Item &&
                               target[i] == m_values.dimension(node.input(0), axis);
            if (!isOwn && target[i].kind != Kind::Number) {
                return std::nullopt;
            }
            numbers.push_back(isOwn ? 1 : target[i].number);
        }
        return numbers;
    }

    /// Composed values that are read by other nodes than those that compose values.
    void indexRoots()
    {
        for (const NodeProto& node : m_graph.node()) {
            const bool composes = !node.output().empty() &&
                                  std::all_of(node.output().begin(), node.output().end(),
                                              [&](const std::string& output) { return m_values.isComposed(output); });
            for (const std::string& input : node.input()) {
                if (!composes && m_values.isComposed(input) && m_edit.isReplaceable(input)) {
                    m_roots.insert(input);
                }
            }
        }
    }

    /// A new value for the elements of a composed one.
    void compose(int index, const std::string& root)
    {
        const TensorType type = m_edit.typeOf(root);
        const ShapeElements elements = *m_values.elements(root);
        m_before = index;
        m_label = root;
        const std::string made =
            rankOf(root) == 0 ? single(elements.front(), type.element) : vector(elements, type.element);
        if (made != root) {
            m_edit.replaceReads(root, made);
        }
    }

    std::string single(const ShapeElement& element, ElementType type)
    {
        if (element.kind == Kind::Number) {
            return m_edit.addWeight(m_label + "/constant",
                                    Tensor::ints(Ints{element.number}).converted(type).reshaped({}));
        }
        if (element.kind == Kind::Item) {
            const TensorType from = m_edit.typeOf(element.value);
            const std::string item = rankOf(element.value) == 0
                                         ? element.value
                                         : gathered(element.value, {element.number}, true, from.element);
            return casted(item, from.element, type, {});
        }
        const std::string whole = casted(shapeOfTensor(element.value), ElementType::Int64, type, std::nullopt);
        return gathered(whole, {element.number}, true, type);
    }

    std::string vector(const ShapeElements& elements, ElementType type)
    {
        // Integers of the type itself are not converted to int64 and back.
        const bool isOwn = std::all_of(elements.begin(), elements.end(), [&](const ShapeElement& element) {
            return element.kind == Kind::Number ||
                   (element.kind == Kind::Item && m_edit.typeOf(element.value).element == type);
        });
        const ElementType inside = isOwn ? type : ElementType::Int64;
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < elements.size();) {
            std::size_t end = i + 1;
            while (end < elements.size() && continues(elements[end - 1], elements[end])) {
                ++end;
            }
            const auto from = elements.begin() + static_cast<std::ptrdiff_t>(i);
            parts.push_back(part(ShapeElements(from, elements.begin() + static_cast<std::ptrdiff_t>(end)), inside));
            i = end;
        }
        const auto length = static_cast<std::int64_t>(elements.size());
        if (parts.empty()) {
            return constant({}, type);
        }
        std::string joined = parts.front();
        if (parts.size() > 1) {
            NodeProto node;
            node.set_op_type("Concat");
            node.mutable_input()->Assign(parts.begin(), parts.end());
            addInt(node, "axis", 0);
            joined = emit(std::move(node), {inside, Shape{Dim(length)}});
        }
        return casted(joined, inside, type, length);
    }

    static bool continues(const ShapeElement& before, const ShapeElement& element)
    {
        return element.kind == before.kind &&
               (element.kind == Kind::Number || (element.value == before.value && element.number == before.number + 1));
    }

    /// A run of numbers, dimensions of one tensor or elements of one value.
    std::string part(const ShapeElements& run, ElementType type)
    {
        Ints numbers;
        std::transform(run.begin(), run.end(), std::back_inserter(numbers),
                       [](const ShapeElement& element) { return element.number; });
        const auto length = static_cast<std::int64_t>(run.size());
        const std::string& value = run.front().value;
        if (run.front().kind == Kind::Number) {
            return constant(numbers, type);
        }
        if (run.front().kind == Kind::Dimension) {
            return dimensions(value, numbers.front(), length);
        }
        const TensorType from = m_edit.typeOf(value);
        const Shape shape = from.shape.value_or(Shape());
        if (shape.empty()) {
            NodeProto node;
            node.set_op_type("Unsqueeze");
            node.add_input(casted(value, from.element, type, {}));
            setAxes(node);
            return emit(std::move(node), {type, Shape{Dim(1)}});
        }
        const bool isWhole = shape.front() == Dim(length);
        return casted(isWhole ? value : gathered(value, numbers, false, from.element), from.element, type, length);
    }

    void setAxes(NodeProto& node)
    {
        if (m_edit.opset() >= firstAxesInput) {
            node.add_input(constant({0}));
        } else {
            addInts(node, "axes", Ints{0});
        }
    }

    std::string dimensions(const std::string& tensor, std::int64_t begin, std::int64_t length)
    {
        const std::int64_t rank = rankOf(tensor);
        if (length == rank) {
            return shapeOfTensor(tensor);
        }
        if (m_edit.opset() < firstPartialShape) {
            Ints axes;
            for (std::int64_t i = begin; i < begin + length; ++i) {
                axes.push_back(i);
            }
            return gathered(shapeOfTensor(tensor), axes, false, ElementType::Int64);
        }
        NodeProto node;
        node.set_op_type("Shape");
        node.add_input(tensor);
        addInt(node, "start", begin);
        if (begin + length < rank) {
            addInt(node, "end", begin + length);
        }
        return emit(std::move(node), {ElementType::Int64, Shape{Dim(length)}});
    }

    std::string shapeOfTensor(const std::string& tensor)
    {
        NodeProto node;
        node.set_op_type("Shape");
        node.add_input(tensor);
        return emit(std::move(node), {ElementType::Int64, Shape{Dim(rankOf(tensor))}});
    }

    std::int64_t rankOf(const std::string& tensor) const
    {
        return static_cast<std::int64_t>(m_edit.typeOf(tensor).shape.value_or(Shape()).size());
    }

    std::string gathered(const std::string& value, const Ints& indices, bool isScalar, ElementType type)
    {
        NodeProto node;
        node.set_op_type("Gather");
        node.add_input(value);
        node.add_input(isScalar ? scalar(indices.front()) : constant(indices));
        addInt(node, "axis", 0);
        return emit(std::move(node),
                    {type, isScalar ? Shape{} : Shape{Dim(static_cast<std::int64_t>(indices.size()))}});
    }

    /// `length`: of a vector; nothing for a single integer or if it is that of the value.
    std::string casted(const std::string& value, ElementType from, ElementType to, std::optional<std::int64_t> length)
    {
        if (from == to) {
            return value;
        }
        NodeProto node;
        node.set_op_type("Cast");
        node.add_input(value);
        addInt(node, "to", static_cast<std::int64_t>(to));
        const auto known = m_edit.typeOf(value).shape;
        return emit(std::move(node), {to, length ? Shape{Dim(*length)} : known});
    }

    std::string constant(const Ints& values, ElementType type = ElementType::Int64)
    {
        auto& name = m_constants[{values, type, false}];
        if (name.empty()) {
            name = m_edit.addWeight(m_label + "/constant", Tensor::ints(values).converted(type));
        }
        return name;
    }

    std::string scalar(std::int64_t value)
    {
        auto& name = m_constants[{{value}, ElementType::Int64, true}];
        if (name.empty()) {
            name = m_edit.addWeight(m_label + "/constant", Tensor::ints(Ints{value}).reshaped({}));
        }
        return name;
    }

    /// Inserts a node unless an equal one has been inserted.
    std::string emit(NodeProto node, const TensorType& type)
    {
        auto& made = m_made[node.SerializeAsString()];
        if (made.empty()) {
            made = m_edit.newValue(m_label + "/" + node.op_type(), type);
            node.add_output(made);
            node.set_name(made);
            m_edit.insert(m_before, std::move(node), {m_before});
        }
        return made;
    }

    GraphEdit m_edit;
    ::onnx::GraphProto& m_graph;
    ShapeValues m_values;
    std::set<std::string> m_roots;
    std::map<std::string, std::string> m_made; ///< values, by node
    /// By content, type, and whether it is a single integer.
    std::map<std::tuple<Ints, ElementType, bool>, std::string> m_constants;
    int m_before = 0;    ///< new nodes stand in front of this one
    std::string m_label; ///< prefix of names
};

/// What a pass changes, for passes that may turn out not to be worthwhile.
struct Snapshot {
    explicit Snapshot(const RewrittenModel& model)
        : graph(model.body != nullptr ? *model.body : model.model.proto->graph())
        , stubs(model.model.proto->graph().initializer())
        , weights(model.model.weights)
        , sources(model.sources)
    {
    }

    void restore(RewrittenModel& model)
    {
        auto& top = *model.model.proto->mutable_graph();
        (model.body != nullptr ? *model.body : top) = std::move(graph);
        *top.mutable_initializer() = std::move(stubs);
        model.model.weights = std::move(weights);
        model.sources = std::move(sources);
    }

    ::onnx::GraphProto graph;
    ::google::protobuf::RepeatedPtrField<::onnx::TensorProto> stubs;
    std::vector<Tensor> weights;
    std::vector<std::vector<NodeId>> sources;
};

int nodeCount(const RewrittenModel& model)
{
    return model.body != nullptr ? model.body->node_size() : model.model.proto->graph().node_size();
}

} // namespace

void simplifyShapes(RewrittenModel model, const NodeNames& names)
{
    ShapeSimplification simplification(model, names);
    if (!simplification.hasShapes()) {
        return;
    }
    Snapshot before(model);
    const int count = nodeCount(model);
    simplification.run();
    eliminateNops(model, names);
    if (nodeCount(model) >= count) {
        before.restore(model);
    }
}

} // namespace crosswalk
