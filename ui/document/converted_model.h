#pragma once

#include "core/compare/model_diff.h"
#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/work.h"
#include "core/report/layer_table.h"
#include "ui/document/graph_side.h"

#include <memory>
#include <vector>

namespace crosswalk::ui {

/// The current conversion with the ONNX side and the marks of both sides. Built in the background as a whole.
struct ConvertedModel {
    Conversion conversion;
    DrawnSide source; ///< with the shapes inferred by the conversion
    DrawnSide target; ///< may be empty
    std::shared_ptr<const SceneMarks> sourceMarks;
    std::shared_ptr<const SceneMarks> targetMarks;
    std::shared_ptr<const LayerTable> layers; ///< of the source
    Work work;                                ///< of the ONNX graph
    double seconds = 0;                       ///< of the conversion alone
    int gaps = 0; ///< nodes without an ONNX form, except those that are only blocked by others
    ConvertOptions options;
    /// Types by source value of the previous conversion if the input types or shapes changed; otherwise empty.
    std::vector<TensorType> typesBefore;
    // Set if another model is shown in place of the conversion:
    std::shared_ptr<const LoadedModel> compared;
    std::shared_ptr<const ModelDiff> diff;
};

} // namespace crosswalk::ui
