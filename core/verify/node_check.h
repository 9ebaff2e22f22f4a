#pragma once

#include "core/convert/conversion.h"
#include "core/verify/verify.h"

namespace crosswalk {

/// What recorded tensors say of a node's translation.
enum class Proof : std::uint8_t {
    NotChecked, ///< nothing that it computes is recorded
    Proven,     ///< all that is recorded of it is equal
    Differs,
};

/// An export run on recorded tensors, seen at the nodes of the source.
struct NodeCheck {
    struct CheckedValue {
        ValueId value; ///< of the source
        Comparison comparison;
    };

    VerifyReport outputs;
    std::vector<CheckedValue> values;              ///< outputs and inner values, in the source's order
    std::vector<Proof> proofs;                     ///< by source node
    std::vector<std::optional<std::size_t>> worst; ///< by source node, the place of its largest difference in `values`
    std::optional<NodeId> firstDifference;         ///< nothing that is recorded before it differs
    std::optional<Diagnostic> innerProblem;        ///< why the inner values could not be compared
    /// Not recorded tensors: what the model that it was made from gives for the same made-up inputs.
    bool isOriginal = false;
    std::vector<std::int64_t> times; ///< then: how many of the original's batches were run at once, a run each
    std::string limit;               ///< then: why there are no more of them

    std::size_t count(Proof proof) const;
};

/// Runs an exported file on recorded tensors, as verify() does, and on inner tensors where there are some, and finds
/// the node of each value through the provenance. `exported` is what `conversion` of `graph` was written to. Problem
/// codes as for verify().
Result<NodeCheck> checkNodes(const Graph& graph, const Conversion& conversion, const std::filesystem::path& exported,
                             const std::filesystem::path& data, const Tolerance& tolerance = {},
                             std::stop_token stop = {});

/// Runs an ONNX source, `graph` of the model `original`, and what it was converted to on the same made-up inputs
/// (core/verify/equivalence.h).
Result<NodeCheck> checkAgainstOriginal(const Graph& graph, const OnnxModel& original, const Conversion& conversion,
                                       const Tolerance& tolerance = {}, std::stop_token stop = {});

} // namespace crosswalk
