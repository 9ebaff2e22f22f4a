#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Whether a Pad inserts zeros: in constant mode, without a value or with a stored zero.
bool padsWithZeros(const GraphEdit& edit, const NodeProto& pad)
{
    const auto* mode = findAttribute(pad, "mode");
    if (mode != nullptr && mode->s() != "constant") {
        return false;
    }
    const std::string value = inputOf(pad, 2);
    if (value.empty()) {
        return true;
    }
    const Tensor* stored = edit.stored(value);
    return stored != nullptr && stored->elements() == 1 && stored->toDoubles().front() == 0;
}

/// The spatial padding of a Pad in the order of Conv's `pads`; nothing if it crops, or pads the batch or channel axis.
std::optional<Ints> spatialPads(const GraphEdit& edit, const NodeProto& pad)
{
    const Tensor* stored = pad.input_size() > 1 && inputOf(pad, 3).empty() ? edit.stored(pad.input(1)) : nullptr;
    if (stored == nullptr || stored->elements() < 6 || stored->elements() % 2 != 0) {
        return std::nullopt;
    }
    const Ints all = stored->toInts();
    const std::size_t rank = all.size() / 2;
    Ints spatial;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isSpatial = i % rank >= 2;
        if (isSpatial ? all[i] < 0 : all[i] != 0) {
            return std::nullopt;
        }
        if (isSpatial) {
            spatial.push_back(all[i]);
        }
    }
    return spatial;
}

/// Folds the preceding Pad into node `index` if that is a suitable Conv.
void foldPad(GraphEdit& edit, int index)
{
    NodeProto& conv = *edit.graph().mutable_node(index);
    if (conv.op_type() != "Conv" || !conv.domain().empty()) {
        return;
    }
    const auto* automatic = findAttribute(conv, "auto_pad");
    const auto producer = edit.producer(conv.input(0));
    if ((automatic != nullptr && automatic->s() != "NOTSET") || !producer || edit.reads(conv.input(0)) != 1) {
        return;
    }
    const NodeProto& pad = edit.graph().node(*producer);
    if (pad.op_type() != "Pad" || !pad.domain().empty() || !padsWithZeros(edit, pad)) {
        return;
    }
    const auto added = spatialPads(edit, pad);
    auto* pads = findAttribute(conv, "pads");
    if (!added || (pads != nullptr && static_cast<std::size_t>(pads->ints_size()) != added->size())) {
        return;
    }
    if (pads == nullptr) {
        addInts(conv, "pads", Ints(added->size(), 0));
        pads = findAttribute(conv, "pads");
    }
    for (std::size_t i = 0; i < added->size(); ++i) {
        const int at = static_cast<int>(i);
        pads->set_ints(at, pads->ints(at) + (*added)[i]);
    }
    conv.set_input(0, pad.input(0));
    edit.merge(*producer, index);
}

} // namespace

void foldPads(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        foldPad(edit, i);
    }
    edit.finish();
}

} // namespace crosswalk
