#include "core/verify/runtime.h"

#include "core/verify/runtime_library.h"

#include <fmt/format.h>
#include <utility>

namespace crosswalk {
namespace {

ElementType elementTypeOf(int onnxType)
{
    // The library and ElementType both use ONNX's numbers.
    const bool known = onnxType > 0 && onnxType <= static_cast<int>(ElementType::BFloat16);
    return known ? static_cast<ElementType>(onnxType) : ElementType::Undefined;
}

class LocalSession final : public RuntimeSession::State {
public:
    using Port = RuntimeSession::Port;

    LocalSession(std::shared_ptr<const Runtime> loaded, const Runtime::State& state)
        : runtime(std::move(loaded))
        , library(state)
        , session(state.api.releaseSession)
    {
    }

    std::vector<NamedTensor> run(std::span<const NamedTensor> given, const std::stop_token& stop) const override;

    std::shared_ptr<const Runtime> runtime;
    const Runtime::State& library;
    onnxruntime::Owned<onnxruntime::Session> session;

    onnxruntime::Owned<onnxruntime::SessionOptions> makeOptions(const RuntimeOptions& options) const;
    void readPorts();
    Port readPort(std::size_t index, bool input) const;
    TensorType readType(const onnxruntime::TypeInfo* type) const;
    onnxruntime::Owned<onnxruntime::Value> makeInput(const NamedTensor& input, std::vector<std::byte>& bytes) const;
    onnxruntime::Owned<onnxruntime::Value> makeStrings(const NamedTensor& input) const;
    Tensor readOutput(onnxruntime::Value* value, const std::string& name) const;
    Tensor readStrings(const onnxruntime::Value* value, std::vector<std::int64_t> dims) const;
};

onnxruntime::Owned<onnxruntime::SessionOptions> LocalSession::makeOptions(const RuntimeOptions& options) const
{
    const auto& api = library.api;
    onnxruntime::Owned<onnxruntime::SessionOptions> made(api.releaseSessionOptions);
    library.check(api.createSessionOptions(made.out()));
    library.check(api.setLogSeverity(*made, onnxruntime::logFatalOnly));
    library.check(api.setIntraOpThreads(*made, options.threads));
    library.check(api.setInterOpThreads(*made, 1));
    library.check(
        api.setOptimizationLevel(*made, options.optimize ? onnxruntime::optimizeAll : onnxruntime::optimizeNothing));
    if (!options.profile.empty()) {
        library.check(api.enableProfiling(*made, options.profile.c_str()));
    }
    return made;
}

void LocalSession::readPorts()
{
    std::size_t count = 0;
    library.check(library.api.inputCount(*session, &count));
    for (std::size_t i = 0; i < count; ++i) {
        inputs.push_back(readPort(i, true));
    }
    library.check(library.api.outputCount(*session, &count));
    for (std::size_t i = 0; i < count; ++i) {
        outputs.push_back(readPort(i, false));
    }
}

LocalSession::Port LocalSession::readPort(std::size_t index, bool input) const
{
    const auto& api = library.api;
    onnxruntime::Allocator* allocator = nullptr;
    library.check(api.defaultAllocator(&allocator));
    char* text = nullptr;
    library.check((input ? api.inputName : api.outputName)(*session, index, allocator, &text));
    Port port{text, {}};
    library.check(api.freeMemory(allocator, text));
    onnxruntime::Owned<onnxruntime::TypeInfo> type(api.releaseTypeInfo);
    library.check((input ? api.inputType : api.outputType)(*session, index, type.out()));
    port.type = readType(*type);
    return port;
}

TensorType LocalSession::readType(const onnxruntime::TypeInfo* type) const
{
    const auto& api = library.api;
    const onnxruntime::TensorInfo* tensor = nullptr;
    library.check(api.tensorInfoOfType(type, &tensor));
    if (tensor == nullptr) {
        return {};
    }
    int element = 0;
    std::size_t rank = 0;
    library.check(api.elementType(tensor, &element));
    library.check(api.rank(tensor, &rank));
    std::vector<std::int64_t> dims(rank);
    std::vector<const char*> symbols(rank);
    library.check(api.dimensions(tensor, dims.data(), rank));
    library.check(api.symbols(tensor, symbols.data(), rank));
    Shape shape;
    for (std::size_t i = 0; i < rank; ++i) {
        shape.push_back(dims[i] >= 0 ? Dim(dims[i]) : Dim(std::string(symbols[i])));
    }
    return {elementTypeOf(element), std::move(shape)};
}

onnxruntime::Owned<onnxruntime::Value> LocalSession::makeInput(const NamedTensor& input,
                                                               std::vector<std::byte>& bytes) const
{
    if (input.tensor.type() == ElementType::String) {
        return makeStrings(input);
    }
    const auto& api = library.api;
    onnxruntime::Owned<onnxruntime::MemoryInfo> memory(api.releaseMemoryInfo);
    library.check(api.createCpuMemoryInfo(onnxruntime::deviceAllocator, onnxruntime::defaultMemory, memory.out()));
    bytes = input.tensor.toBytes();
    const std::size_t size = bytes.size();
    bytes.reserve(1); // an empty tensor needs an address as well
    const auto& dims = input.tensor.dims();
    onnxruntime::Owned<onnxruntime::Value> value(api.releaseValue);
    library.check(api.createTensor(*memory, bytes.data(), size, dims.data(), dims.size(),
                                   static_cast<int>(input.tensor.type()), value.out()),
                  fmt::format("input {}: ", input.name));
    return value;
}

onnxruntime::Owned<onnxruntime::Value> LocalSession::makeStrings(const NamedTensor& input) const
{
    const auto& api = library.api;
    std::vector<const char*> strings;
    for (const std::string& value : input.tensor.toStrings()) {
        if (value.find('\0') != std::string::npos) {
            throw ModelError("runtime", fmt::format("input {}: element {} contains a null byte, which ONNX Runtime's "
                                                    "C interface does not support",
                                                    input.name, strings.size()));
        }
        strings.push_back(value.c_str());
    }
    onnxruntime::Allocator* allocator = nullptr;
    library.check(api.defaultAllocator(&allocator));
    const auto& dims = input.tensor.dims();
    onnxruntime::Owned<onnxruntime::Value> value(api.releaseValue);
    const std::string which = fmt::format("input {}: ", input.name);
    library.check(
        api.allocateTensor(allocator, dims.data(), dims.size(), static_cast<int>(ElementType::String), value.out()),
        which);
    library.check(api.fillStrings(*value, strings.data(), strings.size()), which);
    return value;
}

Tensor LocalSession::readOutput(onnxruntime::Value* value, const std::string& name) const
{
    const auto& api = library.api;
    int isTensor = 0;
    library.check(api.isTensor(value, &isTensor));
    if (isTensor == 0) {
        throw ModelError("runtime", fmt::format("output {} is not a tensor", name));
    }
    onnxruntime::Owned<onnxruntime::TensorInfo> info(api.releaseTensorInfo);
    int element = 0;
    std::size_t rank = 0;
    library.check(api.tensorInfoOfValue(value, info.out()));
    library.check(api.elementType(*info, &element));
    library.check(api.rank(*info, &rank));
    std::vector<std::int64_t> dims(rank);
    library.check(api.dimensions(*info, dims.data(), rank));
    const ElementType type = elementTypeOf(element);
    if (type == ElementType::String) {
        return readStrings(value, std::move(dims));
    }
    if (byteSize(type) == 0) {
        throw ModelError("runtime", fmt::format("output {} has an element type that is not supported", name));
    }
    void* data = nullptr;
    library.check(api.tensorData(value, &data));
    std::size_t size = byteSize(type);
    for (const auto dim : dims) {
        size *= static_cast<std::size_t>(dim);
    }
    const auto* first = static_cast<const std::byte*>(data);
    return Tensor::owned(type, std::move(dims), {first, first + size});
}

Tensor LocalSession::readStrings(const onnxruntime::Value* value, std::vector<std::int64_t> dims) const
{
    const auto count = static_cast<std::size_t>(elementCount(shapeOf(dims)).value_or(0));
    std::size_t size = 0;
    library.check(library.api.stringBytes(value, &size));
    std::string content(size, '\0');
    std::vector<std::size_t> offsets(count);
    if (count > 0) {
        library.check(library.api.stringContent(value, content.data(), size, offsets.data(), count));
    }
    std::vector<std::string> strings(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = i + 1 < count ? offsets[i + 1] : size;
        strings[i] = content.substr(offsets[i], end - offsets[i]);
    }
    return Tensor::strings(std::move(dims), std::move(strings));
}

std::vector<NamedTensor> LocalSession::run(std::span<const NamedTensor> given, const std::stop_token& stop) const
{
    const auto& api = library.api;
    std::vector<std::vector<std::byte>> bytes(given.size());
    std::vector<onnxruntime::Owned<onnxruntime::Value>> owned;
    std::vector<const onnxruntime::Value*> values;
    std::vector<const char*> inputNames;
    for (std::size_t i = 0; i < given.size(); ++i) {
        owned.push_back(makeInput(given[i], bytes[i]));
        values.push_back(*owned.back());
        inputNames.push_back(given[i].name.c_str());
    }
    std::vector<const char*> outputNames;
    for (const Port& port : outputs) {
        outputNames.push_back(port.name.c_str());
    }
    onnxruntime::Owned<onnxruntime::RunOptions> options(api.releaseRunOptions);
    library.check(api.createRunOptions(options.out()));
    const std::stop_callback terminate(stop, [&] {
        if (auto* status = api.terminate(*options)) {
            api.releaseStatus(status);
        }
    });
    std::vector<onnxruntime::Value*> results(outputNames.size());
    auto* status = api.run(*session, *options, inputNames.data(), values.data(), values.size(), outputNames.data(),
                           outputNames.size(), results.data());
    std::vector<onnxruntime::Owned<onnxruntime::Value>> made;
    made.reserve(results.size());
    for (auto* result : results) {
        made.emplace_back(api.releaseValue, result);
    }
    if (stop.stop_requested()) {
        if (status != nullptr) {
            api.releaseStatus(status);
        }
        throw ModelError("cancelled", "cancelled");
    }
    library.check(status);
    std::vector<NamedTensor> computed;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string& name = outputs[i].name;
        computed.push_back({name, readOutput(results[i], name)});
    }
    return computed;
}

} // namespace

