#pragma once

#include "core/formats/keras/layer_weights.h"
#include "core/formats/keras/weight_file.h"

#include "core/base/diagnostic.h"
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk::keras {

struct LayerWeight {
    WeightSpec spec;
    std::optional<Tensor> tensor; ///< nothing where the file does not have it
    std::string unreadable = {};  ///< why the file has it in a form that cannot be read; empty without such
};
using LayerWeights = std::vector<LayerWeight>;
using WeightsByLayer = std::map<const LayerConfig*, LayerWeights>;

/// Where the weights are in a file.
enum class WeightLayout : std::uint8_t {
    None,
    Lists, ///< groups of layers with lists of names: `model.save("x.h5")`
    Tree,  ///< a tree of the model's objects: in .keras files and in *.weights.h5
};
struct WeightPlace {
    WeightLayout layout = WeightLayout::None;
    std::string group; ///< that contains them
};
WeightPlace findWeights(const WeightFile& file);

/// The name of a layer in a tree, by its class; the second layer of a class gets "_1" and so on. Empty for an
/// operation.
std::string treeNameOf(const LayerConfig& layer);

/// The weights of all layers of a model, nested ones too. What is missing or does not fit is a problem that names the
/// layer. Throws ModelError for what is wrong with the file. Parts of layers whose weights are quantized get a setting
/// for that if they have none.
WeightsByLayer readWeights(ModelConfig& model, const Dialect& dialect, const WeightFile& file, const WeightPlace& place,
                           std::vector<Diagnostic>& problems, const std::stop_token& stop);

/// The weights that layers should have, without content: of a model without a file of weights.
WeightsByLayer absentWeights(const ModelConfig& model, const Dialect& dialect);

} // namespace crosswalk::keras
