#include "core/api/without_exceptions.h"

#include <fmt/format.h>
#include <new>

namespace crosswalk {

Diagnostic problemOfException()
{
    try {
        throw;
    } catch (const ModelError& error) {
        return error.diagnostic;
    } catch (const std::bad_alloc&) {
        return {.code = "out-of-memory", .message = "there is not enough memory"};
    } catch (const std::exception& error) {
        return {.code = "internal", .message = fmt::format("internal error: {}", error.what())};
    } catch (...) {
        return {.code = "internal", .message = "internal error"};
    }
}

} // namespace crosswalk
