#include "core/onnx/writer.h"

#include "core/base/changed_files.h"
#include "core/base/diagnostic.h"
#include "core/base/mapped_place.h"
#include "core/base/output_file.h"
#include "core/graph/tensor_files.h"
#include "core/onnx/data_file.h"
#include "core/onnx/proto.h"
#include "core/onnx/read_ahead.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <functional>
#include <google/protobuf/io/coded_stream.h>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace crosswalk {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::io::CodedOutputStream;
using ::onnx::GraphProto;

/// The maximum size of a protobuf message, in every implementation.
constexpr std::uint64_t messageLimit = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t externalFrom = 1024; ///< smaller weights stay in the model, where shape inference reads them
constexpr std::uint64_t externalAlignment = 4096; ///< a page, so that readers can map each weight

std::uint64_t varintSize(std::uint64_t value)
{
    return CodedOutputStream::VarintSize64(value);
}

std::uint64_t headSize(int field, std::uint64_t payload)
{
    return varintSize(static_cast<std::uint64_t>(field) << 3U) + varintSize(payload);
}

/// Writes tag and length of a length-delimited field.
void writeHead(OutputFile& out, int field, std::uint64_t payload)
{
    std::uint8_t head[20];
    std::uint8_t* end = CodedOutputStream::WriteVarint64ToArray(static_cast<std::uint64_t>(field) << 3U | 2U, head);
    end = CodedOutputStream::WriteVarint64ToArray(payload, end);
    out.write(std::as_bytes(std::span(head, end)));
}

/// Numbers of fields.
using Fields = std::initializer_list<int>;

/// Visits the fields of a message in order, except those in `except`, without copying them, so that a large structure
/// is not held in memory twice. The callbacks receive the field's number and its message, text or number.
template <typename UseMessage, typename UseText, typename UseNumber>
void forEachField(const Message& message, Fields except, UseMessage&& useMessage, UseText&& useText,
                  UseNumber&& useNumber)
{
    const auto* reflection = message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
        if (std::ranges::find(except, field->number()) != except.end()) {
            continue;
        }
        std::string scratch;
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && field->is_repeated()) {
            for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
                useMessage(field->number(), reflection->GetRepeatedMessage(message, field, i));
            }
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
            useMessage(field->number(), reflection->GetMessage(message, field));
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
            useText(field->number(), reflection->GetStringReference(message, field, &scratch));
        } else {
            assert(field->cpp_type() == FieldDescriptor::CPPTYPE_INT64 && !field->is_repeated());
            useNumber(field->number(), static_cast<std::uint64_t>(reflection->GetInt64(message, field)));
        }
    }
}

/// Fields that a newer version of ONNX has added to the message.
std::string unknownFields(const Message& message)
{
    std::string bytes;
    message.GetReflection()->GetUnknownFields(message).SerializeToString(&bytes);
    return bytes;
}

std::uint64_t sizeWithout(const Message& message, Fields except)
{
    std::uint64_t size = unknownFields(message).size();
    forEachField(
        message, except,
        [&](int field, const Message& part) {
            const std::uint64_t payload = part.ByteSizeLong();
            size += headSize(field, payload) + payload;
        },
        [&](int field, const std::string& text) { size += headSize(field, text.size()) + text.size(); },
        [&](int field, std::uint64_t number) {
            size += varintSize(static_cast<std::uint64_t>(field) << 3U) + varintSize(number);
        });
    return size;
}

void writeWithout(OutputFile& out, const Message& message, Fields except)
{
    std::string scratch;
    forEachField(
        message, except,
        [&](int field, const Message& part) {
            part.SerializePartialToString(&scratch);
            writeHead(out, field, scratch.size());
            out.write(scratch);
        },
        [&](int field, const std::string& text) {
            writeHead(out, field, text.size());
            out.write(text);
        },
        [&](int field, std::uint64_t number) {
            std::uint8_t bytes[20];
            std::uint8_t* end = CodedOutputStream::WriteVarint64ToArray(static_cast<std::uint64_t>(field) << 3U, bytes);
            end = CodedOutputStream::WriteVarint64ToArray(number, end);
            out.write(std::as_bytes(std::span(bytes, end)));
        });
    out.write(unknownFields(message));
}

