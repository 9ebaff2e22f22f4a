#pragma once

#include "core/verify/onnxruntime_abi.h"
#include "core/verify/runtime.h"

#include <optional>

namespace crosswalk {

/// Where ONNX Runtime is to be looked for, best first; nothing but the last path components of what exists. The name
/// alone, without a folder, leaves the search to the dynamic linker.
std::vector<std::filesystem::path> runtimeCandidates();

/// libonnxruntime.so, with or without a version behind it, in a folder; nothing where there is none.
std::optional<std::filesystem::path> runtimeInFolder(const std::filesystem::path& folder);

struct Runtime::State {
    std::filesystem::path path;
    const onnxruntime::ApiBase* base = nullptr;
    onnxruntime::Api api;
    onnxruntime::Env* env = nullptr;

    explicit State(const std::filesystem::path& library);
    ~State();

    /// Throws ModelError "runtime" with the library's words where a call failed.
    void check(onnxruntime::Status* status, std::string_view what = {}) const;
};

} // namespace crosswalk
