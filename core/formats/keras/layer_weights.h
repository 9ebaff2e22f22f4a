#pragma once

#include "core/formats/keras/model_config.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::keras {

/// A weight of a layer, in the order in which the layer creates its weights.
struct WeightSpec {
    std::string owner; ///< the part of the layer that has it, "forward_layer/cell"; empty for the layer itself
    std::string name;  ///< "kernel"
    bool isTrainable = true;
    int copiesBefore = 0; ///< weights of other parts that a tree, but no list, stores once more before this one

    std::string path() const { return owner.empty() ? name : owner + "/" + name; }
};

/// The weights that a layer of this class and with these settings has; nothing for a class that is not known.
std::optional<std::vector<WeightSpec>> weightSpecs(const std::string& className, const ConfigValue& config,
                                                   const Dialect& dialect);

/// "Conv2DTranspose" as "conv2d_transpose", as Keras names the groups of .keras files.
std::string snakeCase(std::string_view className);

} // namespace crosswalk::keras
