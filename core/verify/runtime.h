#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/tensor.h"
#include "crosswalk/result.h"

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

/// ONNX Runtime, loaded on first use, so that the program starts without it.
class Runtime {
public:
    /// Searches the environment variable CROSSWALK_ONNXRUNTIME (the library or its folder; if set, only that), the
    /// folders beside this program, the folder that ./dev populates, and the system's libraries, in that order. The
    /// library stays loaded; later calls return the same object. Throws ModelError "no-runtime" with instructions.
    static std::shared_ptr<const Runtime> load();

    explicit Runtime(const std::filesystem::path& library); ///< Throws ModelError "no-runtime".
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    std::string version() const; ///< "1.31.1"
    /// The file that was loaded.
    std::filesystem::path path() const;

    struct State; ///< see runtime_library.h

private:
    friend class RuntimeSession;
    std::unique_ptr<State> m_state;
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

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Loads a model and runs it once. Problem codes: "no-runtime", "runtime", "cancelled".
Result<std::vector<NamedTensor>> runModel(const std::filesystem::path& model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options = {}, std::stop_token stop = {});
Result<std::vector<NamedTensor>> runModel(std::span<const std::byte> model, std::span<const NamedTensor> inputs,
                                          const RuntimeOptions& options = {}, std::stop_token stop = {});

} // namespace crosswalk
