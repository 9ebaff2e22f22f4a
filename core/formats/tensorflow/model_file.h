#pragma once

#include "core/formats/format_reader.h"

#include <cstdint>
#include <memory>
#include <string>

namespace crosswalk::tensorflow {

/// The kind of a TensorFlow file.
enum class FileContent : std::uint8_t {
    None,
    GraphDef,
    MetaGraphDef,
    SavedModel,
    // Auxiliary files without a graph:
    Checkpoint,
    LabelMap,
    Records, ///< TFRecord: summaries of training, or data
    SavedModelPart,
};

/// A file and the form of its content.
struct ModelFile {
    std::string name; ///< in a folder or an archive; empty for a file
    FileContent content = FileContent::None;
    bool isText = false;
    Match match = Match::No;
};

/// The file to read: the file itself, or `saved_model.pb` (or .pbtxt) of a folder or of a folder in an archive.
ModelFile modelFileOf(const Probe& probe);

/// The messages of the file in protobuf's wire format: its own bytes, or the encoded text format.
std::shared_ptr<const SourceFile> openModelFile(const ModelSource& source, const ModelFile& file);

/// Throws ModelError "unknown-format" that names the file and what to open instead, for files without a graph.
void refuseWithoutGraph(const ModelFile& file);

} // namespace crosswalk::tensorflow
