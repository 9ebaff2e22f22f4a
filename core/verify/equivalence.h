#pragma once

#include "core/convert/conversion.h"
#include "core/onnx/time_axes.h"
#include "core/verify/verify.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace crosswalk {

/// Facts about a model that affect runs with several batches at once.
struct BatchFacts {
    std::string limit; ///< why the results may differ from those of single batches; empty if no reason is known
    TimeAxes timeAxes; ///< axes of the original's inputs that are not batch axes
};

/// Runs both models with ONNX Runtime on the same random inputs and compares the results.
///
/// `originals` maps names of the edited model to names of the original. An input of the edited model that is an
/// intermediate value of the original receives the value that the original computes. If an input dimension was made
/// symbolic, the edited model also runs on three and eight batches at once, which the original processes one by one.
/// With `scalesTolerance`, the absolute tolerance is scaled by the median magnitude of a tensor if that exceeds one,
/// because random inputs have no natural scale.
///
/// An output that the original does not compute is a difference. Outputs of the original that the edited model does not
/// return are `missing`, and no difference: a part of a model has fewer.
///
/// If `facts.limit` gives a reason why several batches at once may have different results, runs with several batches
/// are reported only if they agree. If such a run differs without a known reason, intermediate floating-point values
/// are compared as well, to locate the first difference.
///
/// Values that depend on random numbers in the original are equal if their types and shapes are; `why` of their
/// comparison states it.
///
/// `sizes` are shapes for the original's inputs, by name; other dynamic dimensions are guessed. Problem codes:
/// "no-runtime", "runtime", "missing-input", "cancelled", "usage" if `sizes` do not match the original, and
/// "other-size" if no input shape is valid for both models.
Result<EquivalenceReport> verifyEquivalence(const OnnxModel& original, const OnnxModel& edited,
                                            const std::map<std::string, std::string>& originals,
                                            const BatchFacts& facts = {}, const Tolerance& tolerance = {},
                                            std::stop_token stop = {},
                                            const std::map<std::string, Shape, std::less<>>& sizes = {},
                                            const RuntimeLimits& limits = {}, bool scalesTolerance = true);

/// The reason why several batches at once may have different results (a "mixed-samples" problem, with its node); empty
/// if none is known.
std::string limitOf(const Conversion& conversion);
/// The same for an ONNX source that is converted to the input shapes of an edited model. `originals` as above.
std::string limitOf(const Graph& original, const OnnxModel& edited,
                    const std::map<std::string, std::string>& originals);

/// The original's names of an edited model's inputs and outputs, if the edit is unknown: a name that the original does
/// not have is matched by position.
std::map<std::string, std::string> renamedPorts(const OnnxModel& original, const OnnxModel& edited);

} // namespace crosswalk
