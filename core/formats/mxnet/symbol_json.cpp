#include "core/formats/mxnet/symbol_json.h"

#include "core/base/diagnostic.h"
#include "core/formats/json_errors.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <simdjson.h>

namespace crosswalk::mxnet {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

struct Storage {
    simdjson::dom::parser parser;
    simdjson::padded_string text;
};

[[noreturn]] void damaged(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

// Texts of the file that a message repeats: cut, so that a line stays a line.
std::string quoted(std::string_view text)
{
    return fmt::format("'{}'", text.substr(0, 80));
}

std::string describe(const SymbolNode& node, std::size_t index)
{
    return node.name.empty() ? fmt::format("node {}", index) : fmt::format("node {} {}", index, quoted(node.name));
}

array asArray(element value, std::string_view what)
{
    array items;
    if (value.get(items) != simdjson::SUCCESS) {
        damaged(fmt::format("{} is not a list", what));
    }
    return items;
}

object asObject(element value, std::string_view what)
{
    object fields;
    if (value.get(fields) != simdjson::SUCCESS) {
        damaged(fmt::format("{} is not a JSON object", what));
    }
    return fields;
}

std::uint32_t asIndex(element value, std::string_view what)
{
    std::uint64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS || number >= std::numeric_limits<std::uint32_t>::max()) {
        damaged(fmt::format("{} is not a whole number", what));
    }
    return static_cast<std::uint32_t>(number);
}

/// Reads one graph object, and those of its subgraph nodes.
class GraphParser {
public:
    explicit GraphParser(SymbolGraph& graph)
        : m_graph(graph)
    {
    }

    void parse(object fields, std::string_view what)
    {
        const auto start = [](auto& pool) { return static_cast<std::uint32_t>(pool.size()); };
        const array nodes = asArray(required(fields, "nodes", what), fmt::format("'nodes' of {}", what));
        m_graph.nodes.reserve(nodes.size());
        for (const element item : nodes) {
            SymbolNode node;
            node.attributes.first = start(m_graph.attributes);
            node.inputs.first = start(m_graph.inputs);
            node.subgraphs.first = start(m_graph.subgraphs);
            parseNode(item, node);
            node.attributes.count = start(m_graph.attributes) - node.attributes.first;
            node.inputs.count = start(m_graph.inputs) - node.inputs.first;
            node.subgraphs.count = start(m_graph.subgraphs) - node.subgraphs.first;
            m_graph.nodes.push_back(node);
        }
        for (const element item : asArray(required(fields, "heads", what), fmt::format("'heads' of {}", what))) {
            m_graph.heads.push_back(parseEntry(item, "a head"));
        }
        if (element arguments; fields["arg_nodes"].get(arguments) == simdjson::SUCCESS) {
            for (const element item : asArray(arguments, "'arg_nodes'")) {
                m_graph.arguments.push_back(asIndex(item, "an entry of 'arg_nodes'"));
            }
        }
        check(what);
    }

private:
    static element required(object fields, std::string_view key, std::string_view what)
    {
        element value;
        if (fields[key].get(value) != simdjson::SUCCESS) {
            damaged(fmt::format("{} has no '{}'", what, key));
        }
        return value;
    }

    std::string current() const { return fmt::format("node {}", m_graph.nodes.size()); }

    std::string_view text(element value, std::string_view key) const
    {
        std::string_view characters;
        if (value.get(characters) != simdjson::SUCCESS) {
            damaged(fmt::format("'{}' of {} is not a text", key, current()));
        }
        return characters;
    }

    void parseNode(element item, SymbolNode& node)
    {
        bool hasOp = false;
        std::optional<element> parameters;
        std::optional<element> attributes;
        for (const auto [key, value] : asObject(item, current())) {
            if (key == "op") {
                node.op = text(value, key);
                hasOp = true;
            } else if (key == "name") {
                node.name = text(value, key);
            } else if (key == "inputs") {
                for (const element entry : asArray(value, fmt::format("'inputs' of {}", current()))) {
                    m_graph.inputs.push_back(parseEntry(entry, current()));
                }
            } else if (key == "param") {
                parameters = value;
            } else if (key == "attrs" || key == "attr") {
                attributes = value;
            } else if (key == "subgraphs") {
                for (const element subgraph : asArray(value, fmt::format("'subgraphs' of {}", current()))) {
                    const std::string what = fmt::format("a subgraph of {}", current());
                    GraphParser(m_graph.subgraphs.emplace_back()).parse(asObject(subgraph, what), what);
                }
            }
        }
        if (!hasOp) {
            damaged(fmt::format("{} has no 'op'", current()));
        }
        if (parameters) {
            parseAttributes(*parameters, "param");
        }
        // Beside `param`, as up to 0.8, `attr` holds what the user attached: of use on variables only.
        if (attributes && (!parameters || node.isVariable())) {
            parseAttributes(*attributes, "attrs");
        }
    }

