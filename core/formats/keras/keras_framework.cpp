#include "core/formats/keras/keras_framework.h"

#include "core/formats/keras/mask_propagation.h"
#include "core/formats/keras/ops/keras_op_table.h"

#include <array>

namespace crosswalk::keras {
namespace {

OnnxValues translate(NodeContext& ctx)
{
    return translateLayer(Layer(ctx));
}

LoweredGraph lower(const Graph& graph, const ConvertOptions& options)
{
    static constexpr std::array passes{LoweringPass{"masks", propagateMasks}};
    return lowerWith(passes, graph, "Identity", options);
}

} // namespace

const Framework& framework()
{
    static const Framework table{
        .format = "keras",
        .translate = translate,
        .inferInputs = nullptr,
        .operators = supportedOperators,
        .lower = lower,
        .noteOnNames = "Layers bear the names of Keras 2 and 3; those of Keras 1 are treated like them. Operations of\n"
                       "Keras 3 begin with `ops.`, functions of TensorFlow in a functional model with `tf.`.",
    };
    return table;
}

} // namespace crosswalk::keras
