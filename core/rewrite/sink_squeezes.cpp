#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

class SqueezeSinking {
public:
    SqueezeSinking(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            if (isOperator(m_edit.graph().node(i), "Concat")) {
                sinkBelow(i);
            }
        }
        m_edit.finish();
    }

private:
    /// The Squeezes that compute the operands, each read by the Concat alone; empty if there are other operands.
    std::vector<int> squeezesOf(const NodeProto& concat) const
    {
        std::vector<int> squeezes;
        for (const std::string& input : concat.input()) {
            const auto producer = m_edit.producer(input);
            if (!producer || !isOperator(m_edit.graph().node(*producer), "Squeeze") || m_edit.reads(input) != 1) {
                return {};
            }
            squeezes.push_back(*producer);
        }
        return squeezes;
    }

    /// For each axis of a Squeeze's input whether it is removed; nothing if that is unknown.
    std::optional<std::vector<bool>> removedAxes(const NodeProto& squeeze) const
    {
        const auto shape = m_edit.typeOf(squeeze.input(0)).shape;
        const auto* attribute = findAttribute(squeeze, "axes");
        const Tensor* stored = inputOf(squeeze, 1).empty() ? nullptr : m_edit.stored(squeeze.input(1));
        if (!shape || (attribute == nullptr && stored == nullptr)) {
            return std::nullopt;
        }
        std::vector<bool> isRemoved(shape->size());
        for (const std::int64_t axis :
             stored != nullptr ? stored->toInts() : Ints(attribute->ints().begin(), attribute->ints().end())) {
            const std::size_t place = axisAt(axis, shape->size());
            if (place >= shape->size()) {
                return std::nullopt;
            }
            isRemoved[place] = true;
        }
        return isRemoved;
    }

    void sinkBelow(int index)
    {
        NodeProto& concat = *m_edit.graph().mutable_node(index);
        const std::vector<int> squeezes = squeezesOf(concat);
        if (squeezes.size() < 2) {
            return;
        }
        const NodeProto first = m_edit.graph().node(squeezes.front());
        const auto isRemoved = removedAxes(first);
        const bool areEqual = isRemoved && std::ranges::all_of(squeezes, [&](int squeeze) {
                                  return removedAxes(m_edit.graph().node(squeeze)) == isRemoved;
                              });
        if (!areEqual) {
            return;
        }
        Ints kept;
        for (std::size_t axis = 0; axis < isRemoved->size(); ++axis) {
            if (!(*isRemoved)[axis]) {
                kept.push_back(static_cast<std::int64_t>(axis));
            }
        }
        auto* axis = findAttribute(concat, "axis");
        const std::size_t place = axisAt(axis->i(), kept.size());
        if (place >= kept.size()) {
            return;
        }
        axis->set_i(kept[place]);
        for (int input = 0; input < concat.input_size(); ++input) {
            const int squeeze = squeezes[static_cast<std::size_t>(input)];
            concat.set_input(input, m_edit.graph().node(squeeze).input(0));
            m_edit.merge(squeeze, index);
        }
        insertBehind(index, first, *isRemoved);
    }

    /// Squeezes the result of the Concat.
    void insertBehind(int index, NodeProto squeeze, const std::vector<bool>& isRemoved)
    {
        NodeProto& concat = *m_edit.graph().mutable_node(index);
        TensorType type = m_edit.typeOf(concat.output(0));
        if (type.shape) {
            for (std::size_t axis = 0; axis < isRemoved.size(); ++axis) {
                if (isRemoved[axis]) {
                    type.shape->insert(type.shape->begin() + static_cast<std::ptrdiff_t>(axis), Dim(1));
                }
            }
        }
        const std::string result = concat.output(0);
        concat.set_output(0, m_edit.newValue(result + "/unsqueezed", type));
        squeeze.set_input(0, concat.output(0));
        squeeze.set_output(0, result);
        m_edit.insert(index + 1, std::move(squeeze), {index});
    }

    GraphEdit m_edit;
};

} // namespace

void sinkSqueezes(RewrittenModel model, const NodeNames& names)
{
    SqueezeSinking(model, names).run();
}

} // namespace crosswalk
