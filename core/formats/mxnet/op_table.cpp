#include "core/formats/mxnet/op_table.h"

#include "core/formats/mxnet/families.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace crosswalk::mxnet {
namespace {

std::unordered_map<std::string_view, const OpRow*> makeTable()
{
    std::unordered_map<std::string_view, const OpRow*> table;
    // One line per family.
    // clang-format off
    for (const auto family : {
             activationOps(),
             arithmeticOps(),
             attentionOps(),
             batchNormOps(),
             boxNmsOps(),
             boxOps(),
             broadcastingOps(),
             allcloseOps(),
             controlFlowOps(),
             convolutionOps(),
             correlationOps(),
             creationOps(),
             ctcLossOps(),
             deformableConvolutionOps(),
             deformableRoiPoolingOps(),
             randomPdfOps(),
             diagonalOps(),
             fusedSubgraphOps(),
             gridSamplingOps(),
             histogramOps(),
             imageOps(),
             imageSizeOps(),
             indexingOps(),
             concatSplitOps(),
             linalgOps(),
             lossOps(),
             bipartiteMatchingOps(),
             matrixOps(),
             multiBoxDetectionOps(),
             multiBoxPriorOps(),
             multiBoxTargetOps(),
             normalizationOps(),
             numpyCreationOps(),
             numpyDiagonalOps(),
             numpyEinsumOps(),
             numpyElementwiseOps(),
             numpyInsertDeleteOps(),
             numpyConcatStackOps(),
             numpyLinalgOps(),
             numpyMomentOps(),
             numpyRemainderAndLogicOps(),
             numpyPermuteRollOps(),
             numpyPaddingOps(),
             numpyPercentileOps(),
             numpyProductOps(),
             numpyRandomOps(),
             numpyReductionOps(),
             numpySelectionOps(),
             numpyShapeOps(),
             numpyUnaryOps(),
             orderingOps(),
             orthogonalFactorOps(),
             poolingOps(),
             arangeOps(),
             proposalOps(),
             quantizationOps(),
             quantizedArithmeticOps(),
             quantizedLayerOps(),
             randomOps(),
             spaceToDepthOps(),
             recurrentOps(),
             reductionOps(),
             reshapeOps(),
             resizeOps(),
             roiAlignOps(),
             roiPoolingOps(),
             scalarArithmeticOps(),
             scatteringOps(),
             sequenceOps(),
             slicingOps(),
             softmaxOps(),
             castOps(),
             unaryOps(),
         }) {
        // clang-format on
        for (const OpRow& row : family) {
            [[maybe_unused]] const bool isNew = table.emplace(row.name, &row).second;
            assert(isNew && "an operator is in two families");
        }
    }
    return table;
}

const std::unordered_map<std::string_view, const OpRow*>& table()
{
    static const auto rows = makeTable();
    return rows;
}

} // namespace

const OpRow* findOperator(std::string_view name)
{
    const auto row = table().find(name);
    return row != table().end() ? row->second : nullptr;
}

std::vector<SupportedOperator> supportedOperators()
{
    std::vector<SupportedOperator> operators;
    for (const auto& [name, row] : table()) {
        operators.push_back({name, row->support, row->form, row->note});
    }
    std::sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return operators;
}

} // namespace crosswalk::mxnet
