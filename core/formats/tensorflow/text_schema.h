#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace crosswalk::tensorflow {

/// The text and wire representation of a field's value.
enum class TextField : std::uint8_t { Bytes, Integer, Bool, Float, Double, DataType, Message };

struct MessageSchema;

struct FieldSchema {
    std::string_view name;
    std::uint32_t number;
    TextField type;
    const MessageSchema* message = nullptr; ///< of TextField::Message
};

/// The fields of a message that the readers use. A map's entry is a message with the fields key and value.
struct MessageSchema {
    std::span<const FieldSchema> fields;
};

// The field numbers are those of graph.proto, meta_graph.proto, saved_model.proto and checkpoint_state.proto.
extern const MessageSchema graphDefSchema;
extern const MessageSchema metaGraphDefSchema;
extern const MessageSchema savedModelSchema;
extern const MessageSchema checkpointStateSchema;

const FieldSchema* findField(const MessageSchema& message, std::string_view name);

} // namespace crosswalk::tensorflow
