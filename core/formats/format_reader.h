#pragma once

#include "core/base/model_source.h"
#include "core/formats/read_model.h"
#include "core/graph/operator_info.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// How certain a format is that a file belongs to it.
enum class Match : std::uint8_t { No, ByName, ByContent };

/// Everything that a format may inspect before parsing.
struct Probe {
    Probe() = default;
    explicit Probe(const ModelSource& model);

    std::string fileName;             ///< of the file, folder or archive
    std::span<const std::byte> bytes; ///< the whole file, mapped: look at its beginning only; empty for a folder
    bool isFolder = false;
    std::vector<std::string> members; ///< names in an archive, sorted; empty if its directory is damaged
    const ModelSource* source = nullptr;

    /// Whether the folder or archive contains a file of this name. False for a file: its
    /// neighbours do not make it a model.
    bool contains(std::string_view name) const;
};

/// The kind of a file that no reader accepts.
struct FileKind {
    std::string_view name;      ///< "a PNG image"
    std::string_view hint = {}; ///< what the user can do; may be empty
};

/// One source format. Readers keep no state, so a row of a table is all there is.
struct FormatReader {
    std::string_view format; ///< Graph::format of its models
    std::string_view name;   ///< for users, "ONNX"
    Match (*match)(const Probe& probe);
    /// Throws ModelError; "cancelled" once the source's stop token is set, which loops over what a model has many of
    /// check. What is kept beyond the reading is kept with source.detached().
    LoadedModel (*read)(const ReadRequest& request, const ModelSource& source);
    const OperatorInfo& (*operators)();
    /// File name patterns for dialogs, separated by spaces: "*.pb *.pbtxt". `match` determines the format of a file.
    std::string_view files;
    /// Those of `files` that only models have: a file of such a name without a model's content is damaged.
    std::string_view modelFiles;
    std::string_view weights = {}; ///< the same for files that contain only weights; empty without
    /// Whether a file that `match` recognises contains only weights. Null: no such file does. Throws ModelError.
    bool (*hasOnlyWeights)(const Probe& probe) = nullptr;
    /// The file to open if a model has several, "model-symbol.json"; empty without a usual name.
    std::string_view mainFile = {};
    /// Ending of file names before the extension that is not part of the model's name, "-symbol".
    std::string_view stemEnding = {};
    /// Recognises files of the framework that are not models, by unambiguous first bytes. May be null.
    std::optional<FileKind> (*recogniseKind)(const Probe& probe) = nullptr;
    /// The same by heuristics, for text files. May be null.
    std::optional<FileKind> (*guessKind)(const Probe& probe) = nullptr;
};

/// Every format of the program. Content decides first, in this order, then the name.
std::span<const FormatReader> formatReaders();

} // namespace crosswalk
