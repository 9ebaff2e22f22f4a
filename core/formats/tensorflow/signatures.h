#pragma once

#include "core/formats/tensorflow/meta_graph.h"
#include "core/formats/tensorflow/source_info.h"

namespace crosswalk::tensorflow {

/// The signatures whose inputs and outputs are single tensors of the graph; others are left out. Throws ModelError
/// "damaged" for one that names a tensor that is not there.
std::vector<Signature> signaturesOf(const MetaGraphDef& meta, const Graph& graph);

/// The signature that inference calls: `serving_default`, else the first one with outputs. Null where there is none.
const Signature* servingSignature(const std::vector<Signature>& signatures);

/// Makes the signature's tensors the graph's inputs and outputs. With `renames` they get its keys as their names: in a
/// SavedModel of TensorFlow 2 the tensors' own names ("StatefulPartitionedCall:0") are made up when it is saved.
void applySignature(const Signature& signature, bool renames, Graph& graph);

} // namespace crosswalk::tensorflow
