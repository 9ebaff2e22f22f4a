#pragma once

#include "core/convert/conversion.h"
#include "core/verify/verify.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// Whether the conversion of a node matches recorded tensors.
enum class Proof : std::uint8_t {
    NotChecked, ///< none of its outputs is recorded
    Proven,     ///< all recorded outputs are equal
    Differs,
};

/// Results of an export on recorded tensors, by node of the source.
struct NodeCheck {
    struct CheckedValue {
        ValueId value; ///< in the source
        Comparison comparison;
    };

    VerifyReport outputs;
    std::vector<CheckedValue> values;              ///< outputs and intermediate values, in the source's order
    std::vector<Proof> proofs;                     ///< by source node
    std::vector<std::optional<std::size_t>> worst; ///< by source node: index in `values` of its largest difference
    std::optional<NodeId> firstDifference;         ///< the first node with a difference
    std::optional<Diagnostic> innerProblem;        ///< why the inner values could not be compared
    /// Whether the reference is the original model on random inputs instead of recorded tensors.
    bool isOriginal = false;
    std::vector<std::int64_t> times; ///< if isOriginal: EquivalenceReport::times
    std::string limit;               ///< if isOriginal: EquivalenceReport::limit

    std::size_t count(Proof proof) const;
};

/// Runs an exported file on recorded tensors, as verify() does, and on inner tensors if there are any, and assigns each
/// value to its source node through the provenance. `exported` is the file to which `conversion` of `graph` was
/// written. Problem codes as for verify().
Result<NodeCheck> checkNodes(const Graph& graph, const Conversion& conversion, const std::filesystem::path& exported,
                             const std::filesystem::path& data, const Tolerance& tolerance = {},
                             std::stop_token stop = {}, const RuntimeLimits& limits = {});

/// Runs an ONNX source (`graph` of the model `original`) and its conversion on the same random inputs; see
/// core/verify/equivalence.h.
Result<NodeCheck> checkAgainstOriginal(const Graph& graph, const OnnxModel& original, const Conversion& conversion,
                                       const Tolerance& tolerance = {}, std::stop_token stop = {},
                                       const RuntimeLimits& limits = {});

} // namespace crosswalk