[[noreturn]] void cancel()
{
    throw ModelError("cancelled", "cancelled; nothing was written");
}

/// A model whose nodes and types of values are written one at a time, in memory or not.
class Pieces {
public:
    explicit Pieces(const OnnxModel& model, const ModelParts* parts = nullptr)
        : m_model(model)
        , m_parts(parts)
    {
        m_structureSize = sizeWithout(graph(), separate);
        const auto add = [this](int field) {
            return [this, field](const Message& part) {
                const std::uint64_t payload = part.ByteSizeLong();
                m_structureSize += headSize(field, payload) + payload;
            };
        };
        forEachNode(add(GraphProto::kNodeFieldNumber));
        forEachType(add(GraphProto::kValueInfoFieldNumber));
    }

    const ModelParts* parts() const { return m_parts; }
    const ::onnx::ModelProto& proto() const { return *m_model.proto; }
    const GraphProto& graph() const { return m_model.proto->graph(); }
    const std::vector<Tensor>& weights() const { return m_model.weights; }
    /// Size of the graph without its initializers.
    std::uint64_t structureSize() const { return m_structureSize; }

    /// Writes the graph without its initializers.
    void writeStructure(OutputFile& out, const std::stop_token& stop) const
    {
        std::string scratch;
        const auto write = [&](int field) {
            return [&, field](const Message& part) {
                if (stop.stop_requested()) {
                    cancel();
                }
                part.SerializePartialToString(&scratch);
                writeHead(out, field, scratch.size());
                out.write(scratch);
            };
        };
        forEachNode(write(GraphProto::kNodeFieldNumber));
        writeWithout(out, graph(), separate);
        forEachType(write(GraphProto::kValueInfoFieldNumber));
    }

private:
    static constexpr Fields separate{GraphProto::kNodeFieldNumber, GraphProto::kInitializerFieldNumber,
                                     GraphProto::kValueInfoFieldNumber};

    void forEachNode(const std::function<void(const Message&)>& use) const
    {
        if (m_parts != nullptr) {
            m_parts->forEachNode(use);
        } else {
            std::ranges::for_each(graph().node(), use);
        }
    }

    void forEachType(const std::function<void(const Message&)>& use) const
    {
        if (m_parts != nullptr) {
            m_parts->forEachType(use);
        } else {
            std::ranges::for_each(graph().value_info(), use);
        }
    }

    const OnnxModel& m_model;
    const ModelParts* m_parts; ///< null: in memory
    std::uint64_t m_structureSize;
};

/// An initializer as written to the file: a stub, followed by its elements unless they are external.
struct Record {
    std::string stub;
    std::uint64_t rawSize = 0; ///< 0: no raw_data
    std::uint64_t size() const
    {
        return stub.size() + (rawSize > 0 ? headSize(::onnx::TensorProto::kRawDataFieldNumber, rawSize) + rawSize : 0);
    }
};

struct Plan {
    std::vector<Record> records;
    std::vector<bool> isInData; ///< by weight: whether it is written to the data file
    std::uint64_t bytesInPlace = 0;
    std::uint64_t graphSize = 0;
    std::uint64_t total = 0;
};

/// The place of a weight in a file of the source that has its bytes in order; nothing for any other weight.
std::optional<MappedPlace> placeOf(const Tensor& tensor)
{
    std::span<const std::byte> all;
    for (const Tensor::Piece& piece : tensor.pieces()) {
        const auto bytes = piece.source->address(piece.offset, piece.size);
        const bool continues = all.empty() || all.data() + all.size() == bytes.data();
        if (bytes.size() != piece.size || !continues) {
            return std::nullopt;
        }
        all = all.empty() ? bytes : std::span(all.data(), all.size() + bytes.size());
    }
    return all.size() == tensor.bytes() ? mappedPlaceOf(all) : std::nullopt;
}

/// How an ONNX file refers to files of the source.
class SourceFiles {
public:
    explicit SourceFiles(const std::filesystem::path& onnx)
        : m_onnx(std::filesystem::weakly_canonical(std::filesystem::absolute(onnx)))
    {
    }

