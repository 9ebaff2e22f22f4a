#include "core/formats/tensorflow/model_file.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/checkpoint/crc32c.h"
#include "core/formats/tensorflow/checkpoint/string_table.h"
#include "core/formats/tensorflow/message_sniffer.h"
#include "core/formats/tensorflow/text_proto.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace crosswalk::tensorflow {
namespace {

constexpr std::size_t sniffed = 4096;
constexpr std::string_view binaryName = "saved_model.pb";
constexpr std::string_view textName = "saved_model.pbtxt";

/// First fields of messages in text form.
struct TextForm {
    std::string_view field;
    FileContent content;
};
constexpr auto textForms = std::to_array<TextForm>({
    {"node", FileContent::GraphDef},
    {"versions", FileContent::GraphDef},
    {"library", FileContent::GraphDef},
    {"meta_info_def", FileContent::MetaGraphDef},
    {"graph_def", FileContent::MetaGraphDef},
    {"saved_model_schema_version", FileContent::SavedModel},
    {"meta_graphs", FileContent::SavedModel},
    {"item", FileContent::LabelMap},
    {"model_checkpoint_path", FileContent::Checkpoint},
});

FileContent contentOf(FileMessage message)
{
    switch (message) {
    case FileMessage::GraphDef:
        return FileContent::GraphDef;
    case FileMessage::MetaGraphDef:
        return FileContent::MetaGraphDef;
    case FileMessage::SavedModel:
        return FileContent::SavedModel;
    case FileMessage::None:
        break;
    }
    return FileContent::None;
}

/// A TFRecord file: the length of the first record as 8 bytes, and their masked CRC.
bool looksLikeRecords(std::span<const std::byte> bytes)
{
    constexpr std::size_t lengthSize = 8;
    if (bytes.size() < lengthSize + sizeof(std::uint32_t)) {
        return false;
    }
    std::uint32_t crc = 0;
    std::memcpy(&crc, bytes.data() + lengthSize, sizeof(crc));
    return maskedCrc(crc32c(bytes.first(lengthSize))) == crc;
}

/// Whether a name is the name of a checkpoint's data file: "model.ckpt-7.data-00000-of-00001".
bool isDataName(std::string_view name)
{
    const std::size_t data = name.rfind(".data-");
    constexpr std::string_view form = ".data-00000-of-00000";
    return data != std::string_view::npos && name.size() - data == form.size() &&
           name.substr(data + 11).starts_with("-of-");
}

ModelFile fileByContent(const Probe& probe)
{
    const auto head = probe.bytes.first(std::min(probe.bytes.size(), sniffed));
    ModelFile file{.name = {}, .content = contentOf(messageOfFile(head)), .isText = false, .match = Match::ByContent};
    if (file.content != FileContent::None) {
        return file;
    }
    if (endsAsTable(probe.bytes)) {
        file.content = FileContent::Checkpoint;
        return file;
    }
    if (looksLikeRecords(probe.bytes)) {
        file.content = FileContent::Records;
        return file;
    }
    const std::string field = firstFieldOf({reinterpret_cast<const char*>(head.data()), head.size()});
    const auto form =
        std::find_if(textForms.begin(), textForms.end(), [&](const TextForm& each) { return each.field == field; });
    if (form != textForms.end()) {
        file.content = form->content;
        file.isText = true;
        return file;
    }
    return {};
}

ModelFile fileByName(std::string_view name)
{
    if (isDataName(name)) {
        return {.name = {}, .content = FileContent::Checkpoint, .isText = false, .match = Match::ByName};
    }
    if (name == "keras_metadata.pb" || name == "fingerprint.pb") {
        return {.name = {}, .content = FileContent::SavedModelPart, .isText = false, .match = Match::ByName};
    }
    return {};
}

/// The SavedModel in a folder or an archive, possibly in a subfolder of the archive.
ModelFile savedModelIn(const Probe& probe)
{
    ModelFile file{.name = {}, .content = FileContent::SavedModel, .isText = false, .match = Match::ByContent};
    for (const std::string_view name : {binaryName, textName}) {
        file.isText = name == textName;
        if (probe.contains(name)) {
            file.name = name;
            return file;
        }
        const auto member = std::find_if(probe.members.begin(), probe.members.end(), [&](const std::string& each) {
            return each.ends_with("/" + std::string(name));
        });
        if (member != probe.members.end()) {
            file.name = *member;
            return file;
        }
    }
    return {};
}

} // namespace

ModelFile modelFileOf(const Probe& probe)
{
    if (probe.isFolder || !probe.members.empty()) {
        return savedModelIn(probe);
    }
    const ModelFile file = fileByContent(probe);
    return file.content != FileContent::None ? file : fileByName(probe.fileName);
}

std::shared_ptr<const SourceFile> openModelFile(const ModelSource& source, const ModelFile& file)
{
    auto bytes = file.name.empty() ? source.main() : source.open(file.name);
    if (!file.isText) {
        return bytes;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->bytes().data()), bytes->bytes().size());
    const TextMessage message = file.content == FileContent::SavedModel     ? TextMessage::SavedModel
                                : file.content == FileContent::MetaGraphDef ? TextMessage::MetaGraphDef
                                                                            : TextMessage::GraphDef;
    const std::string encoded = encodeTextProto(text, message);
    const auto content = std::as_bytes(std::span(encoded));
    return SourceFile::decompressed(bytes->name(), bytes->path(), {content.begin(), content.end()});
}

void refuseWithoutGraph(const ModelFile& file)
{
    switch (file.content) {
    case FileContent::Checkpoint:
        throw ModelError("unknown-format", "is a TensorFlow checkpoint, which has weights but no graph",
                         "open the .meta file or the SavedModel folder, and pass this file as WEIGHTS");
    case FileContent::LabelMap:
        throw ModelError("unknown-format", "is a TensorFlow object detection label map, not a model");
    case FileContent::Records:
        throw ModelError("unknown-format", "is a TFRecord file (data or training summaries), not a model");
    case FileContent::SavedModelPart:
        throw ModelError("unknown-format", "is a part of a SavedModel without a graph", "open its folder");
    default:
        break;
    }
}

} // namespace crosswalk::tensorflow
