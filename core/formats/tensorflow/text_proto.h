#pragma once

#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// The messages that files in protobuf's text format (.pbtxt) consist of.
enum class TextMessage { GraphDef, MetaGraphDef, SavedModel, CheckpointState };

/// Converts a message in text form to protobuf's wire format, which the readers of this folder parse. Omits fields that
/// they do not read. Throws ModelError "damaged" with the line for invalid text.
std::string encodeTextProto(std::string_view text, TextMessage message);

/// `model_checkpoint_path` of the file `checkpoint` that TensorFlow writes next to checkpoints; empty if there is none.
std::string checkpointStatePath(std::string_view text);

/// The name of the first field of text that may be truncated anywhere; empty if it is not the text form of a message.
std::string firstFieldOf(std::string_view head);

} // namespace crosswalk::tensorflow
