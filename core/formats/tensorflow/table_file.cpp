#include "core/formats/tensorflow/table_file.h"

#include <charconv>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {
namespace {

/// The lines of a text; nothing if there is an empty one, which TensorFlow rejects, or an unusual end of a line.
std::optional<std::vector<std::string_view>> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || line.find('\r') != std::string_view::npos) {
            return std::nullopt;
        }
        lines.push_back(line);
    }
    return lines;
}

/// Part `column` of a line between delimiters.
std::optional<std::string_view> partOf(std::string_view line, char delimiter, std::int64_t column)
{
    for (; column > 0; --column) {
        const auto end = line.find(delimiter);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        line.remove_prefix(end + 1);
    }
    return line.substr(0, line.find(delimiter));
}

std::optional<Tensor> columnOf(const std::vector<std::string_view>& lines, char delimiter, std::int64_t column,
                               ElementType type)
{
    const bool isNumbered = column == TableFile::lineNumber;
    const bool isWhole = column == TableFile::wholeLine;
    if ((type != ElementType::String && type != ElementType::Int64) || column < TableFile::wholeLine ||
        (isNumbered && type != ElementType::Int64) || (isWhole && type != ElementType::String)) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    Ints numbers;
    for (const std::string_view line : lines) {
        if (isNumbered) {
            numbers.push_back(static_cast<std::int64_t>(numbers.size()));
            continue;
        }
        const auto part = isWhole ? std::optional(line) : partOf(line, delimiter, column);
        if (!part) {
            return std::nullopt;
        }
        if (type == ElementType::String) {
            texts.emplace_back(*part);
            continue;
        }
        std::int64_t number = 0;
        const char* end = part->data() + part->size();
        if (const auto read = std::from_chars(part->data(), end, number); read.ec != std::errc() || read.ptr != end) {
            return std::nullopt;
        }
        numbers.push_back(number);
    }
    if (type == ElementType::Int64) {
        return Tensor::ints(numbers);
    }
    const auto count = static_cast<std::int64_t>(texts.size());
    return Tensor::strings({count}, std::move(texts));
}

} // namespace

std::optional<std::pair<Tensor, Tensor>> readTableFile(const SourceFile& file, const TableFile& format,
                                                       ElementType keys, ElementType values)
{
    const auto bytes = file.bytes();
    auto lines = linesOf({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!lines || format.skipped != 0 || format.delimiter.size() != 1) {
        return std::nullopt;
    }
    if (format.size >= 0) {
        if (static_cast<std::uint64_t>(format.size) > lines->size()) {
            return std::nullopt;
        }
        lines->resize(static_cast<std::size_t>(format.size));
    }
    auto keyColumn = columnOf(*lines, format.delimiter.front(), format.keyColumn, keys);
    auto valueColumn = columnOf(*lines, format.delimiter.front(), format.valueColumn, values);
    if (!keyColumn || !valueColumn) {
        return std::nullopt;
    }
    return std::pair{std::move(*keyColumn), std::move(*valueColumn)};
}

} // namespace crosswalk::tensorflow
