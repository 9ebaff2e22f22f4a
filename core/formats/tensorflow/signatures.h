#pragma once

#include "core/formats/tensorflow/meta_graph.h"
#include "core/formats/tensorflow/source_info.h"

#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// The signatures whose inputs and outputs are single tensors of the graph; others are omitted. Throws ModelError
/// "damaged" for one that refers to a missing tensor.
std::vector<Signature> signaturesOf(const MetaGraphDef& meta, const Graph& graph);

/// The signature `wanted`, or if that is empty the one that inference calls: `serving_default`, else the first one with
/// outputs. Null if there is none.
const Signature* selectSignature(const std::vector<Signature>& signatures, std::string_view wanted);

/// Makes the signature's tensors the graph's inputs and outputs. With `renames` they get its keys as their names:
/// TensorFlow 2 generates the tensors' own names ("StatefulPartitionedCall:0") when it saves a SavedModel. An
/// output with the key of an input, which is another value, gets a name of its own and a note.
void applySignature(const Signature& signature, bool renames, Graph& graph, std::vector<Diagnostic>& problems);

} // namespace crosswalk::tensorflow
