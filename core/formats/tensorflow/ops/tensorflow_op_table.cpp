#include "core/formats/tensorflow/ops/tensorflow_op_table.h"

#include "core/formats/tensorflow/ops/complex_operators.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/formats/tensorflow/ops/untranslatable_operators.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk::tensorflow {
namespace {

std::unordered_map<std::string_view, const OpRow*> makeTable()
{
    std::unordered_map<std::string_view, const OpRow*> table;
    // One line per family.
    // clang-format off
    for (const auto family : {
             activationOps(),
             audioOps(),
             backpropConvolutionOps(),
             batchNormOps(),
             binaryOps(),
             bitcastOps(),
             blockLstmOps(),
             blockRearrangementOps(),
             colorOps(),
             comparisonOps(),
             concatSplitOps(),
             convolutionOps(),
             countingOps(),
             creationOps(),
             ctcOps(),
             cudnnRnnOps(),
             cumulativeOps(),
             fusedLayerOps(),
             gatherOps(),
             identityOps(),
             imageResizeOps(),
             linalgOps(),
             lookupOps(),
             loopOps(),
             lossOps(),
             matmulOps(),
             matrixDiagonalOps(),
             nativeLstmOps(),
             nonMaxSuppressionOps(),
             paddingOps(),
             partitionOps(),
             patchOps(),
             poolingOps(),
             projectiveTransformOps(),
             quantizationOps(),
             raggedOps(),
             randomOps(),
             recurrentLayerOps(),
             rankingOps(),
             reductionOps(),
             reverseOps(),
             scatterOps(),
             segmentOps(),
             selectionOps(),
             setOps(),
             shapeOps(),
             shiftOps(),
             sliceOps(),
             sortingOps(),
             sparseArithmeticOps(),
             sparseOps(),
             specialOps(),
             spectrumOps(),
             stridedSliceOps(),
             stringOps(),
             stringSplittingOps(),
             unaryOps(),
             weightedResizeOps(),
         }) {
        // clang-format on
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

/// Whether the node computes with complex numbers: one of its type attributes is complex.
bool hasComplexType(const Node& node)
{
    return std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
        const auto* type = std::get_if<ElementType>(&attribute.value);
        return type != nullptr && isComplex(*type);
    });
}

} // namespace

const OpRow* findOperator(std::string_view name)
{
    const auto found = table().find(name);
    return found != table().end() ? found->second : nullptr;
}

OnnxValues translateNode(NodeContext& ctx)
{
    const OpRow* row = findOperator(ctx.node.op);
    if (row == nullptr) {
        Untranslatable why = whyUntranslatable(ctx.node.op);
        throw ModelError("unsupported-operator", std::move(why.message), std::move(why.hint));
    }
    const bool readsComplex =
        std::ranges::any_of(ctx.inputs(), [&](OnnxValue input) { return input && isComplex(ctx.onnx.element(input)); });
    if (!readsComplex && !row->takesComplex && hasComplexType(ctx.node)) {
        if (auto results = translateComplex(ctx)) {
            return std::move(*results);
        }
    }
    if (readsComplex || (!row->takesComplex && hasComplexType(ctx.node))) {
        ctx.refuse(fmt::format("{} uses complex numbers, which ONNX's operators do not support", ctx.node.op), "T",
                   "compute with real and imaginary parts");
    }
    return row->translate(ctx);
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

} // namespace crosswalk::tensorflow
