#pragma once

#include "core/formats/tensorflow/checkpoint/bundle.h"
#include "core/graph/graph.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// The location of a variable's value in a checkpoint.
struct VariableKey {
    std::string key;
    std::optional<ShapeAndSlice> part; ///< the part of that tensor that forms the variable
};

struct VariableKeys {
    std::map<NodeId, VariableKey> keys;
    /// Whether the graph itself restores variables. Then a variable without a key has no saved content: it is a state.
    bool areComplete = false;
};

/// The key of each variable that is restored from the checkpoint:
///
/// 1. As the graph restores it: RestoreV2, whose operands list the keys, feeds Assign or AssignVariableOp. `restoreOp`
/// names the
///    node that runs these (SaverDef.restore_op_name), in TensorFlow 2 a call of a function that contains them; where
///    it is empty all of them count.
/// 2. By the checkpoint's object graph of TensorFlow 2, from the variable's `shared_name`.
/// 3. The variable's name, if the checkpoint has a tensor of that name.
VariableKeys variableKeys(const Graph& graph, std::string_view restoreOp, const Bundle& checkpoint);

} // namespace crosswalk::tensorflow
