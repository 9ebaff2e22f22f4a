#pragma once

#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// The messages that files in protobuf's text format (.pbtxt) consist of.
enum class TextMessage { GraphDef, MetaGraphDef, SavedModel, CheckpointState };

/// A message in text form as protobuf's wire format, which the readers of this folder take. Fields that they do not
/// read are left out. Throws ModelError "damaged" with the line for text that is no such message.
std::string encodeTextProto(std::string_view text, TextMessage message);

/// `model_checkpoint_path` of the file `checkpoint` that TensorFlow writes beside checkpoints; empty where there is
/// none.
std::string checkpointStatePath(std::string_view text);

/// The name of the first field of text that may end anywhere, or that is no text form of a message; empty then.
std::string firstFieldOf(std::string_view head);

} // namespace crosswalk::tensorflow
