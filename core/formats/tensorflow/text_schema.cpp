#include "core/formats/tensorflow/text_schema.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

using enum TextField;

template <std::size_t N>
using FieldList = std::array<FieldSchema, N>;

extern const MessageSchema attrValueSchema; // values of attributes contain functions, which have attributes

constexpr FieldList<2> dimFields{{{"size", 1, Integer}, {"name", 2, Bytes}}};
constexpr MessageSchema dimSchema{dimFields};
constexpr FieldList<2> shapeFields{{{"dim", 2, Message, &dimSchema}, {"unknown_rank", 3, Bool}}};
constexpr MessageSchema shapeSchema{shapeFields};

constexpr FieldList<16> tensorFields{{
    {"dtype", 1, DataType},
    {"tensor_shape", 2, Message, &shapeSchema},
    {"version_number", 3, Integer},
    {"tensor_content", 4, Bytes},
    {"float_val", 5, Float},
    {"double_val", 6, Double},
    {"int_val", 7, Integer},
    {"string_val", 8, Bytes},
    {"scomplex_val", 9, Float},
    {"int64_val", 10, Integer},
    {"bool_val", 11, Bool},
    {"dcomplex_val", 12, Double},
    {"half_val", 13, Integer},
    {"uint32_val", 16, Integer},
    {"uint64_val", 17, Integer},
    {"float8_val", 18, Bytes},
}};
constexpr MessageSchema tensorSchema{tensorFields};

constexpr FieldList<2> attrEntryFields{{{"key", 1, Bytes}, {"value", 2, Message, &attrValueSchema}}};
constexpr MessageSchema attrEntrySchema{attrEntryFields};
constexpr FieldList<2> functionNameFields{{{"name", 1, Bytes}, {"attr", 2, Message, &attrEntrySchema}}};
constexpr MessageSchema functionNameSchema{functionNameFields};

constexpr FieldList<8> listFields{{
    {"s", 2, Bytes},
    {"i", 3, Integer},
    {"f", 4, Float},
    {"b", 5, Bool},
    {"type", 6, DataType},
    {"shape", 7, Message, &shapeSchema},
    {"tensor", 8, Message, &tensorSchema},
    {"func", 9, Message, &functionNameSchema},
}};
constexpr MessageSchema listSchema{listFields};

constexpr FieldList<10> attrValueFields{{
    {"list", 1, Message, &listSchema},
    {"s", 2, Bytes},
    {"i", 3, Integer},
    {"f", 4, Float},
    {"b", 5, Bool},
    {"type", 6, DataType},
    {"shape", 7, Message, &shapeSchema},
    {"tensor", 8, Message, &tensorSchema},
    {"placeholder", 9, Bytes},
    {"func", 10, Message, &functionNameSchema},
}};
const MessageSchema attrValueSchema{attrValueFields};

constexpr FieldList<5> nodeFields{{
    {"name", 1, Bytes},
    {"op", 2, Bytes},
    {"input", 3, Bytes},
    {"device", 4, Bytes},
    {"attr", 5, Message, &attrEntrySchema},
}};
constexpr MessageSchema nodeSchema{nodeFields};

constexpr FieldList<5> argFields{{
    {"name", 1, Bytes},
    {"type", 3, DataType},
    {"type_attr", 4, Bytes},
    {"number_attr", 5, Bytes},
    {"type_list_attr", 6, Bytes},
}};
constexpr MessageSchema argSchema{argFields};
constexpr FieldList<4> signatureFields{{
    {"name", 1, Bytes},
    {"input_arg", 2, Message, &argSchema},
    {"output_arg", 3, Message, &argSchema},
    {"is_stateful", 17, Bool},
}};
constexpr MessageSchema opDefSchema{signatureFields};

constexpr FieldList<2> textEntryFields{{{"key", 1, Bytes}, {"value", 2, Bytes}}};
constexpr MessageSchema textEntrySchema{textEntryFields};
constexpr FieldList<1> argAttrsFields{{{"attr", 1, Message, &attrEntrySchema}}};
constexpr MessageSchema argAttrsSchema{argAttrsFields};
constexpr FieldList<2> argEntryFields{{{"key", 1, Integer}, {"value", 2, Message, &argAttrsSchema}}};
constexpr MessageSchema argEntrySchema{argEntryFields};
constexpr FieldList<6> functionFields{{
    {"signature", 1, Message, &opDefSchema},
    {"node_def", 3, Message, &nodeSchema},
    {"ret", 4, Message, &textEntrySchema},
    {"attr", 5, Message, &attrEntrySchema},
    {"control_ret", 6, Message, &textEntrySchema},
    {"arg_attr", 7, Message, &argEntrySchema},
}};
constexpr MessageSchema functionSchema{functionFields};
constexpr FieldList<1> libraryFields{{{"function", 1, Message, &functionSchema}}};
constexpr MessageSchema librarySchema{libraryFields};
constexpr FieldList<2> versionFields{{{"producer", 1, Integer}, {"min_consumer", 2, Integer}}};
constexpr MessageSchema versionSchema{versionFields};

