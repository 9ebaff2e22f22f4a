#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// Keys of variables in a checkpoint of TensorFlow 2, by the variable's full name, as the serialized
/// TrackableObjectGraph (the string `_CHECKPOINTABLE_OBJECT_GRAPH` of the checkpoint) lists them. Omits names that
/// several objects share. Throws ModelError "damaged" or "truncated".
std::map<std::string, std::string, std::less<>> keysByFullName(std::string_view objectGraph);

} // namespace crosswalk::tensorflow
