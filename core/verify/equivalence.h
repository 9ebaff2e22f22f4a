#pragma once

#include "core/convert/conversion.h"
#include "core/onnx/time_axes.h"
#include "core/verify/verify.h"

#include <map>

namespace crosswalk {

/// An edited model beside the one that it was made from.
struct EquivalenceReport {
    struct Value {
        std::int64_t times = 1; ///< how many batches of the original the edited model was given at once
        Comparison comparison;  ///< by the edited model's name
    };

    std::string runtimeVersion;
    std::vector<std::int64_t> times; ///< the runs
    std::vector<Value> values;       ///< outputs, and inner values that both models have
    std::string limit;               ///< why it was not run with more batches at once; empty where it was
    std::string held;                ///< what was opened and kept the original's size; empty where nothing was

    bool equal() const;
};

/// What is known of a model that bears on running several batches at once.
struct BatchFacts {
    std::string limit; ///< why they may give something else than each alone; empty where nothing is known that would
    TimeAxes timeAxes; ///< axes of the original's inputs that count no batches
};

/// Runs both models with ONNX Runtime on the same made-up inputs and compares what they give. `originals` says which
/// value of the original a value of the edited model is; an input that is an inner value there is fed with what the
/// original computes. Where a size of the inputs was opened the edited model is given three and eight batches at once
/// as well, which the original takes one by one. Differences count against the largest number of a tensor where that
/// is above one: what is made up has no scale. Where `facts` doubt that several batches at once give the same, their
/// runs count where they agree, and are left out where they do not; where such a run differs though nothing is known
/// against it, numbers within the graph are compared as well, to find where it begins. `sizes` are what free
/// sizes of the original's inputs are to be, by name; others are guessed. Problem codes: "no-runtime", "runtime",
/// "missing-input", "cancelled", "usage" where `sizes` do not fit the original, and "other-size" where no input fits
/// both.
Result<EquivalenceReport> verifyEquivalence(const OnnxModel& original, const OnnxModel& edited,
                                            const std::map<std::string, std::string>& originals,
                                            const BatchFacts& facts = {}, const Tolerance& tolerance = {},
                                            std::stop_token stop = {},
                                            const std::map<std::string, Shape, std::less<>>& sizes = {});

/// Why several batches at once may give something else than each alone ("mixed-samples"), at its node; empty where
/// nothing is known that would.
std::string limitOf(const Conversion& conversion);
/// The same of an ONNX source that is given the inputs' shapes of an edited model. `originals` as above.
std::string limitOf(const Graph& original, const OnnxModel& edited,
                    const std::map<std::string, std::string>& originals);

/// The original's names of an edited model's inputs and outputs, where nothing else is known of it: a name that the
/// original does not have is that of the port that stands where it stands.
std::map<std::string, std::string> renamedPorts(const OnnxModel& original, const OnnxModel& edited);

} // namespace crosswalk
