#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The first opset in which the sizes of Split's parts are an input.
constexpr int firstSizesInput = 13;

struct Piece {
    int node = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// The slices of a value along an axis.
using Pieces = std::map<std::tuple<std::string, std::int64_t>, std::vector<Piece>>;

class SliceMerging {
public:
    SliceMerging(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
        , m_opset(opsetOf(model.model))
    {
    }

    void run()
    {
        Pieces pieces;
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            collect(i, pieces);
        }
        for (auto& [place, parts] : pieces) {
            const auto& [value, axis] = place;
            std::sort(parts.begin(), parts.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
            if (parts.size() > 1 && isPartition(parts, sizeOf(value, axis))) {
                split(value, axis, parts);
            }
        }
        m_edit.finish();
    }

private:
    std::optional<std::int64_t> number(const NodeProto& node, int input) const
    {
        const Tensor* stored = inputOf(node, input).empty() ? nullptr : m_edit.stored(node.input(input));
        const bool isOne = stored != nullptr && stored->elements() == 1 &&
                           (stored->type() == ElementType::Int64 || stored->type() == ElementType::Int32);
        return isOne ? std::optional(stored->toInts()[0]) : std::nullopt;
    }

    std::int64_t sizeOf(const std::string& value, std::int64_t axis) const
    {
        return (*m_edit.typeOf(value).shape)[static_cast<std::size_t>(axis)].size;
    }

    /// Collects a Slice along one axis of known size with step 1.
    void collect(int index, Pieces& pieces) const
    {
        const NodeProto& node = m_edit.graph().node(index);
        if (!node.domain().empty() || node.op_type() != "Slice" || node.input_size() < 4) {
            return;
        }
        const auto shape = m_edit.typeOf(node.input(0)).shape;
        auto begin = number(node, 1);
        auto end = number(node, 2);
        auto axis = number(node, 3);
        const bool isStepped = !inputOf(node, 4).empty() && number(node, 4) != 1;
        if (!shape || !begin || !end || !axis || isStepped) {
            return;
        }
        const auto rank = static_cast<std::int64_t>(shape->size());
        axis = *axis < 0 ? *axis + rank : *axis;
        if (*axis < 0 || *axis >= rank || !(*shape)[static_cast<std::size_t>(*axis)].isFixed()) {
            return;
        }
        const std::int64_t size = (*shape)[static_cast<std::size_t>(*axis)].size;
        const auto inside = [size](std::int64_t place) {
            return std::clamp<std::int64_t>(place < 0 ? place + size : place, 0, size);
        };
        pieces[{node.input(0), *axis}].push_back({index, inside(*begin), inside(*end)});
    }

    /// Whether the pieces are adjacent and cover the axis from the first element to the last.
    static bool isPartition(const std::vector<Piece>& pieces, std::int64_t size)
    {
        std::int64_t at = 0;
        for (const Piece& piece : pieces) {
            if (piece.begin != at || piece.end <= at) {
                return false;
            }
            at = piece.end;
        }
        return at == size;
    }

    /// Inserts the Split at the position of the first Slice.
    void split(const std::string& value, std::int64_t axis, const std::vector<Piece>& pieces)
    {
        int first = pieces.front().node;
        Ints sizes;
        std::vector<std::string> outputs;
        for (const Piece& piece : pieces) {
            first = std::min(first, piece.node);
            sizes.push_back(piece.end - piece.begin);
            outputs.push_back(m_edit.graph().node(piece.node).output(0));
        }
        NodeProto& node = *m_edit.graph().mutable_node(first);
        const std::string label = labelOf(node);
        node.set_op_type("Split");
        node.clear_input();
        node.clear_attribute();
        node.add_input(value);
        if (m_opset >= firstSizesInput) {
            node.add_input(m_edit.addWeight(label + "/split", Tensor::ints(sizes)));
        } else {
            addInts(node, "split", sizes);
        }
        addInt(node, "axis", axis);
        node.mutable_output()->Assign(outputs.begin(), outputs.end());
        for (const Piece& piece : pieces) {
            if (piece.node != first) {
                m_edit.merge(piece.node, first);
            }
        }
    }

    GraphEdit m_edit;
    int m_opset;
};

/// Merges a Slice into its only consumer, if that is a Slice along other axes.
class SliceJoining {
public:
    SliceJoining(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    void run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            const auto before = m_edit.graph().node(i).input_size() > 0
                                    ? m_edit.producer(m_edit.graph().node(i).input(0))
                                    : std::nullopt;
            if (before && m_edit.reads(m_edit.graph().node(i).input(0)) == 1) {
                join(*before, i);
            }
        }
        m_edit.finish();
    }

private:
    struct Cut {
        Ints begins;
        Ints ends;
        Ints axes;
        Ints steps;
    };

    /// What a Slice with stored bounds takes.
    std::optional<Cut> cutOf(const NodeProto& node) const
    {
        const auto shape = node.input_size() > 0 ? m_edit.typeOf(node.input(0)).shape : std::nullopt;
        if (!isOperator(node, "Slice") || node.input_size() < 4 || !shape) {
            return std::nullopt;
        }
        Cut cut;
        Ints* const parts[]{&cut.begins, &cut.ends, &cut.axes, &cut.steps};
        for (int i = 1; i < node.input_size(); ++i) {
            const Tensor* stored = node.input(i).empty() ? nullptr : m_edit.stored(node.input(i));
            if (stored == nullptr) {
                return std::nullopt;
            }
            *parts[i - 1] = stored->toInts();
        }
        cut.steps.resize(cut.axes.size(), 1);
        for (std::int64_t& axis : cut.axes) {
            axis += axis < 0 ? static_cast<std::int64_t>(shape->size()) : 0;
        }
        return cut;
    }

    void join(int before, int index)
    {
        NodeProto& node = *m_edit.graph().mutable_node(index);
        const NodeProto& inner = m_edit.graph().node(before);
        auto first = cutOf(inner);
        const auto second = cutOf(node);
        const auto isCut = [&](std::int64_t axis) { return std::ranges::find(first->axes, axis) != first->axes.end(); };
        if (!first || !second || std::ranges::any_of(second->axes, isCut)) {
            return;
        }
        const std::string label = labelOf(node);
        const std::string x = inner.input(0);
        node.clear_input();
        node.add_input(x);
        const auto add = [&](Ints Cut::*part, const char* name) {
            Ints& all = (*first).*part;
            const Ints& added = (*second).*part;
            all.insert(all.end(), added.begin(), added.end());
            node.add_input(m_edit.addWeight(label + "/" + name, Tensor::ints(all)));
        };
        add(&Cut::begins, "starts");
        add(&Cut::ends, "ends");
        add(&Cut::axes, "axes");
        add(&Cut::steps, "steps");
        m_edit.merge(before, index);
    }

    GraphEdit m_edit;
};

} // namespace

void mergeSlices(RewrittenModel model, const NodeNames& names)
{
    SliceMerging(model, names).run();
    SliceJoining(model, names).run();
}

} // namespace crosswalk
