#include "core/onnx/load.h"

#include "core/base/diagnostic.h"
#include "core/onnx/external_data.h"
#include "core/onnx/tensor_record.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

namespace crosswalk {
namespace {

// Field numbers of ONNX's schema.
constexpr std::uint32_t modelGraph = 7;
constexpr std::uint32_t graphInitializer = 5;

/// Parses file[begin, end), whole fields of a message, into it.
void merge(google::protobuf::Message& message, std::span<const std::byte> file, std::size_t begin, std::size_t end)
{
    if (begin == end) {
        return;
    }
    if (end - begin > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw ModelError("damaged", "its structure takes more than 2 GB, which no ONNX file can");
    }
    google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(file.data() + begin),
                                                 static_cast<int>(end - begin));
    if (!message.MergePartialFromCodedStream(&input) || !input.ConsumedEntireMessage()) {
        throw ModelError("damaged", fmt::format("no ONNX model, or a damaged one: what stands at bytes {} to {} is not "
                                                "what ONNX puts there",
                                                begin, end));
    }
}

class Loader {
public:
    explicit Loader(std::shared_ptr<const MappedFile> file)
        : m_file(std::move(file))
        , m_bytes(m_file->bytes())
        , m_external(m_file->path().parent_path())
    {
        m_model.proto = std::make_shared<::onnx::ModelProto>();
    }

    OnnxModel load()
    {
        WireReader reader(m_bytes, 0, m_bytes.size());
        splitOff(reader, *m_model.proto, 0, modelGraph, [&](const WireField& graph) {
            WireReader inner(m_bytes, graph);
            splitOff(inner, *m_model.proto->mutable_graph(), graph.payloadBegin, graphInitializer,
                     [&](const WireField& initializer) { addInitializer(initializer); });
        });
        check();
        fetchAttributes(*m_model.proto->mutable_graph());
        for (auto& function : *m_model.proto->mutable_functions()) {
            for (auto& node : *function.mutable_node()) {
                fetchAttributes(node);
            }
        }
        return std::move(m_model);
    }

private:
    /// Parses a message but for the fields of one number, which are handed to `use` instead.
    template <typename Use>
    void splitOff(WireReader& reader, google::protobuf::Message& message, std::size_t begin, std::uint32_t number,
                  Use&& use)
    {
        WireField field;
        std::size_t rest = begin;
        std::size_t end = begin;
        while (reader.next(field)) {
            end = field.end;
            if (field.number == number && field.type == WireType::Bytes) {
                merge(message, m_bytes, rest, field.begin);
                rest = field.end;
                use(field);
            }
        }
        merge(message, m_bytes, rest, end);
    }

    void addInitializer(const WireField& field)
    {
        TensorRecord record = scanTensor(m_bytes, field.payloadBegin, field.end);
        Tensor tensor = content(record);
        auto& stub = *m_model.proto->mutable_graph()->add_initializer();
        stub.Swap(&record.stub);
        stub.clear_external_data();
        stub.clear_data_location();
        if (tensor.bytes() > 0 && tensor.bytes() <= OnnxModel::stubLimit) {
            const auto bytes = tensor.toBytes();
            stub.set_raw_data(bytes.data(), bytes.size());
        }
        m_model.weights.push_back(std::move(tensor));
    }

    Tensor content(const TensorRecord& record)
    {
        if (record.stub.data_location() == ::onnx::TensorProto::EXTERNAL) {
            return m_external.tensor(record.stub);
        }
        TensorElements elements = elementsOf(m_bytes, record);
        const auto type = static_cast<ElementType>(record.stub.data_type());
        std::vector<std::int64_t> dims(record.stub.dims().begin(), record.stub.dims().end());
        if (!elements.inPlace.empty()) {
            const auto offset = static_cast<std::uint64_t>(elements.inPlace.data() - m_bytes.data());
            return Tensor::mapped(type, std::move(dims), m_file, offset);
        }
        return Tensor::owned(type, std::move(dims), std::move(elements.decoded));
    }

    void check() const
    {
        if (!m_model.proto->has_graph() || !m_model.proto->has_ir_version()) {
            throw ModelError("damaged", "no ONNX model, or a damaged one: it has no graph or no IR version");
        }
        // Opset imports came with IR version 3; from then on a file without any is one that lost its end.
        if (m_model.proto->opset_import().empty() && m_model.proto->ir_version() >= 3) {
            throw ModelError("damaged", "it does not say which operator sets it uses");
        }
    }

    // Tensors of attributes and bodies stay in the proto, and are small; those that lie in other files are fetched.
    void fetch(::onnx::TensorProto& tensor)
    {
        if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
            const auto bytes = m_external.tensor(tensor).toBytes();
            tensor.set_raw_data(bytes.data(), bytes.size());
            tensor.clear_external_data();
            tensor.clear_data_location();
        }
    }
    void fetchAttributes(::onnx::NodeProto& node)
    {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_t()) {
                fetch(*attribute.mutable_t());
            }
            for (auto& tensor : *attribute.mutable_tensors()) {
                fetch(tensor);
            }
            if (attribute.has_g()) {
                fetchBody(*attribute.mutable_g());
            }
            for (auto& body : *attribute.mutable_graphs()) {
                fetchBody(body);
            }
        }
    }
    void fetchBody(::onnx::GraphProto& body)
    {
        for (auto& initializer : *body.mutable_initializer()) {
            fetch(initializer);
        }
        fetchAttributes(body);
    }
    void fetchAttributes(::onnx::GraphProto& graph)
    {
        for (auto& node : *graph.mutable_node()) {
            fetchAttributes(node);
        }
    }

    std::shared_ptr<const MappedFile> m_file;
    std::span<const std::byte> m_bytes;
    ExternalData m_external;
    OnnxModel m_model;
};

} // namespace

OnnxModel loadOnnx(const std::filesystem::path& path)
{
    return loadOnnx(MappedFile::open(path));
}

OnnxModel loadOnnx(std::shared_ptr<const MappedFile> file)
{
    if (file->bytes().empty()) {
        throw ModelError("damaged", "the file is empty");
    }
    return Loader(std::move(file)).load();
}

} // namespace crosswalk
