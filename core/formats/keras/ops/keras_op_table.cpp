#include "core/formats/keras/ops/keras_op_table.h"

#include "core/formats/keras/ops/call_check.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/untranslatable_layers.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace crosswalk::keras {
namespace {

std::unordered_map<std::string_view, const OpRow*> makeTable()
{
    std::unordered_map<std::string_view, const OpRow*> table;
    // One line per family.
    // clang-format off
    for (const auto family : {
             activationLayers(),
             arrayOperations(),
             attentionLayers(),
             convLstmLayers(),
             convolutionLayers(),
             coreLayers(),
             elementwiseOperations(),
             getItemOperations(),
             imageLayers(),
             imageOperations(),
             imageTransformOperations(),
             locallyConnectedLayers(),
             lossOperations(),
             maskOperations(),
             matrixOperations(),
             mergeLayers(),
             networkOperations(),
             normalizationLayers(),
             numberOperations(),
             poolingLayers(),
             preprocessingLayers(),
             recurrentLayers(),
             reductionOperations(),
             reshapeLayers(),
             scatterOperations(),
             signalLayers(),
             statisticsOperations(),
             tensorOperations(),
             tensorflowFunctions(),
             tensorflowImageFunctions(),
             wrapperLayers(),
         }) {
        // clang-format on
        for (const OpRow& row : family) {
            [[maybe_unused]] const bool isNew = table.emplace(row.name, &row).second;
            assert(isNew && "a class is in two families");
        }
    }
    return table;
}

const std::unordered_map<std::string_view, const OpRow*>& table()
{
    static const auto rows = makeTable();
    return rows;
}

/// Layers of Keras 2 that return float32 whatever type they compute in.
bool returnsSingle(const Layer& layer)
{
    return layer.major() < 3 && layer.op() == "UpSampling2D" &&
           layer.settings.text("interpolation", "nearest") != "nearest";
}

} // namespace

const OpRow* findOperator(std::string_view name)
{
    const auto row = table().find(name);
    return row != table().end() ? row->second : nullptr;
}

OnnxValues translateLayer(const Layer& layer)
{
    const OpRow* row = findOperator(layer.op());
    if (row == nullptr) {
        Untranslatable why = whyUntranslatable(layer);
        throw ModelError("unsupported-operator", std::move(why.message), std::move(why.hint));
    }
    checkCall(layer);
    OnnxValues outputs = row->translate(layer);
    if (layer.computeType() == ElementType::BFloat16 && !returnsSingle(layer)) {
        for (OnnxValue& output : outputs) {
            if (output && isFloating(layer.ctx.element(output))) {
                output = emit::cast(layer.ctx, output, ElementType::BFloat16);
            }
        }
    }
    return outputs;
}

std::vector<SupportedOperator> supportedOperators()
{
    std::vector<SupportedOperator> all;
    for (const auto& [name, row] : table()) {
        if (name.starts_with("mask.") || name.starts_with("TimeDistributed.")) {
            continue; // made by the reader and by lowering
        }
        all.push_back({name, row->support, row->form, row->note});
    }
    std::ranges::sort(all, {}, &SupportedOperator::name);
    return all;
}

} // namespace crosswalk::keras
