#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/rewrite/for_each_body.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

class SizeCasts {
public:
    SizeCasts(const RewrittenModel& model, const NodeNames& names)
        : m_edit(model, names)
    {
    }

    /// Returns whether something was changed.
    bool run()
    {
        for (int i = 0; i < m_edit.graph().node_size(); ++i) {
            if (isOperator(m_edit.graph().node(i), "Gather")) {
                castLast(i);
            }
        }
        m_edit.finish();
        return m_isChanged;
    }

private:
    void castLast(int index)
    {
        NodeProto& gather = *m_edit.graph().mutable_node(index);
        const NodeProto* cast = m_edit.producer(gather.input(0), "Cast");
        const NodeProto* shape = cast != nullptr ? m_edit.producer(cast->input(0), "Shape") : nullptr;
        const Tensor* place = m_edit.stored(gather.input(1));
        if (shape == nullptr || place == nullptr || place->rank() != 0) {
            return;
        }
        NodeProto last = *cast;
        const std::string size = m_edit.newValue(labelOf(gather) + "/size", {ElementType::Int64, Shape()});
        last.set_name(labelOf(gather) + "/Cast");
        last.set_input(0, size);
        last.set_output(0, gather.output(0));
        gather.set_input(0, shape->output(0));
        gather.set_output(0, size);
        m_edit.insert(index + 1, std::move(last), {index});
        m_isChanged = true;
    }

    GraphEdit m_edit;
    bool m_isChanged = false;
};

bool hasRange(const GraphProto& graph)
{
    return std::any_of(graph.node().begin(), graph.node().end(), [](const NodeProto& node) {
        return isOperator(node, "Range") ||
               std::any_of(node.attribute().begin(), node.attribute().end(),
                           [](const auto& attribute) { return attribute.has_g() && hasRange(attribute.g()); });
    });
}

} // namespace

void castSizesLast(RewrittenModel model, const NodeNames& names)
{
    if (!hasRange(model.model.proto->graph())) {
        return;
    }
    const auto castLast = [&](const RewrittenModel& graph) {
        if (SizeCasts(graph, names).run()) {
            GraphEdit edit(graph, names);
            edit.dropUnread(); // Casts of whole shapes
            edit.finish();
        }
    };
    castLast(model);
    forEachBody(model, castLast);
}

} // namespace crosswalk