    /// The location of a file, relative to the folder of the ONNX file; nothing for a file that the export replaces.
    std::optional<std::string> location(const std::filesystem::path& path)
    {
        const auto [entry, isNew] = m_locations.emplace(path, std::nullopt);
        if (isNew) {
            const auto file = std::filesystem::weakly_canonical(path);
            const auto folder = m_onnx.parent_path();
            const auto relative = file.lexically_relative(folder);
            if (relative.empty() || *relative.begin() == "..") {
                throw ModelError("unwritable",
                                 fmt::format("{}: its weights are in {}, which is not in the folder of the ONNX file",
                                             m_onnx.string(), path.string()),
                                 fmt::format("write the ONNX file to {}", file.parent_path().string()));
            }
            if (file != m_onnx && !isDataFileOf(m_onnx, file)) {
                entry->second = relative.generic_string();
            }
        }
        return entry->second;
    }

private:
    std::filesystem::path m_onnx;
    std::map<std::filesystem::path, std::optional<std::string>> m_locations;
};

/// `dataLocation`: the name of the data file.
Plan plan(const Pieces& model, const WriteOptions& options, const std::filesystem::path& path,
          const std::string& dataLocation)
{
    SourceFiles sources(path);
    const auto& graph = model.graph();
    Plan result;
    result.graphSize = model.structureSize();
    std::uint64_t offset = 0;
    for (int i = 0; i < graph.initializer_size(); ++i) {
        const Tensor& tensor = model.weights()[static_cast<std::size_t>(i)];
        ::onnx::TensorProto stub = graph.initializer(i);
        assert(std::equal(stub.dims().begin(), stub.dims().end(), tensor.dims().begin(), tensor.dims().end()));
        stub.clear_raw_data();
        stub.clear_data_location();
        stub.clear_external_data();
        const bool isExternal = (options.externalData || options.weightsInPlace) && tensor.bytes() >= externalFrom;
        bool isInData = isExternal;
        if (isExternal) {
            std::optional<std::string> location;
            std::uint64_t at = 0;
            if (const auto place = options.weightsInPlace ? placeOf(tensor) : std::nullopt) {
                location = sources.location(place->path);
                at = place->offset;
            }
            isInData = !location;
            if (isInData) {
                offset = (offset + externalAlignment - 1) / externalAlignment * externalAlignment;
                location = dataLocation;
                at = offset;
                offset += tensor.bytes();
            } else {
                result.bytesInPlace += tensor.bytes();
            }
            stub.set_data_location(::onnx::TensorProto::EXTERNAL);
            const auto add = [&](const char* key, std::string value) {
                auto* entry = stub.add_external_data();
                entry->set_key(key);
                entry->set_value(std::move(value));
            };
            add("location", *location);
            add("offset", std::to_string(at));
            add("length", std::to_string(tensor.bytes()));
        }
        Record& record = result.records.emplace_back();
        record.stub = stub.SerializePartialAsString();
        record.rawSize = isExternal ? 0 : tensor.bytes();
        result.isInData.push_back(isInData);
        result.graphSize += headSize(GraphProto::kInitializerFieldNumber, record.size()) + record.size();
    }
    result.total = sizeWithout(model.proto(), {::onnx::ModelProto::kGraphFieldNumber}) +
                   headSize(::onnx::ModelProto::kGraphFieldNumber, result.graphSize) + result.graphSize;
    return result;
}

void stream(auto& out, const Tensor& tensor, const std::stop_token& stop)
{
    tensor.stream([&](std::span<const std::byte> chunk) {
        if (stop.stop_requested()) {
            cancel();
        }
        out.write(chunk);
        return true;
    });
}

/// The weights that are written, by what `isWritten` returns for their index.
std::vector<const Tensor*> weightsToWrite(const Pieces& model, auto&& isWritten)
{
    std::vector<const Tensor*> weights;
    for (std::size_t i = 0; i < model.weights().size(); ++i) {
        if (isWritten(i)) {
            weights.push_back(&model.weights()[i]);
        }
    }
    return weights;
}

