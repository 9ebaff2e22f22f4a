// ONNX Runtime in a separate process. This process sends requests, the other one, which runs serve(), answers each.
// Numbers are eight bytes in the order of the machine; texts, and lists, begin with their length.

#include "core/verify/runtime_process.h"

#include "core/base/child_process.h"
#include "core/base/program_folder.h"
#include "core/base/readable.h"
#include "core/verify/runtime_library.h"

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace crosswalk {
/// Named, because Runtime::Process has a member of a class of it.
namespace runtime_process {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* option = "--run-models";
constexpr std::uint64_t greeting = 0x63726f7373776c6b;

enum class Request : std::uint64_t { Load, OpenFile, OpenBytes, Run, Close };
enum class Answer : std::uint64_t { Done, Failed };

/// One end of the stream between the two processes.
class Wire {
public:
    Wire() = default;
    virtual ~Wire() = default;
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    void put(std::uint64_t number) { putBytes(std::as_bytes(std::span(&number, 1))); }
    void put(std::int64_t number) { put(std::bit_cast<std::uint64_t>(number)); }
    void put(std::string_view text)
    {
        put(std::uint64_t{text.size()});
        putBytes(std::as_bytes(std::span(text)));
    }
    void put(const TensorType& type)
    {
        put(static_cast<std::uint64_t>(type.element));
        put(std::uint64_t{type.shape ? type.shape->size() + 1 : 0});
        for (const Dim& dim : type.shape.value_or(Shape())) {
            put(dim.isFixed() ? dim.size : std::int64_t{-1});
            put(std::string_view(dim.isFixed() ? std::string() : dim.symbol()));
        }
    }
    void put(const NamedTensor& named)
    {
        const Tensor& tensor = named.tensor;
        put(std::string_view(named.name));
        put(static_cast<std::uint64_t>(tensor.type()));
        put(std::uint64_t{tensor.dims().size()});
        for (const std::int64_t dim : tensor.dims()) {
            put(dim);
        }
        if (tensor.type() == ElementType::String) {
            for (const std::string& text : tensor.toStrings()) {
                put(std::string_view(text));
            }
        } else {
            const auto bytes = tensor.toBytes();
            putBytes(bytes);
        }
    }
    void put(std::span<const NamedTensor> tensors)
    {
        put(std::uint64_t{tensors.size()});
        for (const NamedTensor& tensor : tensors) {
            put(tensor);
        }
    }
    void putBytes(std::span<const std::byte> bytes)
    {
        constexpr std::size_t enough = 1U << 16U;
        if (m_unsent.size() + bytes.size() > enough) {
            flush();
        }
        if (bytes.size() > enough) {
            send(bytes);
        } else {
            m_unsent.insert(m_unsent.end(), bytes.begin(), bytes.end());
        }
    }
    void flush()
    {
        send(m_unsent);
        m_unsent.clear();
    }

    /// The bytes that the other end may send from now on; more throw ModelError "output-limit".
    void setLimit(std::uint64_t bytes)
    {
        m_limit = bytes;
        m_left = bytes;
    }
    std::uint64_t getNumber()
    {
        std::uint64_t number = 0;
        get(std::as_writable_bytes(std::span(&number, 1)));
        return number;
    }
    std::string getText()
    {
        std::string text(expect(getNumber()), '\0');
        get(std::as_writable_bytes(std::span(text)));
        return text;
    }
    TensorType getType()
    {
        TensorType type;
        type.element = elementOf(getNumber());
        const std::uint64_t rank = getNumber();
        if (rank > 0) {
            type.shape.emplace();
        }
        for (std::uint64_t i = 1; i < rank; ++i) {
            const auto size = std::bit_cast<std::int64_t>(getNumber());
            std::string symbol = getText();
            type.shape->push_back(size >= 0 ? Dim(size) : Dim(std::move(symbol)));
        }
        return type;
    }
    NamedTensor getTensor()
    {
        std::string name = getText();
        const ElementType type = elementOf(getNumber());
        std::vector<std::int64_t> dims;
        std::uint64_t elements = 1;
        for (std::uint64_t left = getNumber(); left > 0; --left) {
            const std::uint64_t dim = getNumber();
            dims.push_back(std::bit_cast<std::int64_t>(dim));
            elements =
                dim == 0 || elements <= std::numeric_limits<std::int64_t>::max() / dim ? elements * dim : refuse();
        }
        if (type == ElementType::String) {
            std::vector<std::string> texts;
            for (std::uint64_t i = 0; i < elements; ++i) {
                texts.push_back(getText());
            }
            return {std::move(name), Tensor::strings(std::move(dims), std::move(texts))};
        }
        const std::uint64_t size = byteSize(type);
        if (size == 0 || elements > std::numeric_limits<std::int64_t>::max() / size) {
            refuse();
        }
        std::vector<std::byte> bytes(expect(elements * size));
        get(bytes);
        return {std::move(name), Tensor::owned(type, std::move(dims), std::move(bytes))};
    }
    std::vector<NamedTensor> getTensors()
    {
        std::vector<NamedTensor> tensors;
        for (std::uint64_t left = getNumber(); left > 0; --left) {
            tensors.push_back(getTensor());
        }
        return tensors;
    }

protected:
    virtual void send(std::span<const std::byte> bytes) = 0;
    virtual void receive(std::span<std::byte> bytes) = 0;
    virtual void end() = 0; ///< the other process: what it still sends makes no sense

private:
    [[noreturn]] std::uint64_t refuse()
    {
        end();
        throw ModelError("output-limit", fmt::format("the model's outputs take more than {}", readableBytes(m_limit)));
    }
    std::uint64_t expect(std::uint64_t bytes) { return bytes <= m_left ? bytes : refuse(); }
    void get(std::span<std::byte> bytes)
    {
        m_left -= expect(bytes.size());
        receive(bytes);
    }
    ElementType elementOf(std::uint64_t number)
    {
        return number <= static_cast<std::uint64_t>(ElementType::BFloat16) ? static_cast<ElementType>(number)
                                                                           : static_cast<ElementType>(refuse());
    }

    std::vector<std::byte> m_unsent;
    std::uint64_t m_limit = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t m_left = std::numeric_limits<std::uint64_t>::max();
};

// The process that runs models.

/// Its standard input and a copy of its standard output, to which nothing else can write.
class ParentWire final : public Wire {
public:
    ParentWire()
        : m_output(::dup(STDOUT_FILENO))
    {
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    }

protected:
    void send(std::span<const std::byte> bytes) override
    {
        while (!bytes.empty()) {
            const auto sent = ::write(m_output, bytes.data(), bytes.size());
            bytes = bytes.subspan(advanced(sent));
        }
    }
    void receive(std::span<std::byte> bytes) override
    {
        while (!bytes.empty()) {
            const auto received = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (received == 0) {
                ::_exit(0); // the other process has ended
            }
            bytes = bytes.subspan(advanced(received));
        }
    }
    void end() override { ::_exit(1); }

private:
    static std::size_t advanced(::ssize_t count)
    {
        if (count < 0 && errno != EINTR) {
            ::_exit(1);
        }
        return static_cast<std::size_t>(std::max<::ssize_t>(count, 0));
    }

    int m_output;
};

class Server {
public:
    void answer()
    {
        const auto request = static_cast<Request>(m_wire.getNumber());
        try {
            carryOut(request);
        } catch (const ModelError& error) {
            fail(error.diagnostic);
        } catch (const std::exception& error) { // most often: out of memory
            fail({.code = "runtime", .message = fmt::format("the model cannot be run: {}", error.what())});
        }
        m_wire.flush();
    }
    void greet()
    {
        m_wire.put(greeting);
        m_wire.put(std::string_view(CROSSWALK_VERSION));
        m_wire.flush();
    }

private:
    void carryOut(Request request)
    {
        switch (request) {
        case Request::Load: {
            const std::string version = Runtime::load()->version();
            m_wire.put(static_cast<std::uint64_t>(Answer::Done));
            m_wire.put(std::string_view(version));
            return;
        }
        case Request::OpenFile:
        case Request::OpenBytes:
            open(request == Request::OpenFile);
            return;
        case Request::Run: {
            const std::uint64_t session = m_wire.getNumber();
            const auto inputs = m_wire.getTensors();
            const auto outputs = m_sessions.at(session).run(inputs);
            m_wire.put(static_cast<std::uint64_t>(Answer::Done));
            m_wire.put(std::span<const NamedTensor>(outputs));
            return;
        }
        case Request::Close:
            m_sessions.erase(m_wire.getNumber()); // writes the profile
            m_wire.put(static_cast<std::uint64_t>(Answer::Done));
            return;
        }
    }
    void open(bool isFile)
    {
        const std::uint64_t number = m_wire.getNumber();
        const std::string model = m_wire.getText();
        RuntimeOptions options;
        options.threads = static_cast<int>(m_wire.getNumber());
        options.optimize = m_wire.getNumber() != 0;
        options.profile = m_wire.getText();
        const auto runtime = Runtime::load();
        const auto [session, isNew] =
            m_sessions.emplace(number, isFile ? RuntimeSession(runtime, fs::path(model), options)
                                              : RuntimeSession(runtime, std::as_bytes(std::span(model)), options));
        m_wire.put(static_cast<std::uint64_t>(Answer::Done));
        for (const auto* ports : {&session->second.inputs(), &session->second.outputs()}) {
            m_wire.put(std::uint64_t{ports->size()});
            for (const RuntimeSession::Port& port : *ports) {
                m_wire.put(std::string_view(port.name));
                m_wire.put(port.type);
            }
        }
    }
    void fail(const Diagnostic& problem)
    {
        m_wire.put(static_cast<std::uint64_t>(Answer::Failed));
        m_wire.put(std::uint64_t{problem.code == Code("no-runtime")});
        m_wire.put(std::string_view(problem.message));
        m_wire.put(std::string_view(problem.hint));
    }

    ParentWire m_wire;
    std::map<std::uint64_t, RuntimeSession> m_sessions;
};

[[noreturn]] void serve()
{
    std::signal(SIGPIPE, SIG_DFL);
    Server server;
    server.greet();
    while (true) {
        server.answer();
    }
}

// The process that asks.

struct Programs {
    std::mutex mutex;
    fs::path chosen; ///< can run models for sure
};

Programs& programs()
{
    static Programs all;
    return all;
}

/// Programs that run models: that which was chosen, for certain, or `crosswalk` beside this program and on PATH, which
/// may be of another version.
std::pair<std::vector<fs::path>, bool> candidates()
{
    const std::scoped_lock lock(programs().mutex);
    if (!programs().chosen.empty()) {
        return {{programs().chosen}, true};
    }
    std::vector<fs::path> folders{programFolder()};
    const char* path = std::getenv("PATH");
    for (std::string_view left = path != nullptr ? path : ""; !left.empty();) {
        const auto end = std::min(left.find(':'), left.size());
        folders.emplace_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    std::vector<fs::path> found;
    for (const fs::path& folder : folders) {
        if (folder.is_absolute() && ::access((folder / "crosswalk").c_str(), X_OK) == 0) {
            found.push_back(folder / "crosswalk");
        }
    }
    return {std::move(found), false};
}

std::uint64_t memoryOf(const RuntimeLimits& limits)
{
    const auto machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return limits.memory != 0 ? limits.memory : machine / 4 * 3;
}

class ChildWire final : public Wire {
public:
    ChildWire(const fs::path& program, const RuntimeLimits& limits, std::stop_token stop)
        : m_limits(limits)
        , m_stop(std::move(stop))
        , m_child(std::array{program.string(), std::string(option)}, {.memory = memoryOf(limits)})
    {
        restart(m_stop);
    }

    /// Begins the time of a request.
    void restart(const std::stop_token& stop)
    {
        m_until = m_limits.time.count() != 0 ? Clock::now() + m_limits.time : Clock::time_point::max();
        m_runStop = stop;
        setLimit(memoryOf(m_limits));
    }
    /// Sends the request, and throws what it failed with.
    void expectDone()
    {
        flush();
        if (getNumber() == static_cast<std::uint64_t>(Answer::Done)) {
            return;
        }
        const bool isAbsent = getNumber() != 0;
        std::string message = getText();
        std::string hint = getText();
        throw isAbsent ? ModelError("no-runtime", std::move(message), std::move(hint))
                       : ModelError("runtime", std::move(message), std::move(hint));
    }

protected:
    void send(std::span<const std::byte> bytes) override
    {
        expectAlive([&](const std::stop_token& stop) { return m_child.send(bytes, m_until, stop); });
    }
    void receive(std::span<std::byte> bytes) override
    {
        expectAlive([&](const std::stop_token& stop) { return m_child.receive(bytes, m_until, stop); });
    }
    void end() override { m_child.kill(); }

private:
    template <typename Transfer>
    void expectAlive(const Transfer& transfer)
    {
        // Either token stops: that of the whole check, or that of a single run.
        std::stop_source either;
        const auto stop = [&] { either.request_stop(); };
        const std::stop_callback first(m_stop, stop);
        const std::stop_callback second(m_runStop, stop);
        const auto ended = transfer(either.get_token());
        if (!ended) {
            return;
        }
        switch (ended->end) {
        case ChildResult::End::Exited:
            throw ModelError("runtime-crash", fmt::format("ONNX Runtime ended its process while it ran the model (exit "
                                                          "status {})",
                                                          ended->code));
        case ChildResult::End::Signalled:
            throw ModelError("runtime-crash",
                             fmt::format("ONNX Runtime crashed while it ran the model ({})", ::strsignal(ended->code)));
        case ChildResult::End::TimedOut:
            throw ModelError(
                "time-limit",
                fmt::format("the model ran for more than {:g} s", std::chrono::duration<double>(m_limits.time).count()),
                "--time-limit gives it more time");
        case ChildResult::End::Cancelled:
            throw ModelError("cancelled", "cancelled");
        }
    }

    RuntimeLimits m_limits;
    std::stop_token m_stop;
    std::stop_token m_runStop;
    Clock::time_point m_until;
    TalkingChild m_child;
};

} // namespace runtime_process

using namespace runtime_process;

struct Runtime::Process {
    Process(const fs::path& program, const RuntimeLimits& limits, const std::stop_token& stop)
        : wire(program, limits, stop)
    {
    }

    ChildWire wire;
    std::uint64_t sessions = 0; ///< opened so far
};

namespace {

class RemoteSession final : public RuntimeSession::State {
public:
    RemoteSession(std::shared_ptr<const Runtime> runtime, Runtime::Process& process, Request request,
                  std::string_view model, const RuntimeOptions& options)
        : m_runtime(std::move(runtime))
        , m_process(process)
        , m_number(process.sessions++)
    {
        ChildWire& wire = m_process.wire;
        wire.restart({});
        wire.put(static_cast<std::uint64_t>(request));
        wire.put(m_number);
        wire.put(model);
        wire.put(std::uint64_t(options.threads));
        wire.put(std::uint64_t{options.optimize});
        wire.put(std::string_view(options.profile));
        wire.expectDone();
        for (auto* ports : {&inputs, &outputs}) {
            for (std::uint64_t left = wire.getNumber(); left > 0; --left) {
                std::string name = wire.getText();
                ports->push_back({std::move(name), wire.getType()});
            }
        }
    }
    ~RemoteSession() override
    {
        try {
            m_process.wire.restart({});
            m_process.wire.put(static_cast<std::uint64_t>(Request::Close));
            m_process.wire.put(m_number);
            m_process.wire.expectDone();
        } catch (const std::exception&) { // a process that has ended has no sessions
        }
    }
    RemoteSession(const RemoteSession&) = delete;
    RemoteSession& operator=(const RemoteSession&) = delete;

    std::vector<NamedTensor> run(std::span<const NamedTensor> given, const std::stop_token& stop) const override
    {
        ChildWire& wire = m_process.wire;
        wire.restart(stop);
        wire.put(static_cast<std::uint64_t>(Request::Run));
        wire.put(m_number);
        wire.put(given);
        wire.expectDone();
        return wire.getTensors();
    }

private:
    std::shared_ptr<const Runtime> m_runtime; // has the process
    Runtime::Process& m_process;
    std::uint64_t m_number;
};

/// The process of a program, or nothing if it turns out to be one that does not run models.
std::shared_ptr<Runtime::Process> startProcess(const fs::path& program, bool isCertain, const RuntimeLimits& limits,
                                               const std::stop_token& stop)
{
    try {
        auto process = std::make_shared<Runtime::Process>(program, limits, stop);
        if (process->wire.getNumber() == greeting && process->wire.getText() == CROSSWALK_VERSION) {
            return process;
        }
    } catch (const ModelError& error) {
        if (isCertain || error.diagnostic.code == Code("cancelled")) {
            throw;
        }
    }
    return nullptr;
}

} // namespace

void offerRuntimeProcess(int argc, const char* const* argv)
{
    if (argc == 2 && std::string_view(argv[1]) == option) {
        serve();
    }
    useRuntimeProgram("/proc/self/exe");
}

void useRuntimeProgram(const fs::path& program)
{
    const std::scoped_lock lock(programs().mutex);
    programs().chosen = program;
}

std::shared_ptr<const Runtime> Runtime::start(const RuntimeLimits& limits, std::stop_token stop)
{
    const auto [found, isCertain] = candidates();
    for (const fs::path& program : found) {
        if (auto process = startProcess(program, isCertain, limits, stop)) {
            process->wire.restart({});
            process->wire.put(static_cast<std::uint64_t>(Request::Load));
            process->wire.expectDone();
            std::string version = process->wire.getText();
            return std::shared_ptr<const Runtime>(new Runtime(std::move(process), std::move(version)));
        }
    }
    return load();
}

std::unique_ptr<RuntimeSession::State> RuntimeSession::open(std::shared_ptr<const Runtime> runtime,
                                                            const std::filesystem::path& model,
                                                            const RuntimeOptions& options)
{
    Runtime::Process& process = *runtime->m_process;
    return std::make_unique<RemoteSession>(std::move(runtime), process, Request::OpenFile, model.string(), options);
}

std::unique_ptr<RuntimeSession::State> RuntimeSession::open(std::shared_ptr<const Runtime> runtime,
                                                            std::span<const std::byte> model,
                                                            const RuntimeOptions& options)
{
    Runtime::Process& process = *runtime->m_process;
    const std::string_view bytes(reinterpret_cast<const char*>(model.data()), model.size());
    return std::make_unique<RemoteSession>(std::move(runtime), process, Request::OpenBytes, bytes, options);
}

} // namespace crosswalk
