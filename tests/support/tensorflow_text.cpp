#include "tests/support/tensorflow_text.h"

#include "tests/support/tensorflow_files.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace crosswalk::test {
namespace {

const std::map<std::string, std::uint64_t>& types()
{
    static const std::map<std::string, std::uint64_t> numbers{{"float", 1}, {"int32", 3},     {"int64", 9},
                                                              {"bool", 10}, {"resource", 20}, {"variant", 21}};
    return numbers;
}

/// The parts of a text between separators, without spaces around them; none for an empty text.
std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        const auto begin = part.find_first_not_of(' ');
        const auto end = part.find_last_not_of(' ');
        parts.push_back(begin == std::string::npos ? std::string() : part.substr(begin, end + 1 - begin));
    }
    return parts;
}

std::vector<std::int64_t> dimsOf(const std::string& text)
{
    std::vector<std::int64_t> dims;
    for (const std::string& dim : split(text.substr(1, text.size() - 2), ',')) {
        dims.push_back(dim == "?" ? -1 : std::stoll(dim));
    }
    return dims;
}

template <typename T>
std::string bytesOf(const std::vector<double>& values)
{
    std::vector<T> typed;
    for (const double value : values) {
        typed.push_back(static_cast<T>(value));
    }
    const auto bytes = std::as_bytes(std::span(typed));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A tensor of the type "float[3]".
Message tensorOf(const std::string& type, const std::vector<double>& values)
{
    const auto open = type.find('[');
    const std::string element = type.substr(0, open);
    const std::string content = element == "float"   ? bytesOf<float>(values)
                                : element == "int32" ? bytesOf<std::int32_t>(values)
                                : element == "int64" ? bytesOf<std::int64_t>(values)
                                                     : bytesOf<char>(values);
    return Message().number(1, types().at(element)).message(2, shapeProto(dimsOf(type.substr(open)))).bytes(4, content);
}

Message attributeOf(const std::string& text)
{
    if (const auto type = types().find(text); type != types().end()) {
        return typeAttr(type->second);
    }
    if (text == "true" || text == "false") {
        return Message().number(5, std::uint64_t{text == "true"});
    }
    if (text.starts_with('@') && text.find(',') != std::string::npos) {
        Message list;
        for (const std::string& function : split(text, ',')) {
            list.message(9, Message().bytes(1, function.substr(1)));
        }
        return Message().message(1, list);
    }
    if (text.starts_with('@')) {
        return functionAttr(text.substr(1));
    }
    if (text.starts_with('[')) {
        return shapeAttr(dimsOf(text));
    }
    if (text.starts_with('{')) {
        std::string numbers;
        for (const std::string& type : split(text.substr(1, text.size() - 2), ',')) {
            numbers += static_cast<char>(types().at(type));
        }
        return Message().message(1, Message().bytes(6, numbers));
    }
    if (text.starts_with('(')) {
        Message list;
        for (const std::string& number : split(text.substr(1, text.size() - 2), ',')) {
            list.number(3, static_cast<std::uint64_t>(std::stoll(number)));
        }
        return Message().message(1, list);
    }
    if (const auto colon = text.find("]:"); colon != std::string::npos) {
        std::vector<double> values;
        for (const std::string& value : split(text.substr(colon + 2), ',')) {
            values.push_back(std::stod(value));
        }
        return Message().message(8, tensorOf(text.substr(0, colon + 1), values));
    }
    const bool isNumber = text.find_first_not_of("-0123456789") == std::string::npos;
    return isNumber ? intAttr(std::stoll(text)) : textAttr(text);
}

/// "float[3] 1 2 3".
Message constantOf(const std::string& name, std::istringstream& words)
{
    std::string type;
    words >> type;
    std::vector<double> values;
    std::vector<std::string> controls;
    for (std::string word; words >> word;) {
        if (word.starts_with('^')) {
            controls.push_back(word);
        } else {
            values.push_back(std::stod(word));
        }
    }
    const std::uint64_t element = types().at(type.substr(0, type.find('[')));
    return nodeDef(name, "Const", {controls.begin(), controls.end()},
                   {{"dtype", typeAttr(element)}, {"value", Message().message(8, tensorOf(type, values))}});
}

Message nodeOf(const std::string& line)
{
    std::istringstream words(line);
    std::string name;
    std::string equals;
    std::string call;
    words >> name >> equals >> call;
    if (equals != "=") {
        throw std::invalid_argument("not a node: " + line);
    }
    if (call == "Const") {
        return constantOf(name, words);
    }
    while (call.find('(') != std::string::npos && call.find(')') == std::string::npos) {
        std::string more;
        if (!(words >> more)) {
            throw std::invalid_argument("no ) in " + line);
        }
        call += more;
    }
    const auto open = call.find('(');
    std::vector<std::string> inputs;
    if (open != std::string::npos) {
        inputs = split(call.substr(open + 1, call.size() - open - 2), ',');
    }
    std::vector<std::string> names;
    std::vector<Message> values;
    for (std::string word; words >> word;) {
        if (word.starts_with('^')) {
            inputs.push_back(word);
            continue;
        }
        const auto mark = word.find('=');
        if (mark == std::string::npos) {
            throw std::invalid_argument("not an attribute: " + word);
        }
        names.push_back(word.substr(0, mark));
        values.push_back(attributeOf(word.substr(mark + 1)));
    }
    if (open != std::string::npos && std::find(names.begin(), names.end(), "T") == names.end()) {
        names.emplace_back("T");
        values.push_back(typeAttr(1));
    }
    std::vector<NamedMessage> attributes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        attributes.push_back({names[i], values[i]});
    }
    return nodeDef(name, call.substr(0, open), {inputs.begin(), inputs.end()}, attributes);
}

