#pragma once

#include "core/graph/graph.h"

#include <string>
#include <string_view>

namespace crosswalk::keras {

/// The major version of Keras that wrote the model: 1, 2 (tf.keras too) or 3.
inline int majorVersion(const Graph& graph)
{
    const char first = graph.version.empty() ? '1' : graph.version.front();
    return first == '0' || first == '1' ? 1 : first == '2' ? 2 : 3;
}

/// Whether masks reach the attention of several heads by themselves: since tf.keras 2.10.
inline bool impliesMasksOfHeads(const Graph& graph)
{
    const std::string& version = graph.version;
    return majorVersion(graph) >= 3 || (version.starts_with("2.1") && version.size() > 3 && version[3] != '.');
}

/// Whether it was written by the Keras of TensorFlow ("2.2.4-tf", from 2.4 on the only one), or by Keras 3.
inline bool isOfTensorflowOrNewer(const Graph& graph)
{
    const std::string& version = graph.version;
    const bool isOld = version.starts_with("2.0") || version.starts_with("2.1.") || version.starts_with("2.2") ||
                       version.starts_with("2.3");
    return majorVersion(graph) >= 3 || (majorVersion(graph) == 2 && (!isOld || version.ends_with("-tf")));
}

/// Whether TimeDistributed gives the steps of a mask to the layer in it: since 2.2.3.
inline bool masksStepsOverTime(const Graph& graph)
{
    const std::string& version = graph.version;
    const bool isOld = version.starts_with("2.0") || version.starts_with("2.1.") || version.starts_with("2.2.0") ||
                       version.starts_with("2.2.1") || version.starts_with("2.2.2");
    return majorVersion(graph) >= 2 && !isOld;
}

/// Whether MultiHeadAttention takes the masks off its query, value and key, so that what reads these tensors later has
/// none: since 3.8. Its argument query_mask has no effect then.
inline bool attentionTakesMasks(const Graph& graph)
{
    const std::string& version = graph.version;
    return version.starts_with("3.") && version.size() > 2 &&
           (version[2] >= '8' || (version.size() > 3 && version[3] != '.'));
}

/// Whether masked elements of a softmax are 0 even where all are masked, which are equal otherwise: seen in 3.15, not
/// in 3.3.
inline bool zeroesMaskedSoftmax(const Graph& graph)
{
    const std::string& version = graph.version;
    return version.starts_with("3.") && version.size() > 3 && version[3] != '.'; // from 3.10 on
}

/// The names of the operands that are masks which Keras carries along with a tensor, before the number of the input.
inline constexpr std::string_view impliedMask = "mask:";

} // namespace crosswalk::keras
