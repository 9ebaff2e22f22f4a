#pragma once

#include "core/verify/onnxruntime_abi.h"
#include "core/verify/runtime.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace crosswalk {

/// Existing candidates for ONNX Runtime's library, in search order. A name without a folder leaves the search to the
/// dynamic linker.
std::vector<std::filesystem::path> runtimeCandidates();

/// libonnxruntime.so, with or without a version suffix, in a folder; nothing if there is none.
std::optional<std::filesystem::path> runtimeInFolder(const std::filesystem::path& folder);

struct Runtime::State {
    std::filesystem::path path;
    const onnxruntime::ApiBase* base = nullptr;
    onnxruntime::Api api;
    onnxruntime::Env* env = nullptr;

    explicit State(const std::filesystem::path& library);
    ~State();

    /// Throws ModelError "runtime" with the library's message if a call failed.
    void check(onnxruntime::Status* status, std::string_view what = {}) const;
};

/// A session in this process or in another one.
class RuntimeSession::State {
public:
    State() = default;
    virtual ~State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    virtual std::vector<NamedTensor> run(std::span<const NamedTensor> given, const std::stop_token& stop) const = 0;

    std::vector<Port> inputs;
    std::vector<Port> outputs;
};

} // namespace crosswalk
