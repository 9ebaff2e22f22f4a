#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/tensor.h"
#include "crosswalk/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// What a process that runs models may use.
struct RuntimeLimits {
    std::chrono::milliseconds time = std::chrono::seconds(120); ///< of loading a model, and of each run; 0: no limit
    std::uint64_t memory = 0;                                   ///< bytes; 0: three quarters of the machine's
};

/// ONNX Runtime, loaded on first use, so that the program starts without it.
class Runtime {
public:
    /// Searches the environment variable CROSSWALK_ONNXRUNTIME (the library or its folder; if set, only that), the
    /// folders beside this program, the folder that ./dev populates, and the system's libraries, in that order. The
    /// library stays loaded; later calls return the same object. Throws ModelError "no-runtime" with instructions.
    static std::shared_ptr<const Runtime> load();

    /// ONNX Runtime in a separate process, which ends with this object and its sessions: a model that makes it crash,
    /// run without end or take all memory does not affect this process. `stop` ends the process at any time. One thread
    /// at a time may use the sessions. Without a program that can run models (core/verify/runtime_process.h), the same
    /// as load(). Throws ModelError "no-runtime", and, as its sessions do, "runtime-crash", "time-limit",
    /// "output-limit" and "cancelled".
    static std::shared_ptr<const Runtime> start(const RuntimeLimits& limits = {}, std::stop_token stop = {});

    explicit Runtime(const std::filesystem::path& library); ///< Throws ModelError "no-runtime".
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    std::string version() const; ///< "1.31.1"
    /// The file that was loaded; empty if that was in another process.
    std::filesystem::path path() const;

    struct State;   ///< see runtime_library.h
    struct Process; ///< see runtime_process.cpp

private:
    friend class RuntimeSession;
    Runtime(std::shared_ptr<Process> process, std::string version);

    std::unique_ptr<State> m_state;     ///< in this process
    std::shared_ptr<Process> m_process; ///< or in another one
    std::string m_version;
};

/// The places that Runtime::load() searches, in order, for display: paths, and "the system's libraries".
std::vector<std::string> runtimePlaces();

struct RuntimeOptions {
    int threads = 0;      ///< 0: the number of cores
    bool optimize = true; ///< enables ONNX Runtime's graph optimizations
    /// Start of the path of a profile of all runs, which the end of the session writes: `profile_<time>.json`. Empty:
    /// no profile.
    std::string profile = {};
};

/// A model loaded by ONNX Runtime, which can run any number of times. Errors of the runtime are thrown as ModelError
/// "runtime" with its message.
class RuntimeSession {
public:
    struct Port {
        std::string name;
        TensorType type; ///< unknown if it is not a tensor
    };

    RuntimeSession(std::shared_ptr<const Runtime> runtime, const std::filesystem::path& model,
                   const RuntimeOptions& options = {});
    /// A model in memory, without external data.
    RuntimeSession(std::shared_ptr<const Runtime> runtime, std::span<const std::byte> model,
                   const RuntimeOptions& options = {});
    ~RuntimeSession();
    RuntimeSession(RuntimeSession&&) noexcept;
    RuntimeSession& operator=(RuntimeSession&&) noexcept;

    const std::vector<Port>& inputs() const; ///< without those that have an initializer
    const std::vector<Port>& outputs() const;

    /// All outputs, in the model's order. Throws ModelError "cancelled" if stopped.
    std::vector<NamedTensor> run(std::span<const NamedTensor> inputs, std::stop_token stop = {}) const;

    class State; ///< see runtime_library.h

private:
    // In the other process of the runtime.
    static std::unique_ptr<State> open(std::shared_ptr<const Runtime> runtime, const std::filesystem::path& model,
                                       const RuntimeOptions& options);
    static std::unique_ptr<State> open(std::shared_ptr<const Runtime> runtime, std::span<const std::byte> model,
                                       const RuntimeOptions& options);

    std::unique_ptr<State> m_state;
};

/// Loads a model and runs it once. Problem codes: "no-runtime", "runtime", "cancelled".
Result<std::vector<NamedTensor>> runModel(const std::filesystem::path& model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options = {}, std::stop_token stop = {});
Result<std::vector<NamedTensor>> runModel(std::span<const std::byte> model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options = {}, std::stop_token stop = {});

} // namespace crosswalk
