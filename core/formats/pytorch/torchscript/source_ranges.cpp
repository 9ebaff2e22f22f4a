#include "core/formats/pytorch/torchscript/source_ranges.h"

#include "core/formats/pytorch/pickle.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

// The layout: torch/csrc/jit/serialization/source_range_serialization.cpp. A range is an offset in the code and a part
// of a source, which is a text with the name of its file and its first line. The text of a trace is the stack of calls,
// "net.py(15): forward" in each line. Newer files store texts and names once, and refer to them by number.

namespace crosswalk::pytorch {
namespace {

std::vector<PickleValue> itemsOf(const PickleValue& value)
{
    const PickleObject* object = objectIn(value);
    if (object == nullptr) {
        return {};
    }
    if (object->kind == PickleObject::Kind::Call) { // a typed list
        const PickleObject* arguments = object->items.size() > 1 ? objectIn(object->items[1]) : nullptr;
        return arguments != nullptr && !arguments->items.empty() ? itemsOf(arguments->items[0])
                                                                 : std::vector<PickleValue>();
    }
    const bool isSequence = object->kind == PickleObject::Kind::Tuple || object->kind == PickleObject::Kind::List;
    return isSequence ? object->items : std::vector<PickleValue>();
}

std::optional<std::size_t> countIn(const PickleValue& value)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

/// Calls of a trace, from the innermost one: "net.py(15): forward".
std::vector<std::string> calls(std::string_view stack)
{
    std::vector<std::string> places;
    for (std::size_t begin = 0; begin < stack.size();) {
        const std::size_t end = std::min(stack.find('\n', begin), stack.size());
        const std::string_view line = stack.substr(begin, end - begin);
        const std::size_t close = line.find("): ");
        const std::size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
        if (open == std::string_view::npos || open == 0) {
            return {};
        }
        places.push_back(fmt::format("{}:{}", line.substr(0, open), line.substr(open + 1, close - open - 1)));
        begin = end + 1;
    }
    return places;
}

} // namespace

SourceRanges::SourceRanges(const Pickle& pickle, std::string_view code)
{
    m_lines.push_back(0);
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '\n') {
            m_lines.push_back(i + 1);
        }
    }
    std::vector<PickleValue> records = itemsOf(pickle.root);
    std::vector<PickleValue> texts;
    constexpr std::size_t tableParts = 3;
    if (records.size() == tableParts && records[0] == PickleValue(std::string("FORMAT_WITH_STRING_TABLE"))) {
        texts = itemsOf(records[1]);
        records = itemsOf(records[2]);
    }
    const auto textOf = [&](const PickleValue& value) {
        const auto index = countIn(value);
        const PickleValue& found = index && *index < texts.size() ? texts[*index] : value;
        const auto* text = std::get_if<std::string>(&found);
        return text != nullptr ? std::string_view(*text) : std::string_view();
    };
    std::map<std::pair<const PickleObject*, std::size_t>, std::size_t> known; // by source and start
    m_places.emplace_back();
    for (const PickleValue& record : records) {
        const auto parts = itemsOf(record);
        const auto offset = parts.size() > 1 ? countIn(parts[0]) : std::nullopt;
        const auto range = parts.size() > 1 ? itemsOf(parts[1]) : std::vector<PickleValue>();
        const auto start = range.size() > 1 ? countIn(range[1]) : std::nullopt;
        const auto source = start ? itemsOf(range[0]) : std::vector<PickleValue>();
        if (!offset || source.size() < 3) {
            continue;
        }
        const auto [entry, isNew] = known.try_emplace({objectIn(range[0]), *start}, m_places.size());
        if (isNew) {
            std::string text(textOf(source[0]));
            for (const PickleValue& line : itemsOf(source[0])) {
                text += textOf(line);
            }
            SourcePlaces places = calls(text);
            const std::string_view file = textOf(source[1]);
            const auto line = countIn(source[2]);
            if (places.empty() && !file.empty() && line) {
                const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(*start, text.size()));
                const auto skipped = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
                places.push_back(fmt::format("{}:{}", file, *line + skipped));
            }
            std::ranges::reverse(places);
            m_places.push_back(std::move(places));
        }
        m_ranges.insert_or_assign(*offset, entry->second);
    }
}

const SourcePlaces& SourceRanges::at(ScriptPosition position) const
{
    static const SourcePlaces none;
    if (position.line == 0 || position.line > m_lines.size()) {
        return none;
    }
    const auto range = m_ranges.upper_bound(m_lines[position.line - 1] + position.column - 1);
    return range != m_ranges.begin() ? m_places[std::prev(range)->second] : none;
}

bool isInsideFramework(std::string_view place)
{
    return place.find("-packages/torch/") != std::string_view::npos;
}

} // namespace crosswalk::pytorch
