#pragma once

#include "core/base/result.h"
#include "core/graph/tensor.h"

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

/// ONNX Runtime, loaded when it is first asked for: this program starts without it.
class Runtime {
public:
    /// Looks in the environment variable CROSSWALK_ONNXRUNTIME (the library or its folder; then nowhere else), beside
    /// this program and in the folder that ./dev fills, and among the system's libraries, in that order. The library
    /// stays loaded; later calls return the same. Throws ModelError "no-runtime", which says how to get it.
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

/// Where Runtime::load() looks, best first, in words to show: paths, and "the system's libraries".
std::vector<std::string> runtimePlaces();

struct RuntimeOptions {
    int threads = 0;      ///< 0: as many as there are cores
    bool optimize = true; ///< ONNX Runtime's own graph optimizations
};

/// A model loaded by ONNX Runtime, ready to run any number of times. What the runtime refuses is ModelError "runtime"
/// with its own words.
class RuntimeSession {
public:
    struct Port {
        std::string name;
        TensorType type; ///< unknown for what is no tensor
    };

    RuntimeSession(std::shared_ptr<const Runtime> runtime, const std::filesystem::path& model,
                   const RuntimeOptions& options = {});
    /// A model in memory; its weights must lie inside.
    RuntimeSession(std::shared_ptr<const Runtime> runtime, std::span<const std::byte> model,
                   const RuntimeOptions& options = {});
    ~RuntimeSession();
    RuntimeSession(RuntimeSession&&) noexcept;
    RuntimeSession& operator=(RuntimeSession&&) noexcept;

    const std::vector<Port>& inputs() const; ///< without those that an initializer already fills
    const std::vector<Port>& outputs() const;

    /// All outputs, in the model's order. Throws ModelError "cancelled" when stopped on the way.
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
