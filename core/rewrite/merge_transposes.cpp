#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Where an axis of a value comes from: an axis of the first value of a chain, or nothing, for an added one of size
/// one.
using Origins = std::vector<std::optional<std::int64_t>>;

class TransposeMerging {
public:
    TransposeMerging(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    /// Whether a chain was merged.
    bool run()
    {
        for (int i = m_edit.graph().node_size(); i-- > 0;) {
            if (!m_merged.contains(i)) {
                mergeChain(i);
            }
        }
        m_edit.finish();
        return !m_merged.empty();
    }

private:
    bool movesAxes(const NodeProto& node) const
    {
        return isOperator(node, "Transpose") || isOperator(node, "Squeeze") || isOperator(node, "Unsqueeze");
    }

    /// The axes of a Squeeze or Unsqueeze; nothing if they are computed or left out.
    std::optional<Ints> axesOf(const NodeProto& node, std::size_t rank) const
    {
        Ints axes;
        if (const auto* given = findAttribute(node, "axes")) {
            axes.assign(given->ints().begin(), given->ints().end());
        } else if (const Tensor* stored = inputOf(node, 1).empty() ? nullptr : m_edit.stored(node.input(1))) {
            axes = stored->toInts();
        }
        for (std::int64_t& axis : axes) {
            const std::size_t place = axisAt(axis, rank);
            if (place >= rank) {
                return std::nullopt;
            }
            axis = static_cast<std::int64_t>(place);
        }
        std::sort(axes.begin(), axes.end());
        axes.erase(std::unique(axes.begin(), axes.end()), axes.end()); // a Squeeze may repeat an axis
        return axes.empty() ? std::nullopt : std::optional(axes);
    }

    /// Applies a node to the axes of its input. False if its axes are unknown.
    bool apply(const NodeProto& node, Origins& axes) const
    {
        if (isOperator(node, "Transpose")) {
            const Permutation order = permutationOf(m_edit, node);
            if (order.size() != axes.size()) {
                return false;
            }
            Origins moved;
            for (const std::int64_t axis : order) {
                moved.push_back(axes.at(static_cast<std::size_t>(axis)));
            }
            axes = std::move(moved);
            return true;
        }
        const bool isAdding = isOperator(node, "Unsqueeze");
        const std::size_t added = isAdding ? axesCount(node) : 0;
        const auto places = axesOf(node, axes.size() + added);
        if (!places || (isAdding && places->size() != added)) {
            return false;
        }
        if (isAdding) {
            for (const std::int64_t place : *places) {
                axes.insert(axes.begin() + place, std::nullopt);
            }
        } else {
            for (std::size_t i = places->size(); i-- > 0;) {
                axes.erase(axes.begin() + (*places)[i]);
            }
        }
        return true;
    }

    std::size_t axesCount(const NodeProto& node) const
    {
        if (const auto* given = findAttribute(node, "axes")) {
            return static_cast<std::size_t>(given->ints_size());
        }
        const Tensor* stored = inputOf(node, 1).empty() ? nullptr : m_edit.stored(node.input(1));
        return stored == nullptr ? 0 : static_cast<std::size_t>(stored->elements());
    }

    /// Replaces the longest chain that ends in a node and only permutes the axes of its first value.
    void mergeChain(int last)
    {
        std::vector<int> chain; // the last node first
        std::optional<int> next = last;
        std::size_t merged = 0;
        Permutation order;
        while (next && movesAxes(m_edit.graph().node(*next)) &&
               (chain.empty() || m_edit.reads(m_edit.graph().node(*next).output(0)) == 1)) {
            chain.push_back(*next);
            const std::string& input = m_edit.graph().node(*next).input(0);
            if (const auto found = orderOf(chain, input); chain.size() > 1 && found) {
                merged = chain.size();
                order = *found;
            }
            next = m_edit.producer(input);
        }
        if (merged == 0) {
            return;
        }
        NodeProto& node = *m_edit.graph().mutable_node(last);
        const std::string input = m_edit.graph().node(chain[merged - 1]).input(0);
        node.set_op_type("Transpose");
        node.clear_attribute();
        node.clear_input();
        node.add_input(input);
        addInts(node, "perm", order);
        for (std::size_t i = 1; i < merged; ++i) {
            m_edit.merge(chain[i], last);
            m_merged.insert(chain[i]);
        }
    }

    /// The permutation that a chain of nodes applies to a value; nothing if the number of dimensions changes.
    std::optional<Permutation> orderOf(const std::vector<int>& chain, const std::string& input) const
    {
        const auto shape = m_edit.typeOf(input).shape;
        if (!shape) {
            return std::nullopt;
        }
        Origins axes;
        for (std::size_t i = 0; i < shape->size(); ++i) {
            axes.emplace_back(static_cast<std::int64_t>(i));
        }
        for (std::size_t i = chain.size(); i-- > 0;) {
            if (!apply(m_edit.graph().node(chain[i]), axes)) {
                return std::nullopt;
            }
        }
        if (axes.size() != shape->size()) {
            return std::nullopt;
        }
        // The added axes stand for the removed ones, all of size one.
        Ints removed;
        for (std::size_t i = 0; i < shape->size(); ++i) {
            if (std::find(axes.begin(), axes.end(), std::optional(static_cast<std::int64_t>(i))) == axes.end()) {
                removed.push_back(static_cast<std::int64_t>(i));
            }
        }
        Permutation order;
        auto free = removed.begin();
        for (const auto& axis : axes) {
            order.push_back(axis ? *axis : *free++);
        }
        return order;
    }

    GraphEdit m_edit;
    std::unordered_set<int> m_merged;
};

} // namespace

bool mergeTransposes(RewrittenModel model, const NodeNames& names)
{
    return TransposeMerging(model, names).run();
}

} // namespace crosswalk
