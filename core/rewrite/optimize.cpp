#include "core/rewrite/optimize.h"

#include "core/onnx/proto.h"
#include "core/rewrite/for_each_body.h"

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

namespace {

/// Runs every pass once.
void runPasses(RewrittenModel model, const NodeNames& names)
{
    foldConstants(model, names);
    eliminateNops(model, names);
    eliminateCommonSubexpressions(model, names);
    scalarizeConstants(model, names);
    if (model.attention != nullptr) {
        const auto found = fuseAttention(model, names);
        model.attention->insert(model.attention->end(), found.begin(), found.end());
        eliminateNops(model, names); // merges Transposes
    }
    fuseOperators(model, names);
    mergeProducts(model, names);
    assignLayouts(model, names);
    simplifyOperands(model, names);
    simplifyShapes(model, names);
    simplifyIndices(model, names);
    eliminateCommonSubexpressions(model, names);
    sinkSqueezes(model, names);
    if (mergeTransposes(model, names)) {
        eliminateNops(model, names); // some of them keep the order
        assignLayouts(model, names);
    }
    mergeReshapes(model, names);
    mergeConcats(model, names);
    mergeSlices(model, names);
    if (flattenProducts(model, names)) {
        eliminateNops(model, names); // a Reshape to rows after it
    }
    foldPads(model, names);
    foldBiases(model, names);
    foldBatchNormalization(model, names);
}

} // namespace

void optimize(RewrittenModel model, const NodeNames& names)
{
    mergeDirections(model, names);
    runPasses(model, names);
    castSizesLast(model, names);
    avoidProductFusion(model, names);
}

void optimizeWithBodies(RewrittenModel model, const NodeNames& names)
{
    mergeDirections(model, names);
    simplifyBranches(model, names);
    countLoops(model, names);
    runPasses(model, names);
    for (const auto& input : model.model.proto->graph().input()) {
        model.types.try_emplace(input.name(), fromProto(input.type()));
    }
    forEachBody(model, [&](const RewrittenModel& body) {
        simplifyBranches(body, names);
        countLoops(body, names);
        runPasses(body, names);
    });
    eliminateNops(model, names); // removes what the bodies do not read any more
    castSizesLast(model, names);
    avoidProductFusion(model, names);
}

} // namespace crosswalk