    void parseAttributes(element item, std::string_view key)
    {
        for (const auto [name, value] : asObject(item, fmt::format("'{}' of {}", key, current()))) {
            m_graph.attributes.push_back({name, text(value, name)});
        }
    }

    static SymbolEntry parseEntry(element item, std::string_view what)
    {
        const array numbers = asArray(item, fmt::format("an entry of {}", what));
        // The third number, a version of auxiliary states, means nothing outside training.
        if (numbers.size() != 2 && numbers.size() != 3) {
            damaged(fmt::format("an entry of {} has {} numbers", what, numbers.size()));
        }
        return {asIndex(numbers.at(0).value_unsafe(), what), asIndex(numbers.at(1).value_unsafe(), what)};
    }

    void check(std::string_view what) const
    {
        const std::size_t count = m_graph.nodes.size();
        for (std::size_t i = 0; i < count; ++i) {
            const SymbolNode& node = m_graph.nodes[i];
            if (node.isVariable() && node.inputs.count > 0) {
                damaged(fmt::format("{} is a variable and has inputs", describe(node, i)));
            }
            for (const SymbolEntry entry : node.inputs.of(m_graph.inputs)) {
                checkInput(node, i, entry);
            }
        }
        if (m_graph.heads.empty()) {
            damaged(fmt::format("{} has no outputs: 'heads' is empty", what));
        }
        for (const SymbolEntry head : m_graph.heads) {
            if (head.node >= count) {
                damaged(fmt::format("an output names node {}, and there are {} nodes", head.node, count));
            }
        }
        for (const std::uint32_t argument : m_graph.arguments) {
            if (argument >= count || !m_graph.nodes[argument].isVariable()) {
                damaged(fmt::format("'arg_nodes' of {} names node {}, which is no variable", what, argument));
            }
        }
    }

    void checkInput(const SymbolNode& node, std::size_t index, SymbolEntry entry) const
    {
        if (entry.node >= m_graph.nodes.size()) {
            damaged(fmt::format("{} reads node {}, and there are {} nodes", describe(node, index), entry.node,
                                m_graph.nodes.size()));
        }
    }

    SymbolGraph& m_graph;
};

std::string metadataText(element value)
{
    // Written as [type, value]: ["int", 10901].
    if (array pair; value.get(pair) == simdjson::SUCCESS && pair.size() == 2) {
        value = pair.at(1).value_unsafe();
    }
    if (std::string_view characters; value.get(characters) == simdjson::SUCCESS) {
        return std::string(characters);
    }
    return simdjson::minify(value);
}

void readMetadata(object fields, SymbolFile& file)
{
    element attributes;
    if (fields["attrs"].get(attributes) != simdjson::SUCCESS) {
        return;
    }
    for (const auto [key, value] : asObject(attributes, "'attrs' of the file")) {
        file.metadata.emplace(key, metadataText(value));
        std::int64_t number = 0;
        array pair;
        if (value.get(pair) != simdjson::SUCCESS || pair.size() != 2 || pair.at(1).get(number) != simdjson::SUCCESS) {
            continue;
        }
        if (key == "mxnet_version") {
            file.version = number;
        } else if (key == "is_np_shape") {
            file.numpyShape = number != 0;
        }
    }
}

} // namespace

SymbolFile parseSymbol(std::string_view text)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(byteOrderMark)) {
        text.remove_prefix(byteOrderMark.size());
    }
    auto storage = std::make_shared<Storage>();
    storage->text = simdjson::padded_string(text);
    element root;
    if (const auto error = storage->parser.parse(storage->text).get(root); error != simdjson::SUCCESS) {
        throwJsonError(text, simdjson::error_message(error));
    }
    SymbolFile file;
    const object fields = asObject(root, "the file");
    readMetadata(fields, file);
    GraphParser(file.graph).parse(fields, "the file");
    file.storage = std::move(storage);
    return file;
}

std::string versionText(std::int64_t version)
{
    return version > 0 ? fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100) : "";
}

} // namespace crosswalk::mxnet
