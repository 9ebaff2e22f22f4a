#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace crosswalk::keras {

/// A call of a layer in a functional model.
struct GraphCall {
    std::size_t layer = 0;             ///< number of its layer, which other calls may share
    std::vector<std::size_t> operands; ///< the calls that it reads, in the order of its arguments
};

/// The place of each call in the order in which Keras 3 runs a functional model: by decreasing depth, which is the
/// longest way to an output, where all calls of a layer have the depth of the deepest one so far. Calls of equal depth
/// run in the order in which Keras comes across them on its way from the outputs to the inputs. Calls that no output
/// needs come last. `outputs`: the calls that the outputs of the model come from.
std::vector<std::size_t> executionOrder(std::span<const GraphCall> calls, std::span<const std::size_t> outputs);

} // namespace crosswalk::keras
