#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk::tensorflow {

class TargetScope;

/// A list of tensors: a TensorArray of TensorFlow 1 by its flow, or a TensorList of TensorFlow 2.
struct List;

/// The lowered form of a source value.
struct Lowered {
    enum class Kind : std::uint8_t {
        Absent,
        Tensor,   ///< `value` of `scope`
        Variable, ///< the handle of a variable; `node` is the node that creates it
        Array,    ///< the handle of a TensorArray; `node` creates it
        List,
        Table, ///< a lookup table of known content; `node` of the main graph creates it
    };
    Kind kind = Kind::Absent;
    TargetScope* scope = nullptr;
    ValueId value = {};
    NodeRef node = {};
    std::shared_ptr<const List> list = {};

    bool isTensor() const { return kind == Kind::Tensor; }
    friend bool operator==(const Lowered& a, const Lowered& b)
    {
        return a.kind == b.kind && a.scope == b.scope && a.value == b.value && a.node == b.node && a.list == b.list;
    }
};

struct List {
    enum class Content : std::uint8_t {
        Empty,    ///< reserved, with `size` elements
        Stacked,  ///< the rows of `tensor`
        Variable, ///< a loop variable at the start of a step, whose value before the loop is `before`
        Written,  ///< `before`, with `tensor` in place of element `index`, or after the last one
    };
    Content content = Content::Empty;
    ElementType element = ElementType::Undefined;
    Lowered size = {};                    ///< number of elements, if known
    std::optional<Ints> elementDims = {}; ///< of Empty: the shape of the elements, if the model declares it in full
    Lowered tensor = {};
    Lowered index = {};
    std::optional<std::int64_t> position = {}; ///< the index if it is stored
    bool isAppended = false;                   ///< of Written: `tensor` becomes the last element
    std::shared_ptr<const List> before = {};
    mutable bool isRead = false; ///< of Variable: whether the step reads elements that were written before it
};

/// A graph that lowering builds: the model's, or the body of a loop or branch. A body captures every value of the
/// enclosing graphs as an input; constants are stored in each body that reads them.
class TargetScope {
public:
    explicit TargetScope(TargetScope* parent);

    Graph graph;

    Lowered tensor(ValueId value) { return {.kind = Lowered::Kind::Tensor, .scope = this, .value = value}; }
    /// Adds a node and returns its outputs. Inputs of outer scopes are captured.
    std::vector<Lowered> add(Node node, const std::vector<Lowered>& inputs, const std::vector<ValueType>& types,
                             const std::vector<std::string>& names);
    Lowered input(std::string name, ValueType type);
    Lowered constant(std::string name, Tensor content);
    /// The value of this scope that equals a tensor of this scope or an enclosing one.
    ValueId use(const Lowered& tensor);

    /// Values of the enclosing scope that this scope reads, in the order of Graph::inputs after the first ones.
    const std::vector<Lowered>& captures() const { return m_captures; }
    /// Turns an input into a capture of `outer`, or into a constant if that is stored.
    void captureInput(ValueId input, const Lowered& outer);
    TargetScope* parent() const { return m_parent; }

private:
    TargetScope* m_parent;
    std::vector<Lowered> m_captures;
    std::map<std::pair<const TargetScope*, ValueId>, ValueId> m_local; ///< maps outer values to values of this scope
};

/// The element's content if stored; null otherwise.
const Tensor* contentOf(const Lowered& tensor);
/// The value of a stored integer scalar.
std::optional<std::int64_t> scalarOf(const Lowered& tensor);
/// The node that computes a tensor; null for an input, a stored value and anything but a tensor.
const Node* producerOf(const Lowered& tensor);

} // namespace crosswalk::tensorflow