void writeData(DataFile& out, const Pieces& model, const Plan& plan, const std::stop_token& stop)
{
    ReadAhead ahead(weightsToWrite(model, [&](std::size_t i) { return plan.isInData[i]; }));
    for (std::size_t i = 0; i < plan.records.size(); ++i) {
        if (plan.isInData[i]) {
            ahead.advance();
            out.align(externalAlignment);
            stream(out, model.weights()[i], stop);
        }
    }
}

void writeModel(OutputFile& out, const Pieces& model, const Plan& plan, const std::stop_token& stop)
{
    writeWithout(out, model.proto(), {::onnx::ModelProto::kGraphFieldNumber});
    writeHead(out, ::onnx::ModelProto::kGraphFieldNumber, plan.graphSize);
    model.writeStructure(out, stop);
    ReadAhead ahead(weightsToWrite(model, [&](std::size_t i) { return plan.records[i].rawSize > 0; }));
    for (std::size_t i = 0; i < plan.records.size(); ++i) {
        const Record& record = plan.records[i];
        writeHead(out, GraphProto::kInitializerFieldNumber, record.size());
        out.write(record.stub);
        if (record.rawSize > 0) {
            ahead.advance();
            writeHead(out, ::onnx::TensorProto::kRawDataFieldNumber, record.rawSize);
            stream(out, model.weights()[i], stop);
        }
    }
    out.flush();
}

/// Throws ModelError "unreadable" if a file that contains weights or nodes has changed.
void expectSourcesUnchanged(const Pieces& model)
{
    std::set<std::filesystem::path> files;
    for (const Tensor& tensor : model.weights()) {
        addFilesOf(tensor, files);
    }
    if (model.parts() != nullptr) {
        files.insert(model.parts()->file());
    }
    expectUnchanged([&](const std::filesystem::path& path) { return files.contains(path); });
}

WriteReport write(const Pieces& model, const std::filesystem::path& path, const WriteOptions& options,
                  const std::stop_token& stop)
{
    assert(model.weights().size() == static_cast<std::size_t>(model.graph().initializer_size()));
    OutputFile file(path);
    WriteReport report;
    const std::string plainName = path.filename().string() + ".data";
    Plan what = plan(model, options, path, plainName);
    if (!options.externalData && !options.weightsInPlace && what.total > messageLimit) {
        what = plan(model, {.externalData = true}, path, plainName);
    }
    report.bytesInPlace = what.bytesInPlace;
    if (what.total > messageLimit) {
        throw ModelError(
            "unwritable",
            fmt::format("{}: its structure without weights exceeds 2 GB, the limit of an ONNX file", path.string()));
    }
    std::optional<DataFile> data;
    if (std::ranges::find(what.isInData, true) != what.isInData.end()) {
        data.emplace(path);
        writeData(*data, model, what, stop);
        data->publish();
        if (const std::string name = data->path().filename().string(); name != plainName) {
            what = plan(model, {.externalData = true, .weightsInPlace = options.weightsInPlace}, path, name);
        }
    }
    writeModel(file, model, what, stop);
    if (stop.stop_requested()) {
        cancel();
    }
    expectSourcesUnchanged(model);
    assert(file.size() == what.total);
    report.bytes = file.size() + (data ? data->size() : 0);
    report.externalData = data.has_value() || report.bytesInPlace > 0;
    std::vector<std::filesystem::path> kept;
    if (data) {
        kept.push_back(data->path());
        report.dataFile = data->path();
    }
    const auto replaced = replacedDataFiles(path, kept); // while the older file is there
    file.publish();
    if (data) {
        data->keep();
    }
    removeDataFiles(replaced);
    return report;
}

} // namespace

WriteReport writeOnnx(const OnnxModel& model, const std::filesystem::path& path, const WriteOptions& options,
                      std::stop_token stop)
{
    return write(Pieces(model), path, options, stop);
}

WriteReport writeOnnx(const LazyModel& model, const std::filesystem::path& path, const WriteOptions& options,
                      std::stop_token stop)
{
    if (model.parts() == nullptr) {
        return writeOnnx(model.whole(), path, options, std::move(stop));
    }
    const OnnxModel frame = model.frameWithWeights();
    return write(Pieces(frame, model.parts()), path, options, stop);
}

} // namespace crosswalk
