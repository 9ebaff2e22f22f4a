#include "core/formats/json_errors.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>

namespace crosswalk {
namespace {

using Json = nlohmann::json;

/// Accepts everything and records only the position of the first error.
struct ErrorFinder : nlohmann::json_sax<Json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override
    {
        position = at;
        return false;
    }

    std::size_t position = 0; ///< 1 for the first byte; 0: no error
};

} // namespace

void throwJsonError(std::string_view text, simdjson::error_code error)
{
    if (error == simdjson::MEMALLOC) {
        throw std::bad_alloc();
    }
    // The fast parser does not report the position of the error; a second pass with the slow parser does.
    ErrorFinder finder;
    Json::sax_parse(text.begin(), text.end(), &finder);
    if (finder.position == 0) {
        throw ModelError("damaged", fmt::format("is JSON that cannot be read: {}", simdjson::error_message(error)));
    }
    const auto before = text.substr(0, finder.position - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    if (finder.position > text.size()) {
        throw ModelError("truncated", fmt::format("the JSON ends too early, in line {}", line));
    }
    const auto lineStart = before.rfind('\n');
    const auto column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1;
    throw ModelError("damaged", fmt::format("is not valid JSON: error in line {}, column {}", line, column));
}

} // namespace crosswalk
