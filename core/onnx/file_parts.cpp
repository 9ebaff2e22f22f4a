#include "core/onnx/file_parts.h"

#include "core/base/diagnostic.h"
#include "core/onnx/fetch_external.h"

#include <algorithm>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

namespace crosswalk {
namespace {

// Field numbers of ONNX's schema.
constexpr std::uint32_t modelGraph = 7;
constexpr std::uint32_t graphNode = 1;
constexpr std::uint32_t graphInitializer = 5;
constexpr std::uint32_t graphValueInfo = 13;
constexpr std::uint32_t nodeOutput = 2;

/// Parses file[begin, end), which consists of whole fields, into `message`.
void merge(google::protobuf::Message& message, std::span<const std::byte> file, std::size_t begin, std::size_t end)
{
    if (begin == end) {
        return;
    }
    if (end - begin > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw ModelError("damaged", "its structure exceeds 2 GB, the limit of an ONNX file");
    }
    google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(file.data() + begin),
                                                 static_cast<int>(end - begin));
    if (!message.MergePartialFromCodedStream(&input) || !input.ConsumedEntireMessage()) {
        throw ModelError("damaged", fmt::format("not an ONNX model, or a damaged one: bytes {} to {} cannot be "
                                                "parsed",
                                                begin, end));
    }
}

/// Parses a message except for the fields that `use` accepts.
template <typename Use>
void parseExcept(std::span<const std::byte> file, std::size_t begin, std::size_t end,
                 google::protobuf::Message& message, Use&& use)
{
    WireReader reader(file, begin, end);
    WireField field;
    std::size_t rest = begin;
    while (reader.next(field)) {
        if (field.type == WireType::Bytes && use(field)) {
            merge(message, file, rest, field.begin);
            rest = field.end;
        }
    }
    merge(message, file, rest, end);
}

} // namespace

FileIndex::FileIndex(const ModelSource& source)
    : m_frame(std::make_shared<::onnx::ModelProto>())
{
    const auto bytes = source.main()->bytes();
    if (bytes.empty()) {
        throw ModelError("damaged", "the file is empty");
    }
    parseExcept(bytes, 0, bytes.size(), *m_frame, [&](const WireField& field) {
        if (field.number != modelGraph) {
            return false;
        }
        readGraph(source, field.payloadBegin, field.end);
        return true;
    });
    check();
    ExternalData external(source);
    fetchExternal(*m_frame, external);
    for (auto* parts : {&m_nodes, &m_initializers, &m_types}) {
        parts->shrink_to_fit();
    }
    source.main()->release(0, bytes.size());
}

void FileIndex::readGraph(const ModelSource& source, std::size_t begin, std::size_t end)
{
    parseExcept(source.main()->bytes(), begin, end, *m_frame->mutable_graph(), [&](const WireField& field) {
        std::vector<Part>* parts = field.number == graphNode          ? &m_nodes
                                   : field.number == graphInitializer ? &m_initializers
                                   : field.number == graphValueInfo   ? &m_types
                                                                      : nullptr;
        if (parts != nullptr) {
            source.checkStop();
            if (parts == &m_nodes && field.payloadBegin == field.end) {
                throw ModelError("damaged", fmt::format("node {} is empty: it has no operator", m_nodes.size()));
            }
            parts->push_back({field.payloadBegin, field.end});
        }
        return parts != nullptr;
    });
}

void FileIndex::check() const
{
    if (!m_frame->has_graph() || !m_frame->has_ir_version()) {
        throw ModelError("damaged", "not an ONNX model, or a damaged one: it has no graph or no IR version");
    }
    // Opset imports exist since IR version 3. A newer file without any is truncated.
    if (m_frame->opset_import().empty() && m_frame->ir_version() >= 3) {
        throw ModelError("damaged", "it has no opset imports");
    }
}

FileParts::FileParts(const ModelSource& source, const FileIndex& index)
    : m_source(source)
    , m_index(index)
    , m_bytes(source.main()->bytes())
    , m_external(source)
{
}

void FileParts::forEachOutput(const Part& node, const std::function<void(std::string)>& use) const
{
    WireReader reader(m_bytes, node.begin, node.end);
    WireField field;
    while (reader.next(field)) {
        if (field.number == nodeOutput && field.type == WireType::Bytes) {
            use(std::string(reinterpret_cast<const char*>(m_bytes.data() + field.payloadBegin),
                            field.end - field.payloadBegin));
        }
    }
}

void FileParts::readNode(const Part& part, ::onnx::NodeProto& node)
{
    m_source.checkStop();
    merge(node, m_bytes, part.begin, part.end);
    fetchExternal(node, m_external);
    release(part);
}

Tensor FileParts::readInitializer(const Part& part, ::onnx::TensorProto& stub)
{
    m_source.checkStop();
    TensorRecord record = scanTensor(m_bytes, part.begin, part.end, std::move(stub));
    Tensor tensor = content(record);
    stub = std::move(record.stub);
    stub.clear_external_data();
    stub.clear_data_location();
    release(part);
    return tensor;
}

Tensor FileParts::content(const TensorRecord& record)
{
    if (record.stub.data_location() == ::onnx::TensorProto::EXTERNAL) {
        return m_external.tensor(record.stub);
    }
    const auto type = static_cast<ElementType>(record.stub.data_type());
    if (type == ElementType::String) {
        return stringsOf(record.stub);
    }
    TensorElements elements = elementsOf(m_bytes, record);
    Ints dims(record.stub.dims().begin(), record.stub.dims().end());
    if (!elements.inPlace.empty()) {
        const auto offset = static_cast<std::uint64_t>(elements.inPlace.data() - m_bytes.data());
        return Tensor::mapped(type, std::move(dims), m_source.main(), offset);
    }
    return Tensor::owned(type, std::move(dims), std::move(elements.decoded));
}

void FileParts::readType(const Part& part, ::onnx::ValueInfoProto& info)
{
    m_source.checkStop();
    merge(info, m_bytes, part.begin, part.end);
    release(part);
}

/// Pages of a mapped file count as memory of the process until they are released.
void FileParts::release(const Part& read)
{
    constexpr std::size_t step = 4U << 20U;
    m_resident = std::min(m_resident, read.begin);
    if (read.end - m_resident >= step) {
        m_source.main()->release(m_resident, read.end - m_resident);
        m_resident = read.end;
    }
}

} // namespace crosswalk
