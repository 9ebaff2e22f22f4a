#include "core/rewrite/optimize.h"

#include "core/onnx/proto.h"

namespace crosswalk {

ValueTypes statedTypes(const ::onnx::GraphProto& graph)
{
    ValueTypes types;
    for (const auto* infos : {&graph.value_info(), &graph.output()}) {
        for (const auto& info : *infos) {
            types[info.name()] = fromProto(info.type());
        }
    }
    return types;
}

void optimize(RewrittenModel model, const NodeNames& names)
{
    foldConstants(model, names);
    eliminateNops(model, names);
    eliminateCommonSubexpressions(model, names);
    scalarizeConstants(model, names);
    mergeReshapes(model, names);
    mergeConcats(model, names);
    mergeSlices(model, names);
    foldPads(model, names);
    foldBatchNormalization(model, names);
}

} // namespace crosswalk
