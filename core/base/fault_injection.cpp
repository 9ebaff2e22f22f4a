#include "core/base/fault_injection.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace crosswalk {
namespace {

struct Fault {
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> failing = 0;
    std::atomic<int> error = 0;

    Fault()
    {
        const char* setting = std::getenv("CROSSWALK_FAIL_CALL");
        if (setting == nullptr) {
            return;
        }
        const std::string_view text = setting;
        std::uint64_t call = 0;
        int number = EIO;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), call);
        if (problem == std::errc() && end != text.data() + text.size() && *end == ':') {
            std::from_chars(end + 1, text.data() + text.size(), number);
        }
        failing = call;
        error = number;
    }
};

Fault& fault()
{
    static Fault one;
    return one;
}

} // namespace

void injectFault(std::uint64_t call, int error)
{
    fault().calls = 0;
    fault().error = error;
    fault().failing = call;
}

std::uint64_t systemCalls()
{
    return fault().calls;
}

bool isFaulty(SystemCall /*call*/)
{
    if (++fault().calls != fault().failing) {
        return false;
    }
    if (fault().error == killProcess) {
        ::kill(::getpid(), SIGKILL);
    }
    errno = fault().error;
    return true;
}

} // namespace crosswalk
