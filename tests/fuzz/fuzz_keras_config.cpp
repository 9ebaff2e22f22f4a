// Reads arbitrary bytes as the JSON of a model, in the dialects of Keras 1, 2 and 3, and builds the graph.

#include "core/formats/keras/layer_graph.h"

#include "core/base/diagnostic.h"
#include <cstdint>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    for (const int major : {1, 2, 3}) {
        try {
            const crosswalk::keras::Dialect dialect{
                .major = major, .version = std::to_string(major) + ".0.0", .backend = {}};
            const crosswalk::keras::ModelConfig model =
                crosswalk::keras::modelConfig(crosswalk::keras::parseConfig(json), dialect);
            const crosswalk::keras::WeightsByLayer weights = crosswalk::keras::absentWeights(model, dialect);
            crosswalk::keras::buildGraph(model, dialect, weights, {});
        } catch (const crosswalk::ModelError&) {
            continue; // an error is the expected result for a damaged file
        } catch (const std::out_of_range&) {
            continue; // of BoundsChecked: readModel() reports parts that do not fit together
        }
    }
    return 0;
}