/// An argument or a result, "name" or "name:type".
Message argumentOf(const std::string& text)
{
    const auto colon = text.find(':');
    const std::string type = colon == std::string::npos ? "float" : text.substr(colon + 1);
    return Message().bytes(1, text.substr(0, colon)).number(3, types().at(type));
}

/// "twice(a, n:int32) -> b:int32=last:y:0", and the lines up to "end".
Message functionOf(const std::string& head, std::istringstream& lines)
{
    const auto open = head.find('(');
    const auto close = head.find(')');
    const auto arrow = head.find("->");
    Message signature = Message().bytes(1, head.substr(0, open));
    for (const std::string& argument : split(head.substr(open + 1, close - open - 1), ',')) {
        signature.message(2, argumentOf(argument));
    }
    std::vector<Message> returns;
    std::vector<Message> controls;
    for (const std::string& result : split(head.substr(arrow + 2), ',')) {
        if (result.starts_with('^')) {
            signature.bytes(20, result.substr(1));
            controls.push_back(Message().bytes(1, result.substr(1)).bytes(2, result.substr(1)));
            continue;
        }
        const auto mark = result.find('=');
        signature.message(3, argumentOf(result.substr(0, mark)));
        const std::string name = result.substr(0, std::min(mark, result.find(':')));
        returns.push_back(Message().bytes(1, name).bytes(2, result.substr(mark + 1)));
    }
    Message function = Message().message(1, signature);
    for (std::string line; std::getline(lines, line) && line != "end";) {
        function.message(3, nodeOf(line));
    }
    for (const Message& returned : returns) {
        function.message(4, returned);
    }
    for (const Message& control : controls) {
        function.message(6, control);
    }
    return function;
}

} // namespace

std::string graphDefOf(std::string_view text)
{
    std::vector<Message> nodes;
    std::vector<Message> functions;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("function ")) {
            functions.push_back(functionOf(line.substr(9), lines));
        } else if (!line.empty()) {
            nodes.push_back(nodeOf(line));
        }
    }
    return graphDef(nodes, functions).content();
}

} // namespace crosswalk::test
