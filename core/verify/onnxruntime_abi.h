#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace crosswalk::onnxruntime {

// Declarations for the part of ONNX Runtime's C ABI that this program calls. The library returns a table of function
// pointers, which grows only at its end, so the position of a function never changes. All functions below have been in
// the table since version 1 (ONNX Runtime 1.0).

struct Status;
struct Env;
struct MemoryInfo;
struct Session;
struct Value;
struct RunOptions;
struct TypeInfo;
struct TensorInfo;
struct SessionOptions;
struct Allocator;

inline constexpr std::uint32_t apiVersion = 1;
inline constexpr int logFatalOnly = 4;
inline constexpr int deviceAllocator = 0;
inline constexpr int defaultMemory = 0;
inline constexpr int optimizeNothing = 0;
inline constexpr int optimizeAll = 99;

using AnyFunction = void (*)();

/// Return type of the only exported symbol, OrtGetApiBase.
struct ApiBase {
    const AnyFunction* (*api)(std::uint32_t version); ///< null if the library does not have this version
    const char* (*version)();
};

/// The functions of the table with their signatures. A returned Status is null on success; the caller must release it.
struct Api {
    explicit Api(const AnyFunction* table);

    const char* (*errorMessage)(const Status*);
    Status* (*createEnv)(int severity, const char* id, Env**);
    Status* (*disableTelemetry)(const Env*);
    Status* (*createSession)(const Env*, const char* path, const SessionOptions*, Session**);
    Status* (*createSessionFromArray)(const Env*, const void*, std::size_t, const SessionOptions*, Session**);
    Status* (*run)(Session*, const RunOptions*, const char* const* inputNames, const Value* const* inputs,
                   std::size_t inputCount, const char* const* outputNames, std::size_t outputCount, Value** outputs);

    Status* (*createSessionOptions)(SessionOptions**);
    Status* (*enableProfiling)(SessionOptions*, const char* pathPrefix);
    Status* (*setLogSeverity)(SessionOptions*, int);
    Status* (*setOptimizationLevel)(SessionOptions*, int);
    Status* (*setIntraOpThreads)(SessionOptions*, int);
    Status* (*setInterOpThreads)(SessionOptions*, int);

    Status* (*inputCount)(const Session*, std::size_t*);
    Status* (*outputCount)(const Session*, std::size_t*);
    Status* (*inputType)(const Session*, std::size_t, TypeInfo**);
    Status* (*outputType)(const Session*, std::size_t, TypeInfo**);
    Status* (*inputName)(const Session*, std::size_t, Allocator*, char**);
    Status* (*outputName)(const Session*, std::size_t, Allocator*, char**);

    Status* (*createRunOptions)(RunOptions**);
    Status* (*terminate)(RunOptions*);

    Status* (*allocateTensor)(Allocator*, const std::int64_t* dims, std::size_t rank, int elementType, Value**);
    Status* (*createTensor)(const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* dims,
                            std::size_t rank, int elementType, Value**);
    Status* (*isTensor)(const Value*, int*);
    Status* (*tensorData)(Value*, void**);
    Status* (*fillStrings)(Value*, const char* const* strings, std::size_t count); ///< null-terminated strings
    Status* (*stringBytes)(const Value*, std::size_t*);                            ///< total size of all elements
    Status* (*stringContent)(const Value*, void* bytes, std::size_t byteCount, std::size_t* offsets, std::size_t count);
    Status* (*tensorInfoOfType)(const TypeInfo*, const TensorInfo**); ///< null if the type is not a tensor
    Status* (*elementType)(const TensorInfo*, int*);
    Status* (*rank)(const TensorInfo*, std::size_t*);
    Status* (*dimensions)(const TensorInfo*, std::int64_t*, std::size_t);
    Status* (*symbols)(const TensorInfo*, const char**, std::size_t);
    Status* (*tensorInfoOfValue)(const Value*, TensorInfo**);

    Status* (*createCpuMemoryInfo)(int allocator, int memory, MemoryInfo**);
    Status* (*freeMemory)(Allocator*, void*);
    Status* (*defaultAllocator)(Allocator**);

    void (*releaseEnv)(Env*);
    void (*releaseStatus)(Status*);
    void (*releaseMemoryInfo)(MemoryInfo*);
    void (*releaseSession)(Session*);
    void (*releaseValue)(Value*);
    void (*releaseRunOptions)(RunOptions*);
    void (*releaseTypeInfo)(TypeInfo*);
    void (*releaseTensorInfo)(TensorInfo*);
    void (*releaseSessionOptions)(SessionOptions*);
};

/// Owns an object of the library and releases it with the matching function.
template <typename T>
class Owned {
public:
    explicit Owned(void (*release)(T*), T* object = nullptr)
        : m_release(release)
        , m_object(object)
    {
    }
    Owned(Owned&& other) noexcept
        : m_release(other.m_release)
        , m_object(std::exchange(other.m_object, nullptr))
    {
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned()
    {
        if (m_object != nullptr) {
            m_release(m_object);
        }
    }
    T* operator*() const { return m_object; }
    T** out() { return &m_object; } ///< for a call that creates the object

private:
    void (*m_release)(T*);
    T* m_object;
};

} // namespace crosswalk::onnxruntime
