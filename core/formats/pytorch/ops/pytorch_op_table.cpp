#include "core/formats/pytorch/ops/pytorch_op_table.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/ops/half_precision.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk::pytorch {
namespace {

std::unordered_map<std::string_view, const OpRow*> makeTable()
{
    std::unordered_map<std::string_view, const OpRow*> table;
    for (const auto family : {activationOps(),    arithmeticOps(),   arrangementOps(),    attentionOps(),
                              cellOps(),          comparisonOps(),   controlOps(),        convolutionOps(),
                              creationOps(),      cumulativeOps(),   embeddingBagOps(),   indexingOps(),
                              lossOps(),          linearSystemOps(), matrixOps(),         normOps(),
                              normalizationOps(), orderOps(),        placeOps(),          poolingOps(),
                              randomOps(),        recurrentOps(),    reductionOps(),      resizingOps(),
                              scatterOps(),       shapeOps(),        sizeOps(),           specialOps(),
                              spectrumOps(),      numberOps(),       scriptControlOps(),  unaryOps(),
                              visionOps(),        quantizedOps(),    packedSequenceOps(), quantizedRecurrentOps(),
                              frameSpectrumOps(), gammaOps(),        covarianceOps(),     partOps(),
                              groupedProductOps()}) {
        for (const OpRow& row : family) {
            [[maybe_unused]] const bool added = table.emplace(row.name, &row).second;
            assert(added && "an operator is in two families");
        }
    }
    return table;
}

const std::unordered_map<std::string_view, const OpRow*>& table()
{
    static const auto rows = makeTable();
    return rows;
}

/// An overload with a meaning of its own has a row of its own, "aten::eq.number".
const OpRow* rowOf(const Node& node)
{
    if (const auto* overload = attributeOf<std::string>(node, overloadName)) {
        const auto found = table().find(fmt::format("{}.{}", node.op, *overload));
        if (found != table().end()) {
            return found->second;
        }
    }
    const auto found = table().find(node.op);
    return found != table().end() ? found->second : nullptr;
}

} // namespace

OnnxValues translateNode(NodeContext& ctx)
{
    const OpRow* row = rowOf(ctx.node);
    if (row == nullptr) {
        throw ModelError("unsupported-operator", fmt::format("{} is not supported", ctx.node.op),
                         fmt::format("--custom-op {}=DOMAIN:NAME maps it to your own operator", ctx.node.op));
    }
    for (const ValueId output : ctx.node.outputs) {
        if (isComplex(ctx.graph.value(output).type.element)) {
            ctx.refuse(fmt::format("{} returns complex numbers, which ONNX's operators do not support", ctx.node.op),
                       {}, "compute with real and imaginary parts");
        }
    }
    for (const OnnxValue input : ctx.inputs()) {
        if (input && isComplex(ctx.onnx.element(input))) {
            ctx.refuse(fmt::format("{} reads complex numbers, which ONNX's operators do not support", ctx.node.op), {},
                       "compute with real and imaginary parts");
        }
    }
    return computesInFloat32(ctx) ? translateInFloat32(ctx, row->translate) : row->translate(ctx);
}

std::vector<SupportedOperator> supportedOperators()
{
    std::vector<SupportedOperator> all;
    for (const auto& [name, row] : table()) {
        all.push_back({name, row->support, row->form, row->note});
    }
    std::ranges::sort(all, {}, &SupportedOperator::name);
    return all;
}

} // namespace crosswalk::pytorch
