#include "core/rewrite/optimize.h"

#include "core/onnx/proto.h"
#include "core/rewrite/body_types.h"

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

void optimizeBodies(RewrittenModel model, const NodeNames& names, ::onnx::GraphProto& graph)
{
    for (auto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                model.body = attribute.mutable_g();
                const BodyTypes types(model.types, *model.body);
                simplifyBranches(model, names);
                countLoops(model, names);
                runPasses(model, names);
                optimizeBodies(model, names, *attribute.mutable_g());
            }
        }
    }
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
    auto& graph = *model.model.proto->mutable_graph();
    optimizeBodies(model, names, graph);
    eliminateNops(model, names); // removes what the bodies do not read any more
    castSizesLast(model, names);
    avoidProductFusion(model, names);
}

} // namespace crosswalk