RuntimeSession::RuntimeSession(std::shared_ptr<const Runtime> runtime, const std::filesystem::path& model,
                               const RuntimeOptions& options)
{
    if (runtime->m_process) {
        m_state = open(std::move(runtime), model, options);
        return;
    }
    const auto& library = *runtime->m_state;
    auto local = std::make_unique<LocalSession>(std::move(runtime), library);
    const auto made = local->makeOptions(options);
    library.check(library.api.createSession(library.env, model.c_str(), *made, local->session.out()));
    local->readPorts();
    m_state = std::move(local);
}

RuntimeSession::RuntimeSession(std::shared_ptr<const Runtime> runtime, std::span<const std::byte> model,
                               const RuntimeOptions& options)
{
    if (runtime->m_process) {
        m_state = open(std::move(runtime), model, options);
        return;
    }
    const auto& library = *runtime->m_state;
    auto local = std::make_unique<LocalSession>(std::move(runtime), library);
    const auto made = local->makeOptions(options);
    library.check(
        library.api.createSessionFromArray(library.env, model.data(), model.size(), *made, local->session.out()));
    local->readPorts();
    m_state = std::move(local);
}

RuntimeSession::~RuntimeSession() = default;
RuntimeSession::RuntimeSession(RuntimeSession&&) noexcept = default;
RuntimeSession& RuntimeSession::operator=(RuntimeSession&&) noexcept = default;

const std::vector<RuntimeSession::Port>& RuntimeSession::inputs() const
{
    return m_state->inputs;
}

const std::vector<RuntimeSession::Port>& RuntimeSession::outputs() const
{
    return m_state->outputs;
}

std::vector<NamedTensor> RuntimeSession::run(std::span<const NamedTensor> inputs, std::stop_token stop) const
{
    return m_state->run(inputs, stop);
}

namespace {

template <typename Model>
Result<std::vector<NamedTensor>> runOnce(const Model& model, std::span<const NamedTensor> inputs,
                                         const RuntimeOptions& options, std::stop_token stop)
{
    try {
        return RuntimeSession(Runtime::load(), model, options).run(inputs, std::move(stop));
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace

Result<std::vector<NamedTensor>> runModel(const std::filesystem::path& model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options, std::stop_token stop)
{
    return runOnce(model, inputs, options, std::move(stop));
}

Result<std::vector<NamedTensor>> runModel(std::span<const std::byte> model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options, std::stop_token stop)
{
    return runOnce(model, inputs, options, std::move(stop));
}

} // namespace crosswalk