constexpr FieldList<4> graphFields{{
    {"node", 1, Message, &nodeSchema},
    {"library", 2, Message, &librarySchema},
    {"version", 3, Integer},
    {"versions", 4, Message, &versionSchema},
}};

constexpr FieldList<3> infoFields{{
    {"meta_graph_version", 1, Bytes},
    {"tags", 4, Bytes},
    {"tensorflow_version", 5, Bytes},
}};
constexpr MessageSchema infoSchema{infoFields};
constexpr FieldList<2> saverFields{{{"filename_tensor_name", 1, Bytes}, {"restore_op_name", 3, Bytes}}};
constexpr MessageSchema saverSchema{saverFields};
constexpr FieldList<1> byteListFields{{{"value", 1, Bytes}}};
constexpr MessageSchema byteListSchema{byteListFields};
constexpr FieldList<2> collectionFields{{
    {"node_list", 1, Message, &byteListSchema},
    {"bytes_list", 2, Message, &byteListSchema},
}};
constexpr MessageSchema collectionSchema{collectionFields};
constexpr FieldList<2> collectionEntryFields{{{"key", 1, Bytes}, {"value", 2, Message, &collectionSchema}}};
constexpr MessageSchema collectionEntrySchema{collectionEntryFields};
constexpr FieldList<2> tensorInfoFields{{{"name", 1, Bytes}, {"dtype", 2, DataType}}};
constexpr MessageSchema tensorInfoSchema{tensorInfoFields};
constexpr FieldList<2> portEntryFields{{{"key", 1, Bytes}, {"value", 2, Message, &tensorInfoSchema}}};
constexpr MessageSchema portEntrySchema{portEntryFields};
constexpr FieldList<3> signatureDefFields{{
    {"inputs", 1, Message, &portEntrySchema},
    {"outputs", 2, Message, &portEntrySchema},
    {"method_name", 3, Bytes},
}};
constexpr MessageSchema signatureDefSchema{signatureDefFields};
constexpr FieldList<2> signatureEntryFields{{{"key", 1, Bytes}, {"value", 2, Message, &signatureDefSchema}}};
constexpr MessageSchema signatureEntrySchema{signatureEntryFields};
// Only the existence of objects in the object graph matters.
constexpr MessageSchema objectSchema{{}};
constexpr FieldList<1> objectGraphFields{{{"nodes", 1, Message, &objectSchema}}};
constexpr MessageSchema objectGraphSchema{objectGraphFields};

constexpr FieldList<6> metaGraphFields{{
    {"meta_info_def", 1, Message, &infoSchema},
    {"graph_def", 2, Message, &graphDefSchema},
    {"saver_def", 3, Message, &saverSchema},
    {"collection_def", 4, Message, &collectionEntrySchema},
    {"signature_def", 5, Message, &signatureEntrySchema},
    {"object_graph_def", 7, Message, &objectGraphSchema},
}};
constexpr FieldList<2> savedModelFields{{
    {"saved_model_schema_version", 1, Integer},
    {"meta_graphs", 2, Message, &metaGraphDefSchema},
}};
constexpr FieldList<1> stateFields{{{"model_checkpoint_path", 1, Bytes}}};

} // namespace

const MessageSchema graphDefSchema{graphFields};
const MessageSchema metaGraphDefSchema{metaGraphFields};
const MessageSchema savedModelSchema{savedModelFields};
const MessageSchema checkpointStateSchema{stateFields};

const FieldSchema* findField(const MessageSchema& message, std::string_view name)
{
    const auto field = std::find_if(message.fields.begin(), message.fields.end(),
                                    [&](const FieldSchema& each) { return each.name == name; });
    return field != message.fields.end() ? &*field : nullptr;
}

} // namespace crosswalk::tensorflow
