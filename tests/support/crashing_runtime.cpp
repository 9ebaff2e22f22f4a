// A library in the place of ONNX Runtime, for tests of what its failures do: when its interface is requested, it does
// what CROSSWALK_TEST_CRASH says, by default it aborts.

#include <csignal>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace {

struct ApiBase {
    const void* (*api)(unsigned);
    const char* (*version)();
};

const void* failInstead(unsigned /*version*/)
{
    const char* how = std::getenv("CROSSWALK_TEST_CRASH");
    const std::string_view crash = how != nullptr ? how : "";
    if (crash == "null") {
        return nullptr;
    }
    if (crash == "exit") {
        ::_exit(3);
    }
    if (crash == "fault") {
        std::signal(SIGSEGV, SIG_DFL); // a sanitizer would report the fault and exit
        std::raise(SIGSEGV);
    }
    std::abort();
}

const char* version()
{
    return "1.31.1";
}

} // namespace

extern "C" const ApiBase* OrtGetApiBase()
{
    static constexpr ApiBase base{failInstead, version};
    return &base;
}
