#include "core/api/without_exceptions.h"

#include "core/base/out_of_memory.h"

#include <filesystem>
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
        return outOfMemory();
    } catch (const std::filesystem::filesystem_error& error) { // an empty or overlong name
        return {.code = "unwritable",
                .message = fmt::format("'{}': {}", error.path1().string(), error.code().message())};
    } catch (const std::exception& error) {
        return {.code = "internal", .message = fmt::format("internal error: {}", error.what())};
    } catch (...) {
        return {.code = "internal", .message = "internal error"};
    }
}

} // namespace crosswalk
