#pragma once

#include <cstddef>
#include <cstdint>

namespace crosswalk::onnxruntime {

// The part of ONNX Runtime's C ABI that is called here, in our own words. The library hands out a table of function
// pointers that only ever grows at its end: the position of a function never changes. Everything below is in the table
// since its version 1 (ONNX Runtime 1.0).

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

/// What the one exported symbol, OrtGetApiBase, returns.
struct ApiBase {
    const AnyFunction* (*api)(std::uint32_t version); ///< null where the library is older than the version
    const char* (*version)();
};

/// The function at a position of the table, by its signature. A Status that is returned is null on success and is
/// the caller's to release.
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
    Status* (*fillStrings)(Value*, const char* const* strings, std::size_t count); ///< strings end with a zero byte
    Status* (*stringBytes)(const Value*, std::size_t*);                            ///< of all elements together
    Status* (*stringContent)(const Value*, void* bytes, std::size_t byteCount, std::size_t* offsets, std::size_t count);
    Status* (*tensorInfoOfType)(const TypeInfo*, const TensorInfo**); ///< null where the type is no tensor
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

} // namespace crosswalk::onnxruntime
