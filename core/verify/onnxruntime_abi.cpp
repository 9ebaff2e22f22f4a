#include "core/verify/onnxruntime_abi.h"

namespace crosswalk::onnxruntime {
namespace {

/// A table entry that converts to the function type of the member to which it is assigned.
struct Entry {
    AnyFunction function;

    template <typename Function>
    operator Function*() const
    {
        return reinterpret_cast<Function*>(function);
    }
};

} // namespace

Api::Api(const AnyFunction* table)
{
    const auto at = [table](std::size_t position) { return Entry{table[position]}; };
    errorMessage = at(2);
    createEnv = at(3);
    disableTelemetry = at(6);
    createSession = at(7);
    createSessionFromArray = at(8);
    run = at(9);

    createSessionOptions = at(10);
    enableProfiling = at(14);
    setLogSeverity = at(22);
    setOptimizationLevel = at(23);
    setIntraOpThreads = at(24);
    setInterOpThreads = at(25);

    inputCount = at(30);
    outputCount = at(31);
    inputType = at(33);
    outputType = at(34);
    inputName = at(36);
    outputName = at(37);

    createRunOptions = at(39);
    terminate = at(46);

    allocateTensor = at(48);
    createTensor = at(49);
    isTensor = at(50);
    tensorData = at(51);
    fillStrings = at(52);
    stringBytes = at(53);
    stringContent = at(54);
    tensorInfoOfType = at(55);
    elementType = at(60);
    rank = at(61);
    dimensions = at(62);
    symbols = at(63);
    tensorInfoOfValue = at(65);

    createCpuMemoryInfo = at(69);
    freeMemory = at(76);
    defaultAllocator = at(78);

    releaseEnv = at(92);
    releaseStatus = at(93);
    releaseMemoryInfo = at(94);
    releaseSession = at(95);
    releaseValue = at(96);
    releaseRunOptions = at(97);
    releaseTypeInfo = at(98);
    releaseTensorInfo = at(99);
    releaseSessionOptions = at(100);
}

} // namespace crosswalk::onnxruntime
