#include "core/convert/forms/recurrent_layer.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_forms.h"
#include "core/convert/forms/recurrent_step.h"

namespace crosswalk::forms {
namespace {

OnnxValue timeBatchSwapped(const NodeContext& ctx, OnnxValue x)
{
    return x ? emit::swapAxes(ctx, x, 0, 1) : x;
}

} // namespace

RecurrentActivation RecurrentLayer::activation(std::size_t i) const
{
    if (i < activations.size()) {
        return activations[i];
    }
    return i == 0 && kind != CellKind::Rnn ? sigmoidActivation : tanhActivation;
}

ElementType recurrentType(RecurrentForm form, ElementType type)
{
    return form == RecurrentForm::Fused && type == ElementType::Float64 ? ElementType::Float32 : type;
}

std::vector<RecurrentOutputs> emitRecurrentLayers(const NodeContext& ctx, std::span<const RecurrentLayer> layers,
                                                  OnnxValue x, RecurrentForm form)
{
    const bool batchMajor = layers.front().batchMajor;
    x = batchMajor ? timeBatchSwapped(ctx, x) : x;
    OnnxValue lengths = layers.front().lengths;
    lengths = lengths ? emit::cast(ctx, lengths, ElementType::Int32) : lengths;
    OnnxValue mask;
    std::vector<RecurrentOutputs> all;
    for (const RecurrentLayer& each : layers) {
        RecurrentLayer layer = each;
        layer.batchMajor = false;
        layer.lengths = lengths;
        layer.mask = batchMajor ? timeBatchSwapped(ctx, each.mask) : each.mask;
        if (form != RecurrentForm::Fused) {
            mask = mask ? mask : stepMask(ctx, layer, x);
            layer.mask = mask;
        }
        const RecurrentOutputs outputs = form == RecurrentForm::Fused  ? fusedLayer(ctx, layer, x)
                                         : form == RecurrentForm::Scan ? scanLayer(ctx, layer, x)
                                                                       : unrolledLayer(ctx, layer, x);
        x = outputs.y;
        all.push_back(outputs);
    }
    if (batchMajor) {
        for (RecurrentOutputs& outputs : all) {
            outputs.y = timeBatchSwapped(ctx, outputs.y);
            outputs.cells = timeBatchSwapped(ctx, outputs.cells);
        }
    }
    return all;
}

RecurrentOutputs recurrentLayer(NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        ctx.invalid(std::string("a recurrent layer requires floating-point data, but its data is ")
                        .append(elementTypeName(type)));
    }
    if (ctx.rank(x) != 3) {
        ctx.invalid("a recurrent layer requires three dimensions, but its data has shape " + toString(ctx.shape(x)));
    }
    const RecurrentForm form = chooseRecurrentForm(ctx, layer, x);
    x = emit::cast(ctx, x, recurrentType(form, type));
    RecurrentOutputs outputs = emitRecurrentLayers(ctx, {&layer, 1}, x, form).front();
    for (OnnxValue* output : {&outputs.y, &outputs.h, &outputs.c, &outputs.cells}) {
        *output = *output ? emit::cast(ctx, *output, type) : *output;
    }
    return outputs;
}

} // namespace crosswalk::forms
