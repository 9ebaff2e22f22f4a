#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::tensorflow {

/// TensorFlow: a GraphDef (.pb, .pbtxt), a MetaGraphDef (.meta) with its checkpoint, a SavedModel (a folder, its
/// saved_model.pb, or a zip archive of it). Graph::original is a SourceInfo.
Match matchTensorflow(const Probe& probe);
LoadedModel readTensorflow(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::tensorflow
