// A library in the place of ONNX Runtime, for tests of what its failures do: aborts when its interface is requested.

#include <cstdlib>

namespace {

struct ApiBase {
    const void* (*api)(unsigned);
    const char* (*version)();
};

const void* abortInstead(unsigned /*version*/)
{
    std::abort();
}

const char* version()
{
    return "1.31.1";
}

} // namespace

extern "C" const ApiBase* OrtGetApiBase()
{
    static constexpr ApiBase base{abortInstead, version};
    return &base;
}
